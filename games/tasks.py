"""Celery tasks: each calls one service. They carry ids and numbers, never a card."""

from celery import shared_task

from games.services import (
    accounts,
    challenges,
    guests,
    heartbeat,
    notifications,
    outage,
    play,
    presence,
    puzzles,
    sessions,
    statistics,
    talk,
)


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
def expire_challenges() -> None:
    """Every two seconds: challenges that nobody answered in time are over."""
    challenges.expire()


@shared_task
def release_names() -> None:
    """Every hour: names of accounts closed more than 90 days ago become free."""
    accounts.release_names()


@shared_task
def forget_guests() -> None:
    """Every hour: guests who have stayed away for seven days are gone."""
    guests.forget_idle()


@shared_task
def forget_sessions() -> None:
    """Every hour: sessions that are past their time are gone."""
    sessions.forget_expired()


@shared_task
def forget_talk() -> None:
    """Every hour: what was said at a table more than 90 days ago is gone."""
    talk.forget_old()


@shared_task
def forget_notifications() -> None:
    """Every hour: what a player was told more than 90 days ago is gone."""
    notifications.forget_old()


@shared_task
def count_shuffles() -> None:
    """Every minute: the packs of matches that have ended go into the public statistics."""
    statistics.count_shuffles()


@shared_task
def choose_puzzles() -> None:
    """Every ten minutes: today's puzzle if it is missing, and by night tomorrow's."""
    puzzles.choose_due()
