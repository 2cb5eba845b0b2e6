"""Many sockets that are shown the same.

What they see is rendered once for all who read alike, in a thread of its own, and goes out to a few
of them at a time: a thousand of them must not come between a player's post and its answer. Nobody
gets more than one frame a second, and it is always the newest.
"""

import asyncio
import logging
import math
import time
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from channels.db import DatabaseSyncToAsync

from games.rendering import Fragment, Reading

log = logging.getLogger(__name__)

FRAME_SECONDS = 1.0  # nobody gets two frames within this time …
SLICES = 50  # … over which the sends to a full hall are spread

# Two threads, so two connections to the database, for what must not keep the players waiting.
_BACKGROUND = ThreadPoolExecutor(2, thread_name_prefix="background")
in_background = partial(DatabaseSyncToAsync, thread_sensitive=False, executor=_BACKGROUND)


@dataclass(eq=False, slots=True)
class Watcher:
    """A socket in a hall. ``who`` counts once, with however many sockets. ``sent_at`` is infinite
    while a frame is on its way.
    """

    reading: Reading
    who: Hashable
    send: Callable[[str], Awaitable[None]]
    sent_at: float = math.inf
    seen: dict["Shelf", int] = field(default_factory=lambda: defaultdict(int))


@dataclass(frozen=True, slots=True)
class _Kept:
    """A fragment, the edition that it is of, and the one in which it last became another."""

    edition: int
    changed: int
    fragment: Fragment


class Shelf:
    """The newest edition of a fragment, rendered once in each reading, however many ask at once."""

    def __init__(self, render: Callable[[Reading], Fragment]) -> None:
        self.edition = 1
        self._render = in_background(render)
        self._kept: dict[Reading, _Kept] = {}
        self._locks: dict[Reading, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def take(self, reading: Reading) -> _Kept:
        """The newest edition in that reading."""
        async with self._locks[reading]:
            kept = self._kept.get(reading)
            if kept is None or kept.edition < self.edition:
                edition = self.edition  # what changes from here on is another one
                fragment = await self._render(reading)
                same = kept is not None and kept.fragment == fragment
                kept = _Kept(edition, kept.changed if same else edition, fragment)
                self._kept[reading] = kept
        return kept


class Hall:
    """The sockets of one process that are shown the same: open from the first to the last one.

    ``watchers`` stand in the order in which they were last shown something, so those who lack what
    is new always stand before those who have it.
    """

    def __init__(self, key: Hashable, *shelves: Shelf) -> None:
        self.key = key
        self.shelves = shelves
        self.watchers: OrderedDict[Watcher, None] = OrderedDict()
        self._door = asyncio.Lock()
        self._is_open = False
        self._upkeep: list[asyncio.Task[None]] = []
        self._round: asyncio.Task[None] | None = None

    async def open(self) -> list[Coroutine[Any, Any, None]]:
        """Called before the first is shown anything: what is to run as long as anybody is here."""
        return []

    async def close(self) -> None:
        """Called when the last has gone."""

    async def enter(self, watcher: Watcher) -> None:
        """Take ``watcher`` in, and show all that there is to see."""
        self.watchers[watcher] = None
        try:
            async with self._door:
                if not self._is_open:
                    self._upkeep = [asyncio.create_task(act) for act in await self.open()]
                    self._is_open = True
            await self._show(watcher)
        except BaseException:
            await self.leave(watcher)
            raise

    async def leave(self, watcher: Watcher) -> None:
        """Let ``watcher`` go."""
        if watcher not in self.watchers:
            return
        del self.watchers[watcher]
        if not self.watchers:
            _halls.pop(self.key, None)
            for task in self._upkeep:
                task.cancel()
            await self.close()

    def renew(self, shelf: Shelf, head_start: float = 0) -> None:
        """What lies on ``shelf`` is old: a round begins, ``head_start`` seconds from now, unless
        one goes on."""
        shelf.edition += 1
        if self._round is None or self._round.done():
            self._round = asyncio.create_task(self._go_round(head_start))

    async def _go_round(self, head_start: float) -> None:
        """Show what is new until all have it: each when its second is over, a few at a time."""
        await asyncio.sleep(head_start)
        while self._next() is not None:
            for _place in range(math.ceil(len(self.watchers) / SLICES)):
                watcher = self._next()
                if watcher is None or watcher.sent_at > time.monotonic() - FRAME_SECONDS:
                    break
                try:
                    await self._show(watcher)
                except Exception:
                    log.exception("could not show %s", self.key)
                    await asyncio.sleep(FRAME_SECONDS)
            await asyncio.sleep(FRAME_SECONDS / SLICES)

    def _next(self) -> Watcher | None:
        """Who has waited longest for what is new; None if all have it."""
        first = next(iter(self.watchers), None)
        return first if first is not None and self._lacks(first) else None

    def _lacks(self, watcher: Watcher) -> bool:
        """Is there an edition that ``watcher`` has not been shown?"""
        return any(watcher.seen[shelf] < shelf.edition for shelf in self.shelves)

    async def _show(self, watcher: Watcher) -> None:
        """Send what has become another since ``watcher`` was shown it last, as one frame."""
        sent_at, watcher.sent_at = watcher.sent_at, math.inf
        frame = ""
        try:
            newest = {shelf: await shelf.take(watcher.reading) for shelf in self.shelves}
            frame = "".join(
                kept.fragment.now()
                for shelf, kept in newest.items()
                if kept.changed > watcher.seen[shelf]
            )
        finally:
            watcher.sent_at = time.monotonic() if frame else sent_at
        watcher.seen.update((shelf, kept.edition) for shelf, kept in newest.items())
        if watcher in self.watchers:
            self.watchers.move_to_end(watcher)
        if frame:
            with suppress(RuntimeError):  # closed just now: it will leave by itself
                await watcher.send(frame)


_halls: dict[Hashable, Hall] = {}


async def enter(key: Hashable, make: Callable[[], Hall], watcher: Watcher) -> Hall:
    """Show ``watcher`` into the hall of that key, made if nobody is in it yet."""
    hall = _halls.get(key)
    if hall is None:
        hall = _halls[key] = make()
    await hall.enter(watcher)
    return hall
