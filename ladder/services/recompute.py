"""Rebuilding ratings from the ledger. The ledger itself is never written here."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection, transaction

from games.models import Kind, Match, Status
from games.services.locks import lock
from ladder import elo
from ladder.models import ChangeKind, Rating, RatingChange
from ladder.services.rating import RATED_ENDINGS

Key = tuple[int, str]  # player, pool
FIELDS = ("rating", "matches", "won", "lost")


@dataclass(slots=True)
class Tallied:
    """A rating as the ledger has it so far."""

    rating: int = elo.START
    matches: int = 0
    won: int = 0
    lost: int = 0

    def add(self, row: RatingChange) -> None:
        """Take in the player's next row."""
        self.rating = row.after
        if row.kind == ChangeKind.RESULT:
            self.matches += 1
            self.won += row.score
            self.lost += 1 - row.score


@dataclass(frozen=True, slots=True)
class Findings:
    """What differs: ``ratings`` can be rebuilt, ``ledger`` is for a person to look at. In words."""

    ratings: dict[Key, str]
    ledger: list[str]

    @property
    def clean(self) -> bool:
        return not self.ratings and not self.ledger


def survey() -> Findings:
    """Compare every rating with the ledger, and the ledger with the formula and the matches.

    Reads one snapshot, so that matches which end meanwhile don't look like differences.
    """
    nested = connection.in_atomic_block
    with transaction.atomic():
        if connection.vendor == "postgresql" and not nested:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        tallied, ledger = _walk()
        return Findings(_differences(tallied), ledger + _unrated())


def rebuild(keys: Iterable[Key]) -> None:
    """Write these ratings anew from the ledger, each in a transaction of its own.

    A player's rows are only written under the lock on the rating, so nothing comes in between.
    """
    for player_id, pool in keys:
        with transaction.atomic():
            Rating.objects.get_or_create(player_id=player_id, pool=pool)
            row = lock(Rating.objects.filter(player_id=player_id, pool=pool)).get()
            tallied = Tallied()
            for change in RatingChange.objects.filter(player_id=player_id, pool=pool):
                tallied.add(change)
            for field in FIELDS:
                setattr(row, field, getattr(tallied, field))
            row.save(update_fields=FIELDS)


def _walk() -> tuple[dict[Key, Tallied], list[str]]:
    """Every rating from the ledger in the order of its ids, and what is odd in it."""
    tallied: dict[Key, Tallied] = defaultdict(Tallied)
    single: dict[str, RatingChange] = {}
    odd: list[str] = []
    for row in RatingChange.objects.order_by("id").iterator():
        so_far = tallied[row.player_id, row.pool]
        if row.before != so_far.rating:
            odd.append(f"change {row.pk}: before {row.before}, the row before says {so_far.rating}")
        if row.kind == ChangeKind.RESULT:
            if row.formula == elo.FORMULA and row.k != elo.k_factor(so_far.matches):
                odd.append(f"change {row.pk}: K {row.k} after {so_far.matches} matches")
            pair = single.pop(row.match_id, None)
            if pair is None:
                single[row.match_id] = row
            else:
                odd += _misreckoned(pair, row) + _misreckoned(row, pair)
        so_far.add(row)
    odd += [f"match {match_id}: one row in the ledger, not two" for match_id in single]
    return tallied, odd


def _misreckoned(row: RatingChange, other: RatingChange) -> list[str]:
    if row.formula != elo.FORMULA:
        return []
    after = elo.new_rating(row.before, other.before, row.score, row.k)
    wrong = row.after != after or row.score + other.score != 1
    return [f"change {row.pk}: after {row.after}, the formula gives {after}"] if wrong else []


def _differences(tallied: dict[Key, Tallied]) -> dict[Key, str]:
    stored = {(row.player_id, row.pool): row for row in Rating.objects.order_by("pk")}
    found: dict[Key, str] = {}
    for key in sorted(stored.keys() | tallied.keys()):
        have = Tallied(*(getattr(stored[key], f) for f in FIELDS)) if key in stored else None
        if have != tallied.get(key, Tallied()):
            found[key] = f"player {key[0]}, {key[1]}: {have}, the ledger gives {tallied.get(key)}"
    return found


def _unrated() -> list[str]:
    """Matches with a result that counts and no row in the ledger."""
    matches = Match.objects.filter(
        kind=Kind.RANKED, status=Status.FINISHED, how__in=RATED_ENDINGS, rating_changes=None
    )
    return [f"match {pk}: not in the ledger" for pk in matches.values_list("pk", flat=True)]
