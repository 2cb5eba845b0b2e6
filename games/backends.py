"""How a name and a password become a player."""

from allauth.account.auth_backends import AuthenticationBackend

from games.models import Player, PlayerKind
from games.names import name_key


class NameKeyBackend(AuthenticationBackend):
    """Log-in by name, through the name's key: case, alef forms and digits as they come."""

    def _authenticate_by_username(self, username: str, password: str) -> Player | None:
        player = Player.objects.filter(name_key=name_key(username), kind=PlayerKind.PERSON).first()
        return self._check_password(player, password)
