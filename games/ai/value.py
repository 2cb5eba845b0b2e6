"""What a position is worth when a batch is over and more are to come: the static value.

Source: an independent study of the game (`docs/house-players.md`). The card lead then moves as a
normal variable does, so the thirty points for most cards are worth what the normal curve says.
"""

from math import erf, sqrt

from games.ai.heuristic import HAND, none_held
from games.ai.kinds import KINDS, MOST_REMEMBERED, SIZE, WAYS

_MAJORITY, _BASRA = 30, 10
_LEADER_LOSES = 3  # cards that whoever leads the batches is behind at the end
# How far the cards won still move, in cards, after batch 1 to 5: a standard deviation.
_SPREAD = (0.0, 10.9, 9.9, 8.9, 7.7, 6.3)
_MOST_HALVES = 2 * 52 + 52
_WORTH = tuple(
    tuple(
        _MAJORITY * erf((halves / 2 - _LEADER_LOSES) / spread / sqrt(2))
        for halves in range(-_MOST_HALVES, _MOST_HALVES + 1)
    )
    if spread
    else ()
    for spread in _SPREAD
)


class _BasraKinds(dict[int, tuple[int, ...]]):
    def __missing__(self, floor: int) -> tuple[int, ...]:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        kinds = [kind for kind in KINDS if any(way.points for way in WAYS[floor | kind])]
        found = self[floor] = tuple(4 * kind for kind in kinds)
        return found


_BASRA_KINDS = _BasraKinds()


def static_value(batch: int, floor: int, lead: int, rest: int, count: int) -> float:
    """Points that whoever leads the next batch may expect to win the deal by from here on, made
    points left out, when `batch` (1 to 5) is over. `lead` is his lead in cards, `rest` the vector
    of the `count` cards that his next hand is drawn from.

    >>> from games.ai.kinds import ONE
    >>> rest = ONE[2] * 4
    >>> round(static_value(5, 0, 3, rest, 4)), round(static_value(5, ONE[2], 3, rest, 4))
    (0, 12)
    """
    value = _WORTH[batch][2 * lead + SIZE[floor] + _MOST_HALVES]
    good = 0
    for shift in _BASRA_KINDS[floor]:
        good += rest >> shift & 15
    return value + _BASRA * (1 - none_held(count, good, HAND)) if good else value
