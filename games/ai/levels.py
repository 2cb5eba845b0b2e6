"""The levels of the house players, weakest first; a new level is one entry in `PLAYERS`."""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from games.ai.expert import expert
from games.ai.greedy import greedy, plays
from games.ai.search import master
from games.engine import Malformed, NotNow, Observation, Play

Player = Callable[[Observation, Random], Play]
"""A house player: sees an `Observation` on its own turn, and draws only from the generator."""


def random_play(observation: Observation, rng: Random) -> Play:
    """Any of the legal plays, each as likely; those that differ only in suit count as one.

    >>> from games.engine import PACK, Deal, observe
    >>> str(random_play(observe(Deal.start(PACK, dealer=0), seat=1), Random(7)))
    'Ah'
    """
    return rng.choice(plays(observation))


def careless(at_random: float) -> Player:
    """A player that plays at random that often (0 to 1), and is greedy otherwise.

    >>> from games.engine import PACK, Deal, observe
    >>> view = observe(Deal.start(PACK, dealer=0), seat=1)
    >>> careless(1.0)(view, Random(3)) in plays(view)
    True
    """

    def player(observation: Observation, rng: Random) -> Play:
        chosen = random_play if rng.random() < at_random else greedy
        return chosen(observation, rng)

    return player


PLAYERS: Mapping[str, Player] = MappingProxyType(
    {
        "novice": careless(0.8),
        "casual": careless(0.4),
        "regular": greedy,
        "expert": expert,
        "master": master,
    }
)
LEVELS: tuple[str, ...] = tuple(PLAYERS)


def choose(level: str, observation: Observation, rng: Random) -> Play:
    """The play of the house player of that level, always a legal one.

    The same observation and a generator in the same state give the same play. Raises `Malformed`
    for an unknown level, `NotNow` if it is not the turn of the viewer.

    >>> from games.engine import PACK, Deal, observe
    >>> deal = Deal.start(PACK, dealer=0)
    >>> choose("regular", observe(deal, seat=1), Random(1)) in deal.legal()
    True
    >>> choose("regular", observe(deal, seat=0), Random(1))
    Traceback (most recent call last):
    games.engine.errors.NotNow: it is not the turn of this player
    """
    player = PLAYERS.get(level)
    if player is None:
        raise Malformed(f"no such level: {level[:20]!r}")
    if observation.seat is None or observation.seat != observation.turn:
        raise NotNow("it is not the turn of this player")
    return player(observation, rng)
