"""The app that plays."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import checks  # noqa: F401  (registers itself)
        from games.services.house import seat_house_players
        from games.services.sessions import on_logged_out

        user_logged_out.connect(on_logged_out)
        post_migrate.connect(seat_house_players, sender=self)
