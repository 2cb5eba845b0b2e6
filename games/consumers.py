"""Sockets. They relay: what changed comes in, each viewer's own view of it goes out."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from autobahn.exception import Disconnected
from channels.auth import get_user
from channels.consumer import get_handler_name
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.template.loader import render_to_string

from games import gallery, languages
from games.hall import Hall, Watcher, in_background
from games.models import Match, Player
from games.rendering import Reading, presence_fragment, table_fragment
from games.selectors.matches import missed_call
from games.selectors.table import seat_of
from games.services import presence, turns
from games.services.publish import player_group, session_group

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

PING, PONG = "ping", "<i></i>"
MESSAGES, WITHIN_SECONDS = 20, 10

# Close codes: a server may choose from 4000 on.
LOGGED_OUT, NOT_FOUND, BREACH = 4401, 4404, 4408


class ViewerConsumer(AsyncWebsocketConsumer):
    """A socket of one viewer, open as long as the session that opened it."""

    groups: list[str]
    upkeep: asyncio.Task[None] | None = None
    hall: Hall | None = None
    watcher: Watcher

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
        if self.viewer is not None:
            key = self.scope["session"].session_key
            groups = (*groups, player_group(self.viewer.pk), session_group(key))
        self.groups = list(groups)
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the socket. Pings are answered here: all that comes with a message to a method
        costs several times as much, and a thousand watchers ping four hundred times a second."""
        self.heard: list[float] = []

        async def receive_all_but_pings() -> dict[str, Any]:
            while True:
                message = await receive()
                if message.get("text") != PING or self.hears_too_much():
                    return message
                await send({"type": "websocket.send", "text": PONG})

        try:
            await super().__call__(scope, receive_all_but_pings, send)
        except Disconnected:
            pass  # the browser went while something was on its way to it: its page asks anew
        finally:
            await self.gone()

    def hears_too_much(self) -> bool:
        """Has more come from this browser than a page sends?"""
        now = time.monotonic()
        self.heard = [at for at in self.heard if at > now - WITHIN_SECONDS] + [now]
        return len(self.heard) > MESSAGES

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand ``message`` to its method, without the look at the database's connections that
        Channels takes first: most messages need none."""
        await getattr(self, get_handler_name(message))(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """Nothing but the end: what the socket held is let go of whichever way it ends."""
        raise StopConsumer

    async def gone(self) -> None:
        """The socket has ended, properly or by force."""
        if self.upkeep is not None:
            self.upkeep.cancel()
        for group in self.groups:
            await self.channel_layer.group_discard(group, self.channel_name)
        if self.hall is not None:
            await self.hall.leave(self.watcher)

    async def keep_up(self) -> None:
        """Every ten seconds renew what lapses, or close if nobody is here any more."""
        if self.viewer is None:
            return  # a stranger has nothing that lapses
        if self.viewer.is_person:
            await in_background(presence.show_online)(self.viewer.pk)
        while True:
            await asyncio.sleep(presence.RENEW_SECONDS)
            if code := await in_background(self.renew)():
                await self.close(code=code)
                return

    def renew(self) -> int:
        """The page is still open. The code to close its socket with; 0 if it may stay open."""
        if not self.is_still_me():
            return LOGGED_OUT
        if self.viewer.is_person:
            presence.show_online(self.viewer.pk)
        return 0

    def is_still_me(self) -> bool:
        """Is the session there, and still its player's?"""
        session = self.scope["session"]
        return session.exists(session.session_key) and get_user.func(self.scope) == self.viewer

    def as_watcher(self) -> Watcher:
        """This socket as one of a hall."""
        self.watcher = Watcher(
            reading=Reading.of(self.viewer, self.language),
            who=self.viewer.pk if self.viewer else self.channel_name,
            send=self.send_text,
        )
        return self.watcher

    async def send_text(self, text: str) -> None:
        await self.send(text_data=text)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """A ping is all that a socket takes: plays are posted. Who sends more is cut off."""
        await self.close(code=BREACH)

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
    """Sends the table of one match, on connecting and whenever it changes: to who holds a seat at
    once, to who watches as the gallery does."""

    seat: int | None = None

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        try:
            self.seat = await in_background(seat_of)(self.match_id, self.viewer)
        except Match.DoesNotExist:
            await self.close(code=NOT_FOUND)
            return
        await (self.watch() if self.seat is None else self.sit())
        self.upkeep = asyncio.create_task(self.keep_up())

    async def sit(self) -> None:
        """Open to who holds a seat."""
        await self.join(f"match.{self.match_id}")
        html = await self.table()
        await self.accept()
        await self.send(text_data=html)
        await database_sync_to_async(presence.arrive)(**self.lease)
        await database_sync_to_async(turns.is_at_table)(self.match_id, self.viewer)

    async def watch(self) -> None:
        """Open to who watches, with a place in the gallery."""
        await self.join()
        await self.accept()
        self.hall = await gallery.enter(self.match_id, self.as_watcher())

    @property
    def lease(self) -> dict[str, Any]:
        """What tells this socket's lease."""
        return {"channel": self.channel_name, "match_id": self.match_id, "seat": self.seat}

    def renew(self) -> int:
        if code := super().renew():
            return code
        if self.seat is not None:
            presence.renew(**self.lease)
        elif not self.may_look():
            return NOT_FOUND
        return 0

    def may_look(self) -> bool:
        """May the viewer still watch?"""
        try:
            return seat_of(self.match_id, self.viewer) is None
        except Match.DoesNotExist:
            return False

    async def gone(self) -> None:
        await super().gone()
        if self.seat is not None:
            await database_sync_to_async(presence.leave)(
                channel=self.channel_name, match_id=self.match_id
            )

    async def player_news(self, event: dict[str, Any]) -> None:
        """There is news for the viewer. That a player blocks who watches, or the other way round,
        ends the watching at once."""
        watching = self.seat is None and "people" in event["topics"].split()
        if watching and not await database_sync_to_async(self.may_look)():
            await self.close(code=NOT_FOUND)
        else:
            await super().player_news(event)

    async def match_changed(self, event: dict[str, Any]) -> None:
        """The match has a new version."""
        await self.send(text_data=await self.table())

    async def presence_changed(self, event: dict[str, Any]) -> None:
        """Somebody came or went: that lies beside the table, and has no version."""
        with suppress(Match.DoesNotExist):
            html = await database_sync_to_async(presence_fragment)(
                self.match_id, self.viewer, self.language
            )
            await self.send(text_data=html)

    @database_sync_to_async
    def table(self) -> str:
        return table_fragment(self.match_id, self.viewer, self.language)


class OwnConsumer(ViewerConsumer):
    """What concerns the viewer, on any page but a table: news, and the call to a table."""

    async def connect(self) -> None:
        if self.viewer is None:
            await self.close(code=LOGGED_OUT)
            return
        await self.join()
        await self.accept()
        await self.call()
        self.upkeep = asyncio.create_task(self.keep_up())

    async def call(self) -> None:
        """A call to a table that was missed is made up for."""
        match = await database_sync_to_async(missed_call)(self.viewer)
        if match is not None:
            await self.player_called({"match": match.pk})


class NowhereConsumer(AsyncWebsocketConsumer):
    """An address at which there is no socket: closed before it opens."""

    async def connect(self) -> None:
        await self.close(code=NOT_FOUND)
