"""Celery tasks of standing: each calls one service."""

from celery import shared_task

from games.services import outage
from ladder.services import (
    board,
    digest,
    findings,
    machines,
    marks,
    pairing,
    published,
    reports,
    sanctions,
    seasons,
)


@shared_task
def pair() -> None:
    """Every second: pair who has become acceptable. In an outage nobody could come to the table."""
    if not outage.is_on():
        pairing.pair()


@shared_task
def refresh_board() -> None:
    """Every minute: who is on the board, the counts behind ranks, and once a day the ranks."""
    board.refresh()


@shared_task
def turn_seasons() -> None:
    """Every hour: the season of the moment begins, and the tables of those before are final."""
    seasons.turn()


@shared_task
def publish_months() -> None:
    """Every hour: the files of the months that are over."""
    published.publish_months()


@shared_task
def look_for_findings() -> None:
    """Every hour: what is odd in the ranked matches of the last two weeks."""
    findings.look()


@shared_task
def look_for_machines() -> None:
    """Every hour: ranked players whose choices and pace are a program's."""
    machines.look()


@shared_task
def end_lapsed_sanctions() -> None:
    """Every minute: what has run out by itself lets go of the player and of the boards."""
    sanctions.end_lapsed()


@shared_task
def forget_marks() -> None:
    """Every hour: marks that are 90 days old."""
    marks.forget_old()


@shared_task
def forget_reported_talk() -> None:
    """Every hour: what was said at a table, in reports that were answered 90 days ago."""
    reports.forget_talk()


@shared_task
def send_digest() -> None:
    """In the morning: how moderation stands, to the moderators who want to know."""
    digest.send()
