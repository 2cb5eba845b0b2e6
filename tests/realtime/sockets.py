"""Sockets as the tests open them."""

from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from basra_site.asgi import application
from games.models import Match
from tests.factories import dealt, person, play_on

HOME = settings.SITE_URL.encode()


@database_sync_to_async
def session_of(player) -> bytes:
    client = Client()
    if player:
        client.force_login(player)
    return "; ".join(f"{k}={v.value}" for k, v in client.cookies.items()).encode()


async def socket(
    path: str, player=None, origin: bytes | None = HOME, cookies: bytes = b""
) -> WebsocketCommunicator:
    headers = [(b"cookie", cookies or await session_of(player))]
    if origin is not None:
        headers.append((b"origin", origin))
    return WebsocketCommunicator(application, path, headers)


make = database_sync_to_async(dealt)
advance = database_sync_to_async(play_on)
a_person = database_sync_to_async(person)


@database_sync_to_async
def seats(match: Match) -> list:
    return [seat.player for seat in match.seats.select_related("player")]


async def frame_with(opened: WebsocketCommunicator, text: str) -> str:
    """The next frame that holds ``text``; those before it are passed over."""
    while True:
        frame = await opened.receive_from(timeout=5)
        if text in frame:
            return frame


async def closed(opened: WebsocketCommunicator) -> int:
    """The code with which the socket closes."""
    while True:
        output = await opened.receive_output(timeout=5)
        if output["type"] == "websocket.close":
            return output["code"]


async def opened_by(match: Match, player: object, **how: object) -> WebsocketCommunicator:
    """A socket of ``player`` at the table, its first frame read."""
    one = await socket(f"/ws/games/{match.id}/", player, **how)
    assert (await one.connect())[0]
    await frame_with(one, 'id="table"')
    return one
