"""Celery tasks: each calls one service. They carry ids and numbers, never a card."""

from celery import shared_task

from games.services import (
    accounts,
    challenges,
    contact,
    devices,
    exports,
    forgetting,
    guests,
    heartbeat,
    letters,
    notifications,
    outage,
    play,
    presence,
    puzzles,
    reviews,
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
def forget_devices() -> None:
    """Every hour: devices that nobody has logged in from for 90 days."""
    devices.forget_old()


@shared_task
def forget_closed() -> None:
    """Every hour: what is still personal of accounts that were closed 28 days ago is gone."""
    forgetting.forget_closed()


@shared_task
def tell_of_new_device(login_id: int, language: str) -> None:
    """A letter to who has logged in from a new device."""
    letters.of_new_device(login_id, language)


@shared_task
def make_export(export_id: int) -> None:
    """Make the file that somebody has asked for; does nothing if it is being made."""
    exports.make(export_id)


@shared_task
def resume_exports() -> None:
    """Every minute: files that were lost with their process are begun again."""
    exports.resume()


@shared_task
def forget_exports() -> None:
    """Every hour: files that are a week old are gone."""
    exports.forget_old()


@shared_task
def forget_talk() -> None:
    """Every hour: what was said at a table more than 90 days ago is gone."""
    talk.forget_old()


@shared_task
def forget_messages() -> None:
    """Every hour: messages of the contact page kept for more than 90 days are gone."""
    contact.forget_old()


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


@shared_task
def make_review(review_id: int) -> None:
    """Go through the plays of a match that somebody looks back at; nothing if it is being done."""
    reviews.make(review_id)


@shared_task
def resume_reviews() -> None:
    """Every minute: reviews that were lost with their process go on."""
    reviews.resume()
