"""Ratings told anew from the ledger, and the ledger checked against the formula and the matches.

A player's rows in the order of their ids give every column of the rating. One player's rows are in
memory at a time, however long the ledger is. The ledger itself is never written here.
"""

import heapq
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby

from django.db import connection, transaction
from django.db.models import F, OuterRef, QuerySet, Subquery

from games.models import Match, Seat, Status, clock
from games.services.locks import lock
from ladder import elo
from ladder.models import ChangeKind, Code, Pool, Rating, RatingChange
from ladder.services.rating import (
    FROM_LEDGER,
    POOLS,
    RATED_ENDINGS,
    SIX_PLACES,
    gained_from_new_accounts,
)

Key = tuple[int, str]  # player, pool
REVERSIBLE = (ChangeKind.ANNULMENT, ChangeKind.REFUND)


@dataclass(frozen=True, slots=True)
class Findings:
    """What differs: ``ratings`` can be rebuilt, ``ledger`` is for a person to look at. In words."""

    ratings: dict[Key, str] = field(default_factory=dict)
    ledger: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not self.ratings and not self.ledger


def survey() -> Findings:
    """Compare every rating with the ledger, and the ledger with the formula and the matches.

    Reads one snapshot, so that matches which end meanwhile don't look like differences, and holds
    nobody up.
    """
    found = Findings()
    with _snapshot():
        for (player_id, pool), rating, rows in _by_player():
            found.ledger.extend(_oddities(rows))
            told = retold(Rating(player_id=player_id, pool=pool), rows)
            if differing := _differences(rating, told):
                found.ratings[player_id, pool] = f"player {player_id}, {pool}: {differing}"
        found.ledger.extend(_unpaired())
        found.ledger.extend(_at_odds_with_matches())
    return found


def rebuild(keys: Iterable[Key]) -> None:
    """Write these ratings anew from the ledger, each in a transaction of its own."""
    for player_id, pool in keys:
        with transaction.atomic():
            Rating.objects.get_or_create(player_id=player_id, pool=pool)
            row = Rating.objects.filter(player_id=player_id, pool=pool).select_related("player")
            write_anew(lock(row).get())


def write_anew(rating: Rating) -> None:
    """Write every column of a rating anew from its rows of the ledger.

    The caller has locked it: a player's rows are only written under that lock, so that nothing
    comes in between.
    """
    rows = RatingChange.objects.filter(player=rating.player_id, pool=rating.pool).order_by("id")
    retold(rating, list(rows))
    rating.listed = rating.qualifies(clock.now())
    rating.save(update_fields=[*FROM_LEDGER, "listed"])


def retold(rating: Rating, rows: list[RatingChange]) -> Rating:
    """``rating`` with every column as these give it: all rows of that player and pool, in order.

    Results that have been annulled count for nothing but the points that went and came back.
    """
    new = Rating()
    for name in FROM_LEDGER:
        setattr(rating, name, getattr(new, name))
    annulled = _annulled(rows)
    met: set[int] = set()
    for row in rows:
        if row.kind == ChangeKind.RESULT and row.pk not in annulled:
            rating.take(row, new_opponent=row.opponent_id not in met)
            met.add(row.opponent_id)
        rating.rating = row.after
    return rating


@contextmanager
def _snapshot() -> Iterator[None]:
    """One view of the database until it is left; within a transaction, the view of that."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":  # ``atomic`` would take the one write lock for so long
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("COMMIT")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def _by_player() -> Iterator[tuple[Key, Rating | None, list[RatingChange]]]:
    """Every rating with its rows of the ledger, side by side; None where it has been lost."""
    ratings = Rating.objects.order_by("player_id", "pool")
    theirs = _results().filter(match=OuterRef("match"), player=OuterRef("opponent"))
    ledger = RatingChange.objects.annotate(
        told_by_opponent=Subquery(theirs.values("opponent_matches")[:1])
    ).order_by("player_id", "pool", "id")
    both = heapq.merge(ratings.iterator(), ledger.iterator(), key=_key)
    for key, lines in groupby(both, key=_key):
        rating, rows = None, []
        for line in lines:
            if isinstance(line, Rating):
                rating = line
            else:
                rows.append(line)
        yield key, rating, rows


def _key(row: Rating | RatingChange) -> Key:
    return row.player_id, row.pool


def _results() -> QuerySet[RatingChange]:
    return RatingChange.objects.filter(kind=ChangeKind.RESULT)


def _annulled(rows: list[RatingChange]) -> set[int]:
    """The results, by id, whose annulment stands."""
    reversed_ = {row.refers_to_id for row in rows if row.kind == ChangeKind.REVERSAL}
    return {
        row.refers_to_id
        for row in rows
        if row.kind == ChangeKind.ANNULMENT and row.pk not in reversed_
    }


def _differences(have: Rating | None, told: Rating) -> str:
    """In which columns a rating is not as the ledger tells it; "" if in none."""
    if have is None:
        return "no rating, and rows in the ledger"
    return ", ".join(
        f"{name} {getattr(have, name)}, the ledger gives {getattr(told, name)}"
        for name in FROM_LEDGER
        if getattr(have, name) != getattr(told, name)
    )


def _oddities(rows: list[RatingChange]) -> Iterator[str]:
    """What is wrong in one player's rows of one pool."""
    by_id = {row.pk: row for row in rows}
    stand: dict[int, RatingChange] = {}  # the results that stood when the next row was written
    rating = elo.START
    for row in rows:
        if row.before != rating:
            yield f"change {row.pk}: before {row.before}, the row before says {rating}"
        if row.kind == ChangeKind.RESULT:
            yield from _misreckoned(row, stand.values())
            stand[row.pk] = row
        else:
            yield from _misreferred(row, by_id.get(row.refers_to_id))
            _follow(row, by_id, stand)
        rating = row.after


