"""What an opponent who sees public cards only would do: how likely each kind is to be played, and
how likely each hand is after what has been played out of it.

Without it the opponent in a search tree would play against the thinker's real hand, which no
opponent sees. Source of the form and the constants: `docs/house-players.md`.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb, exp, prod
from typing import NamedTuple

from games.ai.heuristic import HAND, score
from games.ai.kinds import ONE, SIZE, WAYS, Way, held, kind_of, packed
from games.ai.unseen import unseen
from games.engine import Observation
from games.engine.deal import PLAYS_IN_A_BATCH

SOFTNESS = 1.25  # points: how much worse a play must be to be e times as rare
SLIP = 0.03  # of plays made without a thought

Hand = tuple[int, ...]
"""The kinds of some cards, in any order."""


class Table(NamedTuple):
    """For each kind, 0 to 14, on one floor: its weight (0 for what cannot be held), and its best
    way."""

    weights: tuple[float, ...]
    ways: tuple[Way | None, ...]

    def chance(self, kind: int, kinds: Sequence[int]) -> float:
        """How likely `kind` is to be played out of a hand of just these different kinds."""
        weights = self.weights
        total = sum([weights[other] for other in kinds])
        return (1 - SLIP) * weights[kind] / total + SLIP / len(kinds)


def table(floor: int, hidden: int, answer: int) -> Table:
    """The model on a floor. `hidden` is the vector of all that is not public: both hands and the
    stock; `answer` is how many cards whoever answers holds."""
    count = SIZE[hidden] - 1
    values, best = [0.0] * 15, [None] * 15  # type: list[float], list[Way | None]
    top = -1e9
    for kind, _count in held(hidden):
        rest = hidden - ONE[kind]
        chosen, value = None, -1e9
        for way in WAYS[floor | kind]:
            worth = score(kind, way, rest, count, answer)
            if worth > value:
                chosen, value = way, worth
        values[kind], best[kind] = value, chosen
        top = max(top, value)
    return Table(
        tuple(
            exp((value - top) / SOFTNESS) if way else 0.0
            for value, way in zip(values, best, strict=True)
        ),
        tuple(best),
    )


class Past(NamedTuple):
    """A play that the opponent has made in this batch: its kind, and the model's table then."""

    kind: int
    table: Table


def past_plays(observation: Observation) -> list[Past]:
    """The plays of this batch by the viewer's opponent, in order."""
    begun = PLAYS_IN_A_BATCH * (observation.batch - 1)
    floor = packed(observation.opening)
    # What the public did not see when the batch began: what either hand has played since, too.
    played = packed(turn.play.card for turn in observation.history[begun:])
    hidden = packed(observation.hand) + packed(unseen(observation)) + played
    found = []
    for number, turn in enumerate(observation.history):
        kind = kind_of(turn.play.card)
        if number >= begun:
            if turn.seat != observation.seat:
                left = HAND - (number - begun + 1) // 2  # whoever answers has played that often
                found.append(Past(kind, table(floor, hidden, left or HAND)))
            hidden -= ONE[kind]
        capture = turn.play.capture
        floor += -packed(capture) if capture else ONE[kind]
    return found


def likelihood(hand: Hand, past: list[Past]) -> float:
    """How likely the plays of this batch were out of what is now `hand` and was more."""
    chance, kinds = 1.0, sorted(set(hand))
    for play in reversed(past):
        if play.kind not in kinds:
            kinds.append(play.kind)
        chance *= play.table.chance(play.kind, kinds)
    return chance


def hands(pool: int, count: int, past: list[Past]) -> list[tuple[Hand, float]]:
    """Every hand of `count` cards out of the vector `pool`, as different kinds go, and how likely
    it is: the ways to draw it, times the likelihood of `past`; not scaled to one.

    >>> hands(ONE[3] + ONE[3] + ONE[12], 2, [])
    [((3, 3), 1.0), ((3, 12), 2.0)]
    """
    counts = dict(held(pool))
    found = []
    for hand in combinations_with_replacement(counts, count):
        ways = prod([comb(counts[kind], hand.count(kind)) for kind in set(hand)])
        if ways:
            found.append((hand, ways * likelihood(hand, past)))
    return found
