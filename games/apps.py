"""The app that plays."""

from allauth.account.signals import password_changed, password_reset, password_set
from celery.signals import worker_ready
from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from allauth.mfa.signals import authenticator_added

        from games import checks  # noqa: F401  (registers itself)
        from games.services.heartbeat import keep_beating
        from games.services.house import seat_house_players
        from games.services.sessions import (
            on_logged_in,
            on_logged_out,
            on_password_changed,
            on_second_factor_added,
        )
        from games.services.triggers import keep_append_only

        user_logged_in.connect(on_logged_in)
        user_logged_out.connect(on_logged_out)
        authenticator_added.connect(on_second_factor_added)
        for signal in (password_changed, password_reset, password_set):
            signal.connect(on_password_changed)
        worker_ready.connect(keep_beating)
        post_migrate.connect(seat_house_players, sender=self)
        post_migrate.connect(keep_append_only, sender=self)
