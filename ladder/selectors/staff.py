"""Who is on the staff."""

from dataclasses import dataclass

from allauth.mfa.models import Authenticator

from games.models import Player
from ladder.models import Role
from ladder.selectors.roles import SECOND_FACTORS


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody on the staff. ``role`` is None for who has the mark of staff and no role."""

    player: Player
    role: Role | None
    has_two_factor: bool


def members() -> list[Member]:
    """All of the staff, highest role first. 3 queries."""
    players = Player.objects.filter(is_staff=True, is_active=True).prefetch_related("groups")
    enrolled = Authenticator.objects.filter(user__is_staff=True, type__in=SECOND_FACTORS)
    secure = set(enrolled.values_list("user", flat=True))
    found = [Member(player, _role(player), player.pk in secure) for player in players]
    return sorted(found, key=lambda one: (-(one.role.rank if one.role else 0), one.player.name_key))


def _role(player: Player) -> Role | None:
    """The role, from groups that have been fetched already."""
    if player.is_superuser:
        return Role.ADMINISTRATOR
    names = [group.name for group in player.groups.all() if group.name in Role.values]
    return max(map(Role, names), key=lambda role: role.rank, default=None)
