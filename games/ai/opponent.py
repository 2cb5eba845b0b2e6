"""What an opponent who sees public cards only would do: how likely each kind is to be played, and
how likely each hand is after what has been played out of it.

Without it the opponent in a search tree would play against the thinker's real hand, which no
opponent sees. The model is half a careful player, who weighs each answer as the heuristic does,
and half a greedy one, who takes what is worth most now and else throws what gives least. Source of
the careful half and its constants, and what the greedy half brings: `docs/house-players.md`.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import comb, exp, prod
from typing import NamedTuple

from games.ai.heuristic import HAND, mean_answer, score
from games.ai.kinds import ONE, SIZE, WAYS, Way, held, kind_of, packed
from games.ai.unseen import unseen
from games.engine import Observation
from games.engine.deal import PLAYS_IN_A_BATCH

SOFTNESS = 1.25  # points: how much worse a play must be to be e times as rare
SLIP = 0.03  # of plays made without a thought
GREED = 0.5  # of the others: made without a thought for what comes next
_SHARPNESS = 2.0  # of the greedy half: points and cards, less what is given, in its exponent
_NEVER, _RAREST = -1e9, 1e-12

Hand = tuple[int, ...]
"""The kinds of some cards, in any order."""


class Table(NamedTuple):
    """For each kind, 0 to 14, on one floor: its weights to a careful and to a greedy player (0 for
    what cannot be held), and its best way."""

    careful: tuple[float, ...]
    greedy: tuple[float, ...]
    ways: tuple[Way | None, ...]

    def chance(self, kind: int, kinds: Sequence[int]) -> float:
        """How likely `kind` is to be played out of a hand of just these different kinds."""
        careful, greedy = self.careful, self.greedy
        cared = careful[kind] / sum([careful[other] for other in kinds])
        grasped = greedy[kind] / sum([greedy[other] for other in kinds])
        return (1 - SLIP) * ((1 - GREED) * cared + GREED * grasped) + SLIP / len(kinds)


def table(floor: int, hidden: int, answer: int) -> Table:
    """The model on a floor. `hidden` is the vector of all that is not public: both hands and the
    stock; `answer` is how many cards whoever answers holds."""
    count = SIZE[hidden] - 1
    careful, greedy = [_NEVER] * 15, [_NEVER] * 15
    best: list[Way | None] = [None] * 15
    for kind, _count in held(hidden):
        rest = hidden - ONE[kind]
        for way in WAYS[floor | kind]:
            worth = score(kind, way, rest, count, answer)
            if worth > careful[kind]:
                careful[kind], best[kind] = worth, way
                greedy[kind] = way.points + way.cards - mean_answer(way.floor, rest, count)
    return Table(_weights(careful, 1 / SOFTNESS), _weights(greedy, _SHARPNESS), tuple(best))


def _weights(values: list[float], sharpness: float) -> tuple[float, ...]:
    """How much rarer each is than the best one; never so rare that it is nothing."""
    top = max(values)
    return tuple(
        max(exp(sharpness * (value - top)), _RAREST) if value > _NEVER else 0.0 for value in values
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
