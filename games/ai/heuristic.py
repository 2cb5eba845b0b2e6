"""The heuristic that `expert` plays by: what a play makes now, less the best answer expected.

A play scores its points and the cards that it wins, less 4 for capturing with a jack, 6 with the
komi and 7 for throwing either, less the expected best answer: the kinds that the opponent may hold,
best answer first, each weighed by the hypergeometric chance that it is the best one held. The
constants are those of an independent study of the game (`docs/house-players.md`).
"""

from math import comb
from random import Random
from typing import NamedTuple

from games.ai.kinds import JACK, KINDS, KOMI, MOST_REMEMBERED, WAYS, Way, kind_of, packed
from games.ai.unseen import possible
from games.engine import Observation, Play, choices

HAND = 4
_CAPTURING = {JACK: 4, KOMI: 6}  # points that a capture with this kind is held to cost
_THROWING = 7  # … and a throw of either


class Option(NamedTuple):
    """One of the plays to choose from, with its kind and its way; those that differ only in suit
    are one."""

    play: Play
    kind: int
    way: Way


def options(observation: Observation) -> list[Option]:
    """The viewer's plays, one for each kind and way: by kind, then as `games.engine.choices` has
    them."""
    floor = packed(observation.floor)
    cards = {kind_of(card): card for card in sorted(observation.hand, reverse=True)}
    return [
        Option(Play(cards[kind], capture), kind, way)
        for kind in sorted(cards)
        for capture, way in zip(
            choices(observation.floor, cards[kind]), WAYS[floor | kind], strict=True
        )
    ]


class _Answers(dict[int, tuple[tuple[int, int], ...]]):
    def __missing__(self, floor: int) -> tuple[tuple[int, int], ...]:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        found = []
        for kind in KINDS:
            best = max(way.points + way.cards for way in WAYS[floor | kind])
            value = best - _CAPTURING.get(kind, 0)
            if best and value > 0:
                found.append((value, 4 * kind))
        found.sort(reverse=True)
        answers = self[floor] = tuple(found)
        return answers


_ANSWERS = _Answers()  # by floor: (points + cards − its cost, shift of the kind), best first


def _none_held(unseen: int, good: int, hand: int) -> float:
    return comb(unseen - good, hand) / comb(unseen, hand)


_NONE_HELD = tuple(
    tuple(tuple(_none_held(n, good, min(hand, n)) for good in range(n + 1)) for n in range(53))
    for hand in range(HAND + 1)
)


def none_held(unseen: int, good: int, hand: int) -> float:
    """The chance that a hand of `hand` cards, out of `unseen`, holds none of `good` of them.

    >>> none_held(4, 2, 1), none_held(4, 2, 3)
    (0.5, 0.0)
    """
    return _NONE_HELD[hand][unseen][good]


def expected_answer(floor: int, unseen: int, count: int, hand: int) -> float:
    """The best answer to be expected on a floor, in points, from a hand of `hand` cards (4 at the
    most) drawn from the vector `unseen` of `count` cards."""
    chances = _NONE_HELD[hand][count]
    total, missed, good = 0.0, 1.0, 0
    for value, shift in _ANSWERS[floor]:
        here = unseen >> shift & 15
        if here:
            good += here
            none = chances[good]
            total += value * (missed - none)
            missed = none
            if not none:
                break
    return total


def mean_answer(floor: int, unseen: int, count: int) -> float:
    """What a card out of the vector `unseen` of `count` cards can answer on a floor, on average, in
    points."""
    return sum([value * (unseen >> shift & 15) for value, shift in _ANSWERS[floor]]) / max(1, count)


def score(kind: int, way: Way, unseen: int, count: int, hand: int) -> float:
    """How good it is to play `kind` this way, in points, against a hand of `hand` cards out of the
    vector `unseen` of `count`."""
    cost = 0
    if kind in _CAPTURING:
        cost = _CAPTURING[kind] if way.cards else _THROWING
    return way.points + way.cards - cost - expected_answer(way.floor, unseen, count, hand)


def scores(observation: Observation, found: list[Option]) -> list[float]:
    """How good each of these plays is, in points. After a batch's last play it is a fresh hand
    that answers."""
    cards = possible(observation)
    hand = observation.hand_counts[1 - observation.seat] if observation.seat is not None else 0
    if not hand and observation.stock_count:
        hand = HAND
    unseen, count = packed(cards), len(cards)
    return [score(option.kind, option.way, unseen, count, hand) for option in found]


def heuristic(observation: Observation, rng: Random) -> Play:
    """The play that scores best; what is equal is drawn from `rng`.

    >>> from games.engine import PACK, Deal, observe
    >>> str(heuristic(observe(Deal.start(PACK, dealer=0), seat=1), Random(1)))
    'Ac'
    """
    found = options(observation)
    if len(found) == 1:
        return found[0].play
    values = scores(observation, found)
    best = [option for option, value in zip(found, values, strict=True) if value == max(values)]
    return (best[0] if len(best) == 1 else rng.choice(best)).play
