"""How the ratings of all who have a rank are spread."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, FloatField, Sum
from django.db.models.functions import Cast, Floor

from ladder.models import Board, RatingCount

NARROW, WIDE = 50, 100  # rating points of a bar
MOST_NARROW = 20  # bars; with more of them they are wide
NAMED = 4  # each so many bars begin at a round rating


@dataclass(frozen=True, slots=True)
class Bar:
    """So many players with ratings ``low`` ≤ … < ``low + width``."""

    low: int
    width: int
    players: int

    @property
    def last(self) -> int:
        """The highest whole rating in it."""
        return self.low + self.width - 1

    def holds(self, rating: int) -> bool:
        return self.low <= rating <= self.last


@dataclass(frozen=True, slots=True)
class Spread:
    """Bars without a gap between them, lowest first; a multiple of ``NAMED``."""

    bars: tuple[Bar, ...]

    @property
    def players(self) -> int:
        return sum(bar.players for bar in self.bars)

    @property
    def fullest(self) -> Bar:
        return max(self.bars, key=lambda bar: bar.players)

    @property
    def low(self) -> int:
        return self.bars[0].low

    @property
    def high(self) -> int:
        """Where the last bar ends."""
        return self.bars[-1].low + self.bars[-1].width


def spread_with(ratings: Iterable[int] = ()) -> Spread | None:
    """All ranked ratings as of the last count; the bars reach to ``ratings`` at least. None while
    nobody has a rank. 1 query."""
    counts = dict(
        RatingCount.objects.filter(board=Board.ALL_TIME)
        .annotate(bar=Floor(Cast(F("rating"), FloatField()) / NARROW))
        .values_list("bar")
        .annotate(Sum("players"))
    )
    if not counts:
        return None
    reached = {int(bar) for bar in counts} | {rating // NARROW for rating in ratings}
    low, high = min(reached) * NARROW, max(reached) * NARROW
    width = NARROW if (high - low) // NARROW < MOST_NARROW else WIDE
    low -= low % (NAMED * width)
    high += -(high + NARROW) % (NAMED * width) + NARROW
    bars = (
        Bar(at, width, sum(counts.get(part // NARROW, 0) for part in range(at, at + width, NARROW)))
        for at in range(low, high, width)
    )
    return Spread(tuple(bars))
