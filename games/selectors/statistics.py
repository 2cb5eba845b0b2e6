"""What the sums over the packs say: statistics derived from counts. Pure but for one read.

Of many permutations drawn evenly, the count O of a card at a place is expected to be E = packs/52,
with the variance E · 51/52; rows and columns all add up to the number of packs. So
51/52 · Σ(O−E)²/E over the 52 × 52 counts tends to χ² with 51² = 2,601 degrees of freedom: its
expectation is 2,601 exactly.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from games.engine import PACK
from games.models import ShuffleStatistics

CARDS = len(PACK)
DEGREES = (CARDS - 1) ** 2
ENOUGH = 100  # packs: below that nothing is claimed
USUAL = 1.96  # standard deviations either side hold 19 cases of 20
BOUNDS = (-3, -2, -1, 0, 1, 2, 3)  # of the bands that the counts are sorted into


@dataclass(frozen=True, slots=True)
class Band:
    """How many of the 2,704 counts lie between two distances from the expected count, in standard
    deviations (None: no bound), and how many would by the normal distribution."""

    low: int | None
    high: int | None
    counts: int
    expected: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A sum, what a fair shuffle makes of it on average, and its standard deviation."""

    seen: int
    expected: float
    deviation: float

    @property
    def low(self) -> int:
        """The lower end of what is usual: 19 cases of 20 lie within ``low`` and ``high``."""
        return max(0, math.floor(self.expected - USUAL * self.deviation))

    @property
    def high(self) -> int:
        return math.ceil(self.expected + USUAL * self.deviation)

    @property
    def distance(self) -> float:
        """From the expected sum, in standard deviations."""
        return (self.seen - self.expected) / self.deviation if self.deviation else 0.0


@dataclass(frozen=True)
class Shuffle:
    """The sums, and what follows from them. ``counts`` has a row of 52 cards for each place."""

    sums: ShuffleStatistics
    counts: Sequence[Sequence[int]]

    @property
    def as_of(self) -> datetime | None:
        return self.sums.as_of

    @property
    def packs(self) -> int:
        return self.sums.packs

    @property
    def enough(self) -> bool:
        """Are there packs enough to claim anything?"""
        return self.packs >= ENOUGH

    @property
    def least(self) -> int:
        """How many packs are enough."""
        return ENOUGH

    @property
    def expected(self) -> float:
        """How often each card is expected at each place."""
        return self.packs / CARDS

    @cached_property
    def statistic(self) -> float:
        """51/52 · Σ(O−E)²/E."""
        return statistic(self.counts)

    @cached_property
    def larger(self) -> float:
        """In what part of all cases a fair shuffle gives a larger value: from 0 to 1."""
        return chi_square_tail(self.statistic, DEGREES)

    @property
    def larger_percent(self) -> float:
        return 100 * self.larger

    @property
    def verdict(self) -> str:
        """``usual``; or ``uneven`` or ``even``, as one fair shuffle in a hundred is at most."""
        if self.larger < 0.01:
            return "uneven"
        return "even" if self.larger > 0.99 else "usual"

    @cached_property
    def distances(self) -> list[list[float]]:
        """Each count's distance from the expected one, in standard deviations."""
        return distances(self.counts)

    @property
    def bands(self) -> list[Band]:
        return bands([distance for row in self.distances for distance in row])

    @property
    def jacks(self) -> dict[str, Figure]:
        """Jacks that came into the hand of ``dealer``, ``other``, and of seats ``0`` and ``1``."""
        return self._hands("jacks", DEALT.jacks, DEALT.jacks_variance)

    @property
    def komi(self) -> dict[str, Figure]:
        """The komi, likewise."""
        return self._hands("komi", DEALT.komi, DEALT.komi_variance)

    @property
    def first_dealers(self) -> dict[str, Figure]:
        """How often seats ``0`` and ``1`` dealt first."""
        seen = [self.sums.first_dealer_0, self.sums.first_dealer_1]
        drawn = sum(seen)
        return {
            str(seat): Figure(number, drawn / 2, math.sqrt(drawn) / 2)
            for seat, number in enumerate(seen)
        }

    @property
    def tied_percent(self) -> float | None:
        """What part of the counted deals ended 26–26, in percent."""
        return 100 * self.sums.ties / self.sums.deals if self.sums.deals else None

    def _hands(self, what: str, of_dealer: float, variance: float) -> dict[str, Figure]:
        sums, packs = self.sums, self.packs
        whole = 4 if what == "jacks" else 1
        by_dealer = getattr(sums, f"{what}_dealer")
        deviation = math.sqrt(packs * variance)
        found = {
            "dealer": Figure(by_dealer, packs * of_dealer, deviation),
            "other": Figure(whole * packs - by_dealer, packs * (whole - of_dealer), deviation),
        }
        for seat, dealt in enumerate((sums.packs_0, sums.packs_1)):
            mean = dealt * of_dealer + (packs - dealt) * (whole - of_dealer)
            found[str(seat)] = Figure(getattr(sums, f"{what}_{seat}"), mean, deviation)
        return found


