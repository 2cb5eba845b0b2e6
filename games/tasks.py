"""Celery tasks: each calls one service. They carry ids and numbers, never a card."""

from celery import shared_task

from games.services import accounts, heartbeat, outage, play, presence, statistics


@shared_task
def house_turn(match_id: str, number: int) -> None:
    """A house player's turn; does nothing if that play is past."""
    play.house_turn(match_id=match_id, number=number)


@shared_task
def sweep() -> None:
    """Every second: end what is overdue, send again what was lost. In an outage nothing ends."""
    if not outage.is_on():
        play.sweep()
    presence.sweep()
    heartbeat.beat("sweep")


@shared_task
def release_names() -> None:
    """Every hour: names of accounts closed more than 90 days ago become free."""
    accounts.release_names()


@shared_task
def count_shuffles() -> None:
    """Every minute: the packs of matches that have ended go into the public statistics."""
    statistics.count_shuffles()
