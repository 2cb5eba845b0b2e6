"""Sockets. They relay: what changed comes in, each viewer's own view of it goes out."""

import asyncio
import time
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from games.models import Match, Player
from games.rendering import table_fragment
from games.selectors.matches import match_to_go_to

WATCHER_SECONDS = 1.0
PING, PONG = "ping", "<i></i>"


class ViewerConsumer(AsyncWebsocketConsumer):
    """A socket of one viewer: who it is, and the language of the page that opened it."""

    @property
    def viewer(self) -> Player | None:
        """The player who is logged in, or None for a stranger."""
        user = self.scope["user"]
        return user if user.is_authenticated else None

    @property
    def language(self) -> str:
        """The reader's language: the cookie's, or the site's own."""
        wish = self.scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, "")
        try:
            return translation.get_supported_language_variant(wish)
        except LookupError:
            return settings.LANGUAGE_CODE

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing but a ping is taken from a socket: plays are posted. Who sends more is cut off."""
        if text_data != PING:
            await self.close(code=1008)
            return
        await self.send(text_data=PONG)


class TableConsumer(ViewerConsumer):
    """Sends the table of one match, on connecting and whenever it changes.

    A watcher gets one frame a second at most, always the newest.
    """

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        self.group = f"match.{self.match_id}"
        self.sent_at = 0.0
        self.later: asyncio.Task[None] | None = None
        await self.channel_layer.group_add(self.group, self.channel_name)
        try:
            html, seated = await self.table()
        except Match.DoesNotExist:
            await self.close(code=4404)
            return
        self.interval = 0.0 if seated else WATCHER_SECONDS
        await self.accept()
        await self.show(html)

    async def disconnect(self, code: int) -> None:
        if self.later is not None:
            self.later.cancel()
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def match_changed(self, event: dict[str, Any]) -> None:
        """The match has a new version: send it now, or, to a watcher, when its second is over."""
        wait = self.sent_at + self.interval - time.monotonic()
        if wait <= 0:
            await self.refresh()
        elif self.later is None or self.later.done():
            self.later = asyncio.create_task(self.refresh(wait))

    async def refresh(self, wait: float = 0) -> None:
        """Send the table as it is, after ``wait`` seconds."""
        await asyncio.sleep(wait)
        html, _seated = await self.table()
        await self.show(html)

    async def show(self, html: str) -> None:
        self.sent_at = time.monotonic()
        await self.send(text_data=html)

    @database_sync_to_async
    def table(self) -> tuple[str, bool]:
        return table_fragment(self.match_id, self.viewer, self.language)


class LobbyConsumer(ViewerConsumer):
    """Calls a waiting player to the table."""

    async def connect(self) -> None:
        if self.viewer is None:
            await self.close(code=4401)
            return
        self.group = f"player.{self.viewer.pk}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        match = await database_sync_to_async(match_to_go_to)(self.viewer)
        if match is not None:
            await self.player_called({"match": match.pk})

    async def disconnect(self, code: int) -> None:
        if self.viewer is not None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def player_called(self, event: dict[str, Any]) -> None:
        """Send the call: the page goes to the table."""
        html = render_to_string("games/call.html", {"match_id": event["match"]})
        await self.send(text_data=html)
