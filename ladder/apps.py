"""The app that keeps standing: ratings, the queue, the leaderboard."""

from allauth.account.signals import email_confirmed
from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate


class LadderConfig(AppConfig):
    name = "ladder"

    def ready(self) -> None:
        from games import ports
        from ladder.selectors.held import held_about
        from ladder.selectors.standing import standing
        from ladder.services.bindings import on_closing, on_confirmed
        from ladder.services.ending import on_finished
        from ladder.services.forgetting import forget
        from ladder.services.marks import on_logged_in
        from ladder.services.pairing import start_ranked, unrated
        from ladder.services.roles import keep_groups
        from ladder.services.sitting import may_sign_up, may_sit, may_speak, may_write

        ports.fill(
            may_sit=may_sit,
            may_speak=may_speak,
            may_write=may_write,
            may_sign_up=may_sign_up,
            on_finished=on_finished,
            standing=standing,
            unrated=unrated,
            start_ranked=start_ranked,
            on_closing=on_closing,
            forget=forget,
            held_about=held_about,
        )
        user_logged_in.connect(on_logged_in)
        email_confirmed.connect(on_confirmed)
        post_migrate.connect(keep_groups, sender=self)
