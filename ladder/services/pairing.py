"""The queue for ranked play: the only place that writes ``QueueEntry``.

Whoever enters is paired at once with the nearest-rated acceptable person who waits, if there is
one; so the queue is empty or holds people who cannot be paired with each other. One transaction
at a time looks at the queue (``_hold``): two who enter together cannot miss each other, and
nobody can be paired twice.
"""

from datetime import datetime
from functools import partial

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from games.models import Kind, Match, Player, Seat, clock
from games.selectors.matches import LIVE, match_to_go_to
from games.services import play, publish
from games.services.errors import Refused
from games.services.locks import NotInTransaction, lock
from ladder import elo
from ladder.models import Pool, QueueEntry, Rating
from ladder.services.sitting import may_sit

TARGET = 101  # points, the target of every ranked match
_ADVISORY_KEY = 0x6261737261  # "basra": the queue's lock on PostgreSQL


def enter_queue(player: Player) -> Match | None:
    """Wait for a ranked match: the match to go to, or None while waiting.

    A live ranked match is returned instead of a second one; entering twice changes nothing.
    Raises ``Refused`` with the reason for who may not play ranked.
    """
    verdict = may_sit(player, Kind.RANKED)
    if not verdict.allowed:
        raise Refused(verdict.reason)
    with transaction.atomic():
        _hold()
        return match_to_go_to(player) or _wait_or_pair(player, clock.now())


def enter_again(player: Player, since: datetime) -> Match | None:
    """Put ``player`` back, waiting since then, when a match fell through by the other's fault.

    Joins the running transaction. Who may no longer play, or plays already, is left out.
    """
    _hold()
    if not may_sit(player, Kind.RANKED).allowed or match_to_go_to(player):
        return None
    return _wait_or_pair(player, since)


def leave_queue(player: Player) -> bool:
    """Stop waiting. False if ``player`` was not waiting (any more)."""
    with transaction.atomic():
        _hold()
        return bool(QueueEntry.objects.filter(player=player).delete()[0])


def clear(players: list[int]) -> None:
    """Take these players, by id, out of the queue. Joins the running transaction."""
    QueueEntry.objects.filter(player__in=players).delete()


def _hold() -> None:
    """Until the transaction ends, nobody else looks at the queue.

    On SQLite every transaction is alone already; row locks would not do on PostgreSQL, where two
    people entering at once cannot see each other's uncommitted rows.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ADVISORY_KEY])


def _wait_or_pair(player: Player, since: datetime) -> Match | None:
    rating = _rating(player)
    other = _nearest(player, rating)
    if other is None:
        QueueEntry.objects.get_or_create(
            player=player, defaults={"rating": rating, "entered_at": since}
        )
        return None
    clear([player.pk, other.pk])
    match = play.start(kind=Kind.RANKED, players=[other, player], target=TARGET)
    for called in (player, other):
        transaction.on_commit(partial(publish.call_to_table, called.pk, match.id), robust=True)
    return match


def _rating(player: Player) -> int:
    row = Rating.objects.filter(player=player, pool=Pool.RANKED).first()
    return row.rating if row else elo.START


def _nearest(player: Player, rating: int) -> Player | None:
    """The waiting person nearest to ``rating``; among equals, who has waited longest.

    Who may not play ranked any more (a closed account, say) leaves the queue here.
    """
    playing = Seat.objects.filter(
        player=OuterRef("player"), match__kind=Kind.RANKED, match__status__in=LIVE
    )
    others = QueueEntry.objects.exclude(player=player).filter(~Exists(playing))
    waiting = list(lock(others.select_related("player")))
    fit = [entry for entry in waiting if may_sit(entry.player, Kind.RANKED).allowed]
    clear([entry.player_id for entry in waiting if entry not in fit])
    if not fit:
        return None
    return min(fit, key=lambda e: (abs(e.rating - rating), e.entered_at, e.pk)).player
