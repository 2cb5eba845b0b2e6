"""Sockets. They relay: what changed comes in, each viewer's own view of it goes out."""

import asyncio
import time
from contextlib import suppress
from typing import Any

from channels.auth import get_user
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.template.loader import render_to_string

from games import languages
from games.models import Match, Player
from games.rendering import presence_fragment, table_fragment
from games.selectors.matches import match_to_go_to
from games.services import presence
from games.services.publish import player_group, session_group

WATCHER_SECONDS = 1.0
PING, PONG = "ping", "<i></i>"
MESSAGES, WITHIN_SECONDS = 20, 10

# Close codes: a server may choose from 4000 on.
LOGGED_OUT, NOT_FOUND, BREACH = 4401, 4404, 4408


class ViewerConsumer(AsyncWebsocketConsumer):
    """A socket of one viewer, open as long as the session that opened it."""

    groups: list[str]
    upkeep: asyncio.Task[None] | None = None

    @property
    def viewer(self) -> Player | None:
        """The player who is logged in, or None for a stranger."""
        user = self.scope["user"]
        return user if user.is_authenticated else None

    @property
    def language(self) -> str:
        """The reader's language, the same as on the page that opened the socket."""
        headers = dict(self.scope.get("headers", []))
        wish = headers.get(b"accept-language", b"").decode("latin-1")
        return languages.of_reader(self.viewer, self.scope.get("cookies", {}), wish)

    async def join(self, *groups: str) -> None:
        """Join ``groups``, and those that tell of the end of this session."""
        self.heard = []
        if self.viewer is not None:
            key = self.scope["session"].session_key
            groups = (*groups, player_group(self.viewer.pk), session_group(key))
        self.groups = list(groups)
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)

    async def keep_up(self) -> None:
        """Every ten seconds: is the session still there; a person is online; and ``renew``."""
        while True:
            if self.viewer is not None and self.viewer.is_person:
                await database_sync_to_async(presence.show_online)(self.viewer.pk)
            await asyncio.sleep(presence.RENEW_SECONDS)
            if not await self.is_still_me():
                await self.session_ended({})
                return
            await self.renew()

    async def is_still_me(self) -> bool:
        """Is the session there, and still its player's? A stranger's needs none."""
        if self.viewer is None:
            return True
        session = self.scope["session"]
        there = await database_sync_to_async(session.exists)(session.session_key)
        return there and (await get_user(self.scope)) == self.viewer

    async def renew(self) -> None:
        """What else is renewed with the session."""

    async def disconnect(self, code: int) -> None:
        if self.upkeep is not None:
            self.upkeep.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """A ping is all that a socket takes: plays are posted. Who sends more is cut off."""
        now = time.monotonic()
        self.heard = [at for at in self.heard if at > now - WITHIN_SECONDS] + [now]
        if text_data != PING or len(self.heard) > MESSAGES:
            await self.close(code=BREACH)
            return
        await self.send(text_data=PONG)

    async def session_ended(self, event: dict[str, Any]) -> None:
        """Logged out, suspended, closed or expired: this socket is nobody's any more."""
        await self.close(code=LOGGED_OUT)

    async def player_called(self, event: dict[str, Any]) -> None:
        """A ranked match of the viewer's begins."""
        await self.send(text_data=render_to_string("games/call.html", {"match_id": event["match"]}))

    async def player_news(self, event: dict[str, Any]) -> None:
        """There is news for the viewer: the page asks for what it shows of it."""
        await self.send(text_data=f'<i data-news="{event["topics"]}"></i>')


class TableConsumer(ViewerConsumer):
    """Sends the table of one match, on connecting and whenever it changes.

    A watcher gets one frame a second at most, always the newest.
    """

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        self.sent_at = 0.0
        self.later: asyncio.Task[None] | None = None
        self.seat: int | None = None
        await self.join(f"match.{self.match_id}")
        try:
            html, self.seat = await self.table()
        except Match.DoesNotExist:
            await self.close(code=NOT_FOUND)
            return
        await self.accept()
        await self.show(html)
        if self.seat is not None:
            await database_sync_to_async(presence.arrive)(**self.lease, seat=self.seat)
        self.upkeep = asyncio.create_task(self.keep_up())

    @property
    def lease(self) -> dict[str, str]:
        """What tells this socket's lease."""
        return {"channel": self.channel_name, "match_id": self.match_id}

    async def renew(self) -> None:
        if self.seat is not None:
            await database_sync_to_async(presence.renew)(**self.lease, seat=self.seat)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.later is not None:
            self.later.cancel()
        if self.seat is not None:
            await database_sync_to_async(presence.leave)(**self.lease)

    async def match_changed(self, event: dict[str, Any]) -> None:
        """The match has a new version: send it now, or, to a watcher, when its second is over."""
        interval = WATCHER_SECONDS if self.seat is None else 0
        wait = self.sent_at + interval - time.monotonic()
        if wait <= 0:
            await self.refresh()
        elif self.later is None or self.later.done():
            self.later = asyncio.create_task(self.refresh(wait))

    async def presence_changed(self, event: dict[str, Any]) -> None:
        """Somebody came or went: that lies beside the table, and has no version."""
        with suppress(Match.DoesNotExist):
            html = await database_sync_to_async(presence_fragment)(
                self.match_id, self.viewer, self.language
            )
            await self.send(text_data=html)

    async def refresh(self, wait: float = 0) -> None:
        """Send the table as it is, after ``wait`` seconds."""
        await asyncio.sleep(wait)
        html, _seat = await self.table()
        await self.show(html)

    async def show(self, html: str) -> None:
        self.sent_at = time.monotonic()
        await self.send(text_data=html)

    @database_sync_to_async
    def table(self) -> tuple[str, int | None]:
        return table_fragment(self.match_id, self.viewer, self.language)


class OwnConsumer(ViewerConsumer):
    """What concerns the viewer, on any page but a table: news, and the call to a table."""

    async def connect(self) -> None:
        if self.viewer is None:
            await self.close(code=LOGGED_OUT)
            return
        await self.join()
        await self.accept()
        match = await database_sync_to_async(match_to_go_to)(self.viewer)
        if match is not None:
            await self.player_called({"match": match.pk})
        self.upkeep = asyncio.create_task(self.keep_up())


class NowhereConsumer(AsyncWebsocketConsumer):
    """An address at which there is no socket: closed before it opens."""

    async def connect(self) -> None:
        await self.close(code=NOT_FOUND)
