"""The lobby's socket: beside what concerns the viewer, the part of the lobby that all see alike."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from games import hall
from games.consumers import OwnConsumer
from games.hall import Hall, Shelf
from ladder.rendering import lobby_fragment

LOOK_SECONDS = 2.0  # the lobby is looked at again so often, for all who have it open


class Lobby(Hall):
    """All who have the lobby open through this process."""

    def __init__(self) -> None:
        self.live = Shelf(lobby_fragment)
        super().__init__("lobby", self.live)

    async def open(self) -> list[Coroutine[Any, Any, None]]:
        return [self._look_again()]

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.renew(self.live)


class LobbyConsumer(OwnConsumer):
    """The socket of the lobby, open to strangers too."""

    async def connect(self) -> None:
        await self.join()
        await self.accept()
        self.hall = await hall.enter("lobby", Lobby, self.as_watcher())
        if self.viewer is not None:
            await self.call()
        self.upkeep = asyncio.create_task(self.keep_up())
