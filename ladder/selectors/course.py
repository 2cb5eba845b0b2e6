"""How a player's rating went, for a chart: bounded, however many matches there are."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from games.models import Player
from ladder.models import ChangeKind, Pool, RatingChange

MOST = 200  # rows of the ledger, evenly spread; the first, highest and lowest come on top


@dataclass(frozen=True, slots=True)
class Point:
    """The rating after so many results, and when it came to that."""

    matches: int
    at: datetime
    rating: int


@dataclass(frozen=True, slots=True)
class Course:
    """Points from the start to now, oldest first; ``thinned``: not every step is among them."""

    points: tuple[Point, ...]
    thinned: bool

    @property
    def now(self) -> Point:
        return self.points[-1]

    @property
    def matches(self) -> int:
        return self.now.matches

    @property
    def highest(self) -> Point:
        return max(self.points, key=lambda point: point.rating)

    @property
    def lowest(self) -> Point:
        return min(self.points, key=lambda point: point.rating)


def course_of(player: Player) -> Course | None:
    """The ranked rating of ``player``, every step of the ledger or about 200 of them; None before
    the first result. 1 query.

    Annulments and refunds are steps too, but no matches.
    """
    rows = list(_thinned(RatingChange.objects.filter(player=player, pool=Pool.RANKED)))
    if not rows:
        return None
    start = Point(0, rows[0].created_at, rows[0].before)
    points, latest = [start], start.at
    for row in rows:  # two that end at the same time may be in the ledger the other way round
        latest = max(latest, row.created_at)
        points.append(Point(row.results, latest, row.after))
    return Course(tuple(points), thinned=rows[-1].number > len(rows))


def _thinned(rows: QuerySet[RatingChange]) -> QuerySet:
    """``MOST`` of the rows, the last one among them; and the first of all, and of the highest and
    the lowest."""
    results = Count("pk", filter=Q(kind=ChangeKind.RESULT))
    return (
        rows.annotate(
            number=Window(RowNumber(), order_by="id"),
            results=Window(results, order_by="id"),
            total=Window(Count("pk")),
            from_top=Window(RowNumber(), order_by=["-after", "id"]),
            from_bottom=Window(RowNumber(), order_by=["after", "id"]),
        )
        .annotate(
            step=F("number") * MOST / F("total"), step_before=(F("number") - 1) * MOST / F("total")
        )
        .filter(Q(step__gt=F("step_before")) | Q(number=1) | Q(from_top=1) | Q(from_bottom=1))
        .order_by("id")
        .values_list("created_at", "before", "after", "results", "number", named=True)
    )
