"""The clock: what time it is, and what a turn costs. Milliseconds where a name ends in ``_ms``.

A turn has free seconds; beyond them the seat's bank for the match runs; an empty bank loses.
"""

from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

from games.models.match import Clock, Match, Seat

FREE_MS = {Clock.FAST: 6_000, Clock.STANDARD: 12_000, Clock.RELAXED: 40_000, Clock.NONE: 0}
BANK_MS = {Clock.FAST: 45_000, Clock.STANDARD: 90_000, Clock.RELAXED: 300_000, Clock.NONE: 0}
COUNT_READING_MS = 10_000  # more on a deal's first turn, so that the count can be read
GRACE = timedelta(seconds=1)  # a play this late still counts
SEED_LIMIT = timedelta(seconds=30)
IDLE_LIMIT = timedelta(days=1)  # without a clock: then lost on time, or aborted before the deal


def now() -> datetime:
    """The time, from the one clock that all processes share: PostgreSQL's where there is one."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def free_ms(match: Match, seat: Seat, first_of_deal: bool) -> int:
    """The free milliseconds of a turn: doubled for who has asked for more time."""
    free = FREE_MS[Clock(match.clock)] * (2 if seat.more_time else 1)
    return free + (COUNT_READING_MS if first_of_deal else 0)


def elapsed_ms(match: Match, moment: datetime) -> int:
    """How long the turn has lasted at ``moment``."""
    return max(0, int((moment - match.turn_began) / timedelta(milliseconds=1)))


def spent_ms(match: Match, seat: Seat, arrived: datetime, first_of_deal: bool) -> int:
    """What a turn takes off the bank: max(0, elapsed − free); nothing without a clock."""
    if match.clock == Clock.NONE:
        return 0
    return max(0, elapsed_ms(match, arrived) - free_ms(match, seat, first_of_deal))


def deadline(match: Match, seat: Seat | None, first_of_deal: bool) -> datetime:
    """When ``match`` ends by itself if nothing comes: no seed, an empty bank, a day's silence."""
    if match.clock == Clock.NONE:
        return now() + IDLE_LIMIT
    if seat is None or match.turn_began is None:
        return now() + SEED_LIMIT
    free = free_ms(match, seat, first_of_deal)
    return match.turn_began + timedelta(milliseconds=free + seat.bank_ms)
