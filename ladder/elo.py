"""The rating formula, as pure arithmetic: no storage, no clock, no players.

Arpad Elo's system (*The Rating of Chessplayers, Past and Present*, 1978): after a match the rating
becomes R + K × (score − expected score). The expected score is the logistic curve of the same book,
P = 1 / (1 + 10^(D/400)), which the US Chess Federation rates by. FIDE (Handbook, B.02) rates by a
table of two digits from the normal distribution, which never differs from it by 0.02, and limits D
to 400 points; neither is done here. K, the "development coefficient" of FIDE's regulations, is
large for a new player and then smaller.

Ratings and K are whole points, scores are 1 for a win and 0 for a loss: a match has no draw. The
reasons for the constants are in ``docs/ladder.md``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from typing import Final

FORMULA: Final = 1  # stored with every change; a change of anything below takes the next number
START: Final = 1500  # the rating before the first match of a pool
FLOOR: Final = 100  # no match takes a rating below it
K_NEW: Final = 32  # for a player's first NEW_MATCHES matches of a pool
K_SETTLED: Final = 16  # afterwards
NEW_MATCHES: Final = 30
PROVISIONAL_UNDER: Final = 10  # with fewer matches than this a rating has no rank
SCALE: Final = 400  # points of difference that stand for odds of ten to one

CAP: Final = 100  # what a settled player can gain from new accounts …
CAP_HOURS: Final = 24  # … in any so many hours
NEW_ACCOUNT_UNDER: Final = 10  # with fewer ranked matches than this an account is new

HOUSE_SHARES: Final[Mapping[str, float]] = {
    "novice": 0.122,
    "casual": 0.276,
    "regular": 0.5,
    "expert": 0.811,
    "master": 0.921,
}
"""The share of matches to 101 that each house player won against the regular one, as measured."""

_DIGITS: Final = 28


def expected_score(rating: int, opponent: int) -> Decimal:
    """The share of matches that ``rating`` should win against ``opponent``: 0 to 1.

    Source: Elo (1978), P = 1 / (1 + 10^(D/400)), D = opponent − rating.

    >>> expected_score(1500, 1500)
    Decimal('0.5')
    >>> round(expected_score(1700, 1500), 4), round(expected_score(1500, 1700), 4)
    (Decimal('0.7597'), Decimal('0.2403'))
    """
    return _expected(opponent - rating)


@lru_cache(maxsize=8192)  # a power of 28 digits is slow, and differences are few
def _expected(difference: int) -> Decimal:
    with localcontext(prec=_DIGITS):
        return 1 / (1 + Decimal(10) ** (Decimal(difference) / SCALE))


def k_factor(matches: int) -> int:
    """K for a player who has finished ``matches`` matches of the pool before this one.

    Source: the two steps of FIDE Handbook B.02 ("until he has completed … at least 30 games").

    >>> k_factor(0), k_factor(29), k_factor(30)
    (32, 32, 16)
    """
    return K_NEW if matches < NEW_MATCHES else K_SETTLED


def rounded(points: Decimal) -> int:
    """The nearest whole number; a half goes away from zero, so that both signs are alike.

    >>> rounded(Decimal("7.5")), rounded(Decimal("-7.5")), rounded(Decimal("-7.49"))
    (8, -8, -7)
    """
    return int(points.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def new_rating(rating: int, opponent: int, score: int, k: int) -> int:
    """The rating after one match. ``score`` is 1 for a win, 0 for a loss.

    A loss ends at ``FLOOR`` at the lowest. Who is below it already, as only an annulment can bring
    about, loses nothing more. Source: Elo (1978), R' = R + K × (W − We); the change is rounded,
    then added.

    >>> new_rating(1500, 1500, 1, 32), new_rating(1500, 1500, 0, 16)
    (1516, 1492)
    >>> new_rating(105, 100, 0, 32), new_rating(90, 100, 0, 32)
    (100, 90)
    """
    with localcontext(prec=_DIGITS):
        change = k * (score - expected_score(rating, opponent))
    return max(min(rating, FLOOR), rating + rounded(change))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a match does to one side: ``after`` is the rating, with ``cut`` taken off the gain."""

    k: int
    expected: Decimal
    after: int
    cut: int


def outcome(
    rating: int,
    opponent: int,
    score: int,
    *,
    matches: int,
    opponent_matches: int | None,
    gained: int = 0,
) -> Outcome:
    """What a match does to a side of this ``rating`` after so many ``matches`` of the pool.

    ``gained``: what the cap counts of the ``CAP_HOURS`` before.

    >>> outcome(1500, 1500, 1, matches=30, opponent_matches=9, gained=97)
    Outcome(k=16, expected=Decimal('0.5'), after=1503, cut=5)
    """
    k = k_factor(matches)
    after = new_rating(rating, opponent, score, k)
    off = cut(after - rating, gained) if is_capped(matches, opponent_matches) else 0
    return Outcome(k, expected_score(rating, opponent), after - off, off)


def is_new_account(matches: int | None) -> bool:
    """Is somebody of so many ranked matches new? None is a house player, who is no account."""
    return matches is not None and matches < NEW_ACCOUNT_UNDER


def is_capped(matches: int, opponent_matches: int | None) -> bool:
    """Is what a player of ``matches`` gains from one of ``opponent_matches`` limited?

    >>> is_capped(30, 9), is_capped(29, 9), is_capped(30, 10), is_capped(30, None)
    (True, False, False, False)
    """
    return matches >= NEW_MATCHES and is_new_account(opponent_matches)


def cut(gain: int, gained: int) -> int:
    """What the cap takes off ``gain``, after ``gained`` points in the ``CAP_HOURS`` before.

    >>> cut(8, 0), cut(8, 95), cut(8, 100), cut(-8, 100)
    (0, 3, 8, 0)
    """
    return max(0, gain - max(0, CAP - gained))


def difference(share: float) -> int:
    """The rating points between two of whom the first wins ``share`` of the matches: the inverse
    of the expected score.

    >>> difference(0.5), difference(0.122), difference(0.276)
    (0, -343, -168)
    """
    with localcontext(prec=_DIGITS):
        won = Decimal(str(share))
        return rounded(SCALE * (won / (1 - won)).log10())


HOUSE: Final[Mapping[str, int]] = {
    level: START + difference(share) for level, share in HOUSE_SHARES.items()
}
"""The fixed rating of each house player, by level: the regular one stands at the start."""
