"""The expert: one answer ahead by the heuristic, and in the last batch, where whoever remembers the
open cards knows the other hand, to the end."""

from random import Random

from games.ai.endgame import exact
from games.ai.heuristic import heuristic, options
from games.engine import Observation, Play
from games.engine.deal import BATCHES


def expert(observation: Observation, rng: Random) -> Play:
    """The play of the heuristic, in the last batch the exact one.

    >>> from games.engine import PACK, Deal, observe
    >>> str(expert(observe(Deal.start(PACK, dealer=0), seat=1), Random(1)))
    'Ac'
    """
    if observation.batch < BATCHES:
        return heuristic(observation, rng)
    found = options(observation)
    return found[0 if len(found) == 1 else exact(observation, found).best].play
