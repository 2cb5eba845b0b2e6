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
        from ladder.selectors.moderation import may_inspect
        from ladder.selectors.standing import annulled, standing
        from ladder.selectors.waiting import is_waiting
        from ladder.services.ending import on_finished
        from ladder.services.filtering import on_text
        from ladder.services.forgetting import forget
        from ladder.services.marks import on_logged_in
        from ladder.services.pairing import start_ranked, unrated
        from ladder.services.roles import keep_groups
        from ladder.services.sanctions import on_email_confirmed, on_renamed
        from ladder.services.sitting import may_sign_up, may_sit, may_speak, may_write

        ports.fill(
            may_sit=may_sit,
            may_speak=may_speak,
            may_write=may_write,
            may_sign_up=may_sign_up,
            may_inspect=may_inspect,
            on_finished=on_finished,
            on_renamed=on_renamed,
            on_text=on_text,
            standing=standing,
            annulled=annulled,
            unrated=unrated,
            start_ranked=start_ranked,
            is_waiting=is_waiting,
            forget=forget,
            held_about=held_about,
        )
        user_logged_in.connect(on_logged_in)
        email_confirmed.connect(on_email_confirmed)
        post_migrate.connect(keep_groups, sender=self)