def shuffle() -> Shuffle:
    """The sums as they stand. One query."""
    row = ShuffleStatistics.objects.filter(pk=ShuffleStatistics.THE_ROW).first()
    sums = row or ShuffleStatistics()
    flat = sums.counts or [0] * CARDS**2
    return Shuffle(sums, [flat[start : start + CARDS] for start in range(0, CARDS**2, CARDS)])


def statistic(counts: Sequence[Sequence[int]]) -> float:
    """(n−1)/n · Σ(O−E)²/E of the n × n counts of n things at n places; 0 without any.

    >>> round(statistic([[30, 20], [20, 30]]), 6)
    2.0
    """
    size, packs = len(counts), sum(counts[0])
    if not packs:
        return 0.0
    expected = packs / size
    off = sum((seen - expected) ** 2 for row in counts for seen in row)
    return (size - 1) / size * off / expected


def distances(counts: Sequence[Sequence[int]]) -> list[list[float]]:
    """(O−E)/√(E·(n−1)/n) for each count."""
    size, packs = len(counts), sum(counts[0])
    expected = packs / size
    deviation = math.sqrt(expected * (size - 1) / size) or 1.0
    return [[(seen - expected) / deviation for seen in row] for row in counts]


def bands(values: Sequence[float]) -> list[Band]:
    """The values sorted into the bands between ``BOUNDS``; a value on a bound is in the upper."""
    edges = [None, *BOUNDS, None]
    found = []
    for low, high in zip(edges, edges[1:], strict=False):
        inside = sum((low is None or v >= low) and (high is None or v < high) for v in values)
        share = _normal(high, 1.0) - _normal(low, 0.0)
        found.append(Band(low, high, inside, len(values) * share))
    return found


def chi_square_tail(value: float, degrees: int) -> float:
    """The part of a χ² distribution above ``value``: Q(degrees/2, value/2).

    Q is the regularised incomplete gamma function: by its series below the bend at a + 1, by its
    continued fraction (Lentz's way) above it. Source: NIST Digital Library of Mathematical
    Functions, 8.11.4 (with 8.2.4) and 8.9.2.

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(18.307038, 10), 6)
    (0.05, 0.05)
    """
    a, x = degrees / 2, value / 2
    if x <= 0:
        return 1.0
    head = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return min(1.0, max(0.0, 1 - head * total))
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for i in range(1, 100_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return min(1.0, head * fraction)


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a deal gives to the dealer's hand on average, and how much that varies."""

    jacks: float
    jacks_variance: float
    komi: float
    komi_variance: float


def dealt_to_dealer() -> Dealt:
    """The dealer's jacks and komi in one deal, worked out exactly.

    Not half of them: a jack or the komi among the floor's four goes under the stock, and from
    there into the dealer's last hand (rules, A deal 2 and 4). Let m of the 5 come up before four
    other cards do, which happens with C(m+3, 3) · 5·…·(6−m) · 47·46·45·44 / (52·…·(49−m)). The
    first four of these m lie in the dealer's last hand, a fifth would go to the other; the
    5 − m left lie evenly on the 48 − m other places of a hand, of which 24 − m are the dealer's.
    """
    one = two = 0.0
    for m in range(6):
        chance = math.comb(m + 3, 3) * math.perm(5, m) * math.perm(47, 4) / math.perm(52, m + 4)
        sure, left, places, own = min(m, 4), 5 - m, 48 - m, 24 - m
        mean = left * own / places
        pairs = left * (left - 1) * own * (own - 1) / (places * (places - 1))
        one += chance * (sure + mean)
        two += chance * (sure * (sure - 1) + 2 * sure * mean + pairs)
    p, both = one / 5, two / 20  # that one of the five is the dealer's, that two given ones are
    return Dealt(4 * p, 4 * p * (1 - p) + 12 * (both - p * p), p, p * (1 - p))


def _normal(bound: float | None, without: float) -> float:
    """The part of the normal distribution below ``bound``."""
    return without if bound is None else math.erfc(-bound / math.sqrt(2)) / 2


DEALT = dealt_to_dealer()