def _follow(
    row: RatingChange, by_id: dict[int, RatingChange], stand: dict[int, RatingChange]
) -> None:
    """An annulment takes its result out of what stands, and a reversal puts it back."""
    if row.kind == ChangeKind.ANNULMENT:
        stand.pop(row.refers_to_id, None)
    annulment = by_id.get(row.refers_to_id)
    if row.kind == ChangeKind.REVERSAL and annulment and annulment.kind == ChangeKind.ANNULMENT:
        stand[annulment.refers_to_id] = by_id[annulment.refers_to_id]


def _misreckoned(row: RatingChange, before: Collection[RatingChange]) -> Iterator[str]:
    """Where a result is not what the formula gives after those that stood ``before``."""
    if row.told_by_opponent not in (None, len(before)):
        yield (
            f"change {row.pk}: after {len(before)} matches, "
            f"the opponent's row says {row.told_by_opponent}"
        )
    if row.formula != elo.FORMULA:
        return
    if row.opponent_rating is None:
        yield f"change {row.pk}: no rating of the opponent"
        return
    capped = row.score and elo.is_capped(len(before), row.opponent_matches)
    right = elo.outcome(
        row.before,
        row.opponent_rating,
        row.score,
        matches=len(before),
        opponent_matches=row.opponent_matches,
        gained=gained_from_new_accounts(before, row.created_at) if capped else 0,
    )
    told = {
        "K": (row.k, right.k),
        "expected": (row.expected, right.expected.quantize(SIX_PLACES)),
        "cut": (row.cut, right.cut),
        "code": (row.code, Code.CAPPED if right.cut else ""),
        "after": (row.after, right.after),
    }
    for name, (have, gives) in told.items():
        if have != gives:
            yield f"change {row.pk}: {name} {have}, the formula gives {gives}"


def _misreferred(row: RatingChange, other: RatingChange | None) -> Iterator[str]:
    """Where an annulment, a refund or a reversal is not what the row that it names makes it."""
    if other is None or (row.match_id, row.opponent_id) != (other.match_id, other.opponent_id):
        yield f"change {row.pk}: it names a row of something else"
        return
    right = {
        ChangeKind.ANNULMENT: other.kind == ChangeKind.RESULT and row.change == -other.change,
        ChangeKind.REFUND: other.score == 0 and 0 < row.change <= -other.change,
        ChangeKind.REVERSAL: other.kind in REVERSIBLE and row.change == -other.change,
    }[ChangeKind(row.kind)]
    if not right:
        yield f"change {row.pk}: {row.kind} of {row.change}, the row that it names {other.change}"


def _unpaired() -> Iterator[str]:
    """Ranked results whose other side is missing or tells something else."""
    other_side = _results().filter(
        match=OuterRef("match"),
        pool=OuterRef("pool"),
        player=OuterRef("opponent"),
        opponent=OuterRef("player"),
        before=OuterRef("opponent_rating"),
        score=1 - OuterRef("score"),
    )
    for pk in _without(_results().filter(pool=Pool.RANKED), other_side):
        yield f"change {pk}: the other side of the match does not agree"


def _without(rows: QuerySet, wanted: QuerySet) -> Iterator[int | str]:
    """The keys of those rows that have none of ``wanted``, asked for each by an index. As a join
    (``Exists``) PostgreSQL guesses one to be small that is not, and goes through it for each row:
    35 s with 16,000 results, and four times as long with twice as many."""
    first = rows.annotate(first=Subquery(wanted.order_by().values("pk")[:1]))
    return first.filter(first=None).values_list("pk", flat=True).iterator()


def _at_odds_with_matches() -> Iterator[str]:
    """Matches with a result that counts and no row, and rows that are not what the match says."""
    counting = Match.objects.filter(
        kind__in=POOLS,
        unrated="",
        status=Status.FINISHED,
        how__in=RATED_ENDINGS,
        winner__isnull=False,
    )
    for pk in _without(counting, _results().filter(match=OuterRef("pk"))):
        yield f"match {pk}: not in the ledger"
    seats = Seat.objects.filter(
        match=OuterRef("match"),
        player=OuterRef("player"),
        match__in=counting,
        match__kind=OuterRef("pool"),
        match__finished_at=OuterRef("created_at"),
    )
    for score, winner in ((1, F("seat")), (0, 1 - F("seat"))):
        agreeing = seats.filter(match__winner=winner)
        for pk in _without(_results().filter(score=score), agreeing):
            yield f"change {pk}: not what the match says"
    for level, rating in elo.HOUSE.items():
        rows = _results().filter(opponent__level=level, formula=elo.FORMULA)
        for pk in rows.exclude(opponent_rating=rating).values_list("pk", flat=True).iterator():
            yield f"change {pk}: a {level} house player is rated {rating}"
