"""The rating formula, as pure arithmetic: no storage, no clock, no players.

Arpad Elo's system (*The Rating of Chessplayers, Past and Present*, 1978): after a match the rating
becomes R + K × (score − expected score). The expected score is the logistic curve that the FIDE
Handbook (B.02, Rating Regulations) gives beside its tables, P = 1 / (1 + 10^(D/400)), taken here
without FIDE's limit of 400 points on D. K, the "development coefficient" of the same regulations,
is large for a new player and then smaller.

Ratings and K are whole points, scores are 1 for a win and 0 for a loss: a match has no draw.
"""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Final

FORMULA: Final = 1  # stored with every change; a change of anything below takes the next number
START: Final = 1500  # the rating before the first ranked match
FLOOR: Final = 100  # no rating falls below it
K_NEW: Final = 32  # for a player's first NEW_MATCHES ranked matches
K_SETTLED: Final = 16  # afterwards
NEW_MATCHES: Final = 30
PROVISIONAL_UNDER: Final = 10  # with fewer ranked matches than this a rating has no rank
SCALE: Final = 400  # points of difference that stand for odds of ten to one
_DIGITS: Final = 28


def expected_score(rating: int, opponent: int) -> Decimal:
    """The share of matches that ``rating`` should win against ``opponent``: 0 to 1.

    Source: FIDE Handbook B.02, P = 1 / (1 + 10^(D/400)), D = opponent − rating.

    >>> expected_score(1500, 1500)
    Decimal('0.5')
    >>> round(expected_score(1700, 1500), 4), round(expected_score(1500, 1700), 4)
    (Decimal('0.7597'), Decimal('0.2403'))
    """
    with localcontext(prec=_DIGITS):
        return 1 / (1 + Decimal(10) ** (Decimal(opponent - rating) / SCALE))


def k_factor(matches: int) -> int:
    """K for a player who has finished ``matches`` ranked matches before this one.

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
    """The rating after one match. ``score`` is 1 for a win, 0 for a loss; never under ``FLOOR``.

    Source: Elo (1978), R' = R + K × (W − We); the change is rounded, then added.

    >>> new_rating(1500, 1500, 1, 32), new_rating(1500, 1500, 0, 16)
    (1516, 1492)
    >>> new_rating(105, 100, 0, 32)
    100
    """
    with localcontext(prec=_DIGITS):
        change = k * (score - expected_score(rating, opponent))
    return max(FLOOR, rating + rounded(change))
