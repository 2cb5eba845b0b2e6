"""Thinking outside this process: strong house players, hints and reviews, in children of their own,
so that no thought holds the interpreter that serves pages and sockets.

A child gets an Observation and a seed, never a hidden card, and gives a play or a thought
(``games.ai.child``). It is started when it is first needed, started again when it has died, killed
when it takes too long, and ends when this process does, however that ends.
"""

import atexit
import logging
import os
import queue
import secrets
import socket
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256
from multiprocessing.connection import Connection
from random import Random
from typing import Any

from django.conf import settings

from games import ai
from games.ai.search import ITERATIONS, Thought
from games.engine import Observation, Play
from games.models import Level

log = logging.getLogger(__name__)

LIMIT = 2.5  # seconds for one thought, starting a child and waiting for a free one included
DEEP = {Level.EXPERT: Level.REGULAR, Level.MASTER: Level.EXPERT}
"""The levels that think in a child, and who plays in their place when that fails."""


class NoAnswer(Exception):
    """A thought that did not come: the child died, was too slow or could not think."""


class Thinker:
    """One child, or the place for one. Not for two threads at once."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None

    def ask(self, question: tuple[Any, ...], seconds: float) -> Any:
        """The child's answer. Raises NoAnswer; the child is then gone, and the next question
        starts another."""
        if self.process is not None and self.process.poll() is not None:
            self.close()  # it died while nobody asked
        try:
            line = self._line or self._start()
            line.send(question)
            if not line.poll(max(0.0, seconds)):
                raise NoAnswer(f"no answer in {seconds:.1f} s")
            done, found = line.recv()
        except (EOFError, OSError) as error:
            self.close()
            raise NoAnswer(f"the child is gone: {error!r}") from error
        except NoAnswer:
            self.close()
            raise
        if not done:
            raise NoAnswer(found)
        return found

    def close(self) -> None:
        """End the child, if there is one."""
        if self._line is not None:
            self._line.close()
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process = self._line = None

    def forget(self) -> None:
        """Let go of the child without ending it."""
        if self._line is not None:
            self._line.close()
        self.process = self._line = None

    def _start(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            self._line = Connection(ours.detach())
            self.process = subprocess.Popen(
                [sys.executable, "-m", "games.ai.child", str(theirs.fileno())],
                cwd=settings.BASE_DIR,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        return self._line


_thinkers = [Thinker() for _place in range(settings.THINKERS)]
_free: queue.LifoQueue[Thinker] = queue.LifoQueue()  # the last used: it remembers the most
for _thinker in _thinkers:
    _free.put(_thinker)


def ask(*question: Any, limit: float | None = None) -> Any:
    """Have a child answer a question of ``games.ai.child``. Raises NoAnswer after ``limit`` seconds
    (``LIMIT``) at the latest."""
    limit = LIMIT if limit is None else limit
    until = time.monotonic() + limit
    try:
        thinker = _free.get(timeout=limit)
    except queue.Empty as error:
        raise NoAnswer(f"no free child in {limit:.1f} s") from error
    try:
        return thinker.ask(question, until - time.monotonic())
    finally:
        _free.put(thinker)


def choose(level: str, observation: Observation, seed: int | None = None) -> Play:
    """The play of the house player of that level. A strong one's is thought of in a child; if that
    fails, a weaker one plays for it here, and no match waits.

    Raises as ``games.ai.choose`` does.
    """
    seed = secrets.randbits(64) if seed is None else seed
    if level in DEEP:
        try:
            return ask("choose", str(level), observation, seed)
        except NoAnswer as error:
            log.warning("%s did not think: %s", level, error)
            level = DEEP[Level(level)]  # a moment's work
    return ai.choose(level, observation, Random(seed))


def think(
    observation: Observation,
    seed: int,
    iterations: int = ITERATIONS,
    least: int = 0,
    limit: float | None = None,
) -> Thought:
    """What ``master`` thinks of every play of the viewer, for hints and reviews; as ``ask`` does it
    raises NoAnswer. The same observation and seed give the same thought.
    """
    return ask("think", observation, seed, iterations, least, limit=limit)


def seed_of(match_id: str, number: int) -> int:
    """A seed that is the same for the same turn of a match, in every process."""
    return int.from_bytes(sha256(f"{match_id}:{number}".encode()).digest()[:8])


def close() -> None:
    """End every child; the next question starts one again."""
    for thinker in _thinkers:
        with suppress(OSError):
            thinker.close()


def _forget() -> None:
    """In a forked process: the children are the other's."""
    for thinker in _thinkers:
        thinker.forget()


atexit.register(close)
os.register_at_fork(after_in_child=_forget)
