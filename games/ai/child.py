"""The program of a thinking process: reads questions, thinks, answers, until nobody asks any more.

`python -m games.ai.child FD`: the number is its end of a socket pair. A question is plain data that
names one of `QUESTIONS` and its arguments, with an `Observation` and a seed in place of a
generator; the answer is `(True, what it found)` or `(False, a text)`. It knows no Django, no
database and no hidden card. It ends when the other end is closed, which a killed parent's is, too.

>>> from games.engine import PACK, Deal, observe
>>> answer(("choose", "expert", observe(Deal.start(PACK, dealer=0), seat=1), 1))
(True, Play('Ac'))
>>> answer(("sing",))
(False, "KeyError: 'sing'")
"""

import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from random import Random
from typing import Any

from games.ai.levels import choose
from games.ai.search import Thought, think
from games.engine import Observation, Play

NICENESS = 5  # whoever serves pages goes first


def _choose(level: str, observation: Observation, seed: int) -> Play:
    return choose(level, observation, Random(seed))


def _think(observation: Observation, seed: int, iterations: int, least: int) -> Thought:
    return think(observation, Random(seed), iterations, least)


QUESTIONS: dict[str, Callable[..., Any]] = {"choose": _choose, "think": _think}


def answer(question: tuple[Any, ...]) -> tuple[bool, Any]:
    """The answer to a question; a fault in thinking is an answer as well."""
    try:
        name, *arguments = question
        return True, QUESTIONS[name](*arguments)
    except Exception as error:  # the parent decides what to do about it
        return False, f"{type(error).__name__}: {error}"


def main(descriptor: int) -> None:
    """Answer until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the parent, which then closes
    os.nice(NICENESS)
    with Connection(descriptor) as asker:
        while True:
            try:
                asker.send(answer(asker.recv()))
            except (EOFError, OSError):
                return


if __name__ == "__main__":
    main(int(sys.argv[1]))
