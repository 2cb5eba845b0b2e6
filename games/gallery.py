"""Those who watch a match through this process, and how many they are.

However many, they are one member of the match's group. The players' own sockets come first.
"""

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from functools import partial
from typing import Any

from channels.layers import get_channel_layer

from games import hall
from games.hall import Hall, Shelf, Watcher, in_background
from games.rendering import watched_presence_fragment, watched_table_fragment
from games.services import presence

log = logging.getLogger(__name__)

HEAD_START = 0.2  # seconds that the players' own sockets are ahead
COUNT_SECONDS = 3.0
PROCESS = secrets.token_hex(8)


class Gallery(Hall):
    """All who watch one match through this process."""

    def __init__(self, match_id: str) -> None:
        self.match_id = match_id
        self.table = Shelf(partial(watched_table_fragment, match_id))
        self.presence = Shelf(partial(watched_presence_fragment, match_id))
        self._layer = get_channel_layer()
        self._channel = ""
        self._telling: asyncio.Task[None] | None = None
        super().__init__(("match", match_id), self.table, self.presence)

    async def open(self) -> list[Coroutine[Any, Any, None]]:
        self._channel = await self._layer.new_channel()
        await self._layer.group_add(f"match.{self.match_id}", self._channel)
        return [self._listen(), self._count()]

    async def close(self) -> None:
        if self._channel:
            await self._layer.group_discard(f"match.{self.match_id}", self._channel)
        await self._tell_count()

    async def _listen(self) -> None:
        shelves = {"match.changed": self.table, "presence.changed": self.presence}
        while True:
            message = await self._layer.receive(self._channel)
            if shelf := shelves.get(message["type"]):
                self.renew(shelf, HEAD_START)

    async def _count(self) -> None:
        """Say how many watch here, at once and then every few seconds."""
        while True:
            try:
                await self._tell_count()
            except Exception:
                log.exception("could not count who watches %s", self.match_id)
            await asyncio.sleep(COUNT_SECONDS)

    async def _tell_count(self) -> None:
        """Whoever is called off leaves a thread at work: the last word must not be overtaken."""
        if self._telling is not None:
            await asyncio.wait({self._telling})
        count = len({watcher.who for watcher in self.watchers})
        tell = in_background(presence.show_audience)
        self._telling = asyncio.ensure_future(tell(self.match_id, PROCESS, count))
        await asyncio.shield(self._telling)


async def enter(match_id: str, watcher: Watcher) -> Hall:
    """Show ``watcher`` into the gallery of a match."""
    return await hall.enter(("match", match_id), partial(Gallery, match_id), watcher)
