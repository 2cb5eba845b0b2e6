"""The app that keeps standing: ratings, the queue, the leaderboard."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class LadderConfig(AppConfig):
    name = "ladder"

    def ready(self) -> None:
        from games import ports
        from ladder.selectors.standing import standing
        from ladder.selectors.waiting import is_waiting
        from ladder.services.ending import on_finished
        from ladder.services.marks import on_logged_in
        from ladder.services.pairing import start_ranked, unrated
        from ladder.services.sitting import may_sit, may_speak

        ports.fill(
            may_sit=may_sit,
            may_speak=may_speak,
            on_finished=on_finished,
            standing=standing,
            unrated=unrated,
            start_ranked=start_ranked,
            is_waiting=is_waiting,
        )
        user_logged_in.connect(on_logged_in)
