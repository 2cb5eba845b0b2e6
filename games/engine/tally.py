"""The count of a deal and the tally of a match, in points (rules, The count and The match)."""

from dataclasses import dataclass
from typing import Protocol

from games.engine.capture import Basra
from games.engine.errors import Malformed, NotNow
from games.engine.play import Seat

MAJORITY = 27
MAJORITY_POINTS = 30


class Counted(Protocol):
    """What can be counted: a `Deal`, and an `Observation` of one as well."""

    @property
    def over(self) -> bool: ...
    @property
    def pile_counts(self) -> tuple[int, int]: ...
    @property
    def basras(self) -> tuple[int, int]: ...
    @property
    def jack_basras(self) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True)
class Breakdown:
    """How the count of one seat comes about: cards and basras are numbers, the rest points.

    >>> line = Breakdown(cards=30, basras=2, jack_basras=1)
    >>> line.majority_points, line.basra_points, line.jack_basra_points, line.points
    (30, 20, 30, 80)
    """

    cards: int
    basras: int
    jack_basras: int

    @property
    def majority_points(self) -> int:
        """30 for 27 cards or more; at 26 each nobody gets anything."""
        return MAJORITY_POINTS if self.cards >= MAJORITY else 0

    @property
    def basra_points(self) -> int:
        """10 for each basra that is not a jack basra."""
        return self.basras * Basra.BASRA.points

    @property
    def jack_basra_points(self) -> int:
        """30 for each jack basra."""
        return self.jack_basras * Basra.JACK.points

    @property
    def points(self) -> int:
        """The points of this seat in the deal."""
        return self.majority_points + self.basra_points + self.jack_basra_points


def breakdown(deal: Counted) -> tuple[Breakdown, Breakdown]:
    """How the count of seats 0 and 1 comes about. Raises `NotNow` before the deal is over.

    Works for a `Deal` and for an `Observation`: it needs nothing that is shut.

    >>> from games.engine import Deal, PACK
    >>> breakdown(Deal.start(PACK, dealer=0))
    Traceback (most recent call last):
    games.engine.errors.NotNow: nothing counts before the deal is over
    """
    if not deal.over:
        raise NotNow("nothing counts before the deal is over")
    return _breakdown(deal, 0), _breakdown(deal, 1)


def count(deal: Counted) -> tuple[int, int]:
    """The points of seats 0 and 1 in a deal that is over; `NotNow` before (rules, The count).

    >>> from games.engine import Deal, PACK
    >>> deal = Deal.start(PACK, dealer=0)
    >>> while not deal.over:
    ...     deal = deal.play(deal.legal()[0])
    >>> count(deal), [line.cards for line in breakdown(deal)]
    ((80, 10), [29, 23])
    """
    lines = breakdown(deal)
    return lines[0].points, lines[1].points


def _breakdown(deal: Counted, seat: Seat) -> Breakdown:
    return Breakdown(deal.pile_counts[seat], deal.basras[seat], deal.jack_basras[seat])


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a match's deals so far; `target` in points (rules, The match).

    >>> tally = Tally(target=51, first_dealer=1)
    >>> tally.dealer, tally.totals, tally.winner
    (1, (0, 0), None)
    >>> tally = tally.add((60, 60))
    >>> tally.dealer, tally.totals, tally.winner
    (0, (60, 60), None)
    >>> tally.add((0, 10)).winner
    1
    """

    target: int
    first_dealer: Seat
    counts: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if type(self.target) is not int or self.target < 1:
            raise Malformed("a target is a number of points, 1 or more")
        if type(self.first_dealer) is not int or self.first_dealer not in (0, 1):
            raise Malformed("a seat is 0 or 1")

    def add(self, points: tuple[int, int]) -> "Tally":
        """The tally after one more deal, that counted `points` for seats 0 and 1.

        Raises `NotNow` if the match is won, `Malformed` if these are not two counts.

        >>> Tally(51, 0).add((60, 0)).add((0, 10))
        Traceback (most recent call last):
        games.engine.errors.NotNow: the match is won: no deal follows
        """
        if self.winner is not None:
            raise NotNow("the match is won: no deal follows")
        pair = tuple(points)
        if len(pair) != 2 or not all(type(number) is int and number >= 0 for number in pair):
            raise Malformed("a count is the points of seats 0 and 1")
        return Tally(self.target, self.first_dealer, (*self.counts, (pair[0], pair[1])))

    @property
    def totals(self) -> tuple[int, int]:
        """The points of seats 0 and 1 in all counted deals."""
        return sum(c[0] for c in self.counts), sum(c[1] for c in self.counts)

    @property
    def dealer(self) -> Seat:
        """Who deals the deal that is not counted yet; seats alternate."""
        if len(self.counts) % 2 == 0:
            return self.first_dealer
        return 1 if self.first_dealer == 0 else 0

    @property
    def winner(self) -> Seat | None:
        """The seat with the higher total once one has the target; `None` until then."""
        first, second = self.totals
        if first == second or max(first, second) < self.target:
            return None
        return 0 if first > second else 1
