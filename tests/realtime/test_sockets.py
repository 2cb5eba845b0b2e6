"""What goes over the sockets, and who may open one."""

import asyncio

import pytest
from autobahn.exception import Disconnected
from channels.db import database_sync_to_async

from basra_site.asgi import application
from games import consumers
from games.models import Kind, Match
from games.services import play
from games.services.publish import call_to_table
from ladder.services import pairing
from tests.factories import dealt, house
from tests.realtime.sockets import (
    a_person,
    advance,
    closed,
    frame_with,
    make,
    seats,
    socket,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


async def test_on_connecting_the_current_table_comes():
    match = await make()
    opened = await socket(f"/ws/games/{match.id}/", (await seats(match))[0])
    assert (await opened.connect())[0]
    frame = await opened.receive_from()
    assert f'data-version="{match.version}"' in frame
    assert 'data-seat="0"' in frame
    assert "hx-swap-oob" in frame
    await opened.disconnect()


async def test_a_play_reaches_both_seats_each_with_its_own_hand():
    match = await make()
    opened = [await socket(f"/ws/games/{match.id}/", player) for player in await seats(match)]
    for one in opened:
        await one.connect()
        await one.receive_from()
    after = await advance(match, 1)
    frames = [await frame_with(one, f'data-version="{after.version}"') for one in opened]
    for seat, frame in enumerate(frames):
        assert f'data-seat="{seat}"' in frame
        assert f'data-turn="{"me" if after.turn == seat else "opponent"}"' in frame
    for one in opened:
        await one.disconnect()


@pytest.mark.parametrize(
    "origin",
    [
        b"https://elsewhere.example",
        b"null",
        b"http://localhost.elsewhere.example:8000",
        b"http://elsewherelocalhost:8000",
        b"http://localhost:9999",
        b"https://localhost:8000",
        None,
    ],
)
async def test_a_socket_from_another_origin_is_refused_and_sent_nothing(origin):
    match = await make()
    opened = await socket(f"/ws/games/{match.id}/", (await seats(match))[0], origin)
    assert not (await opened.connect())[0]
    assert await opened.receive_nothing()


async def test_a_practice_table_opens_to_its_player_alone():
    owner = await a_person()
    match = await database_sync_to_async(lambda: dealt(Kind.PRACTICE, [owner, house()]))()
    for stranger in (None, await a_person()):
        opened = await socket(f"/ws/games/{match.id}/", stranger)
        assert not (await opened.connect())[0]
    opened = await socket(f"/ws/games/{match.id}/", owner)
    assert (await opened.connect())[0]
    await opened.disconnect()


async def test_a_table_that_is_none_is_refused():
    opened = await socket("/ws/games/AAAAAAAAAAAA/")
    assert not (await opened.connect())[0]


async def test_a_ping_is_answered():
    match = await make()
    opened = await socket(f"/ws/games/{match.id}/", (await seats(match))[0])
    await opened.connect()
    await opened.receive_from()
    await opened.send_to(text_data=consumers.PING)
    assert await frame_with(opened, consumers.PONG) == consumers.PONG
    await opened.disconnect()


@pytest.mark.parametrize(
    "sent", [{"text_data": '{"number": 1, "card": "As"}'}, {"bytes_data": b"\xff\x00"}]
)
async def test_whatever_else_a_browser_sends_closes_the_socket_and_plays_nothing(sent):
    match = await make()
    opened = await socket(f"/ws/games/{match.id}/", (await seats(match))[0])
    await opened.connect()
    await opened.receive_from()
    await opened.send_to(**sent)
    assert await closed(opened) == consumers.BREACH
    assert (await database_sync_to_async(Match.objects.get)(pk=match.pk)).number == 1


async def test_who_waits_is_called_to_the_table():
    waiting, other = await a_person(), await a_person()
    await database_sync_to_async(pairing.enter_queue)(waiting)
    opened = await socket("/ws/me/", waiting)
    assert (await opened.connect())[0]
    match = await database_sync_to_async(pairing.enter_queue)(other)
    assert f'data-go="/games/{match.id}/"' in await opened.receive_from(timeout=5)
    await opened.disconnect()


async def test_a_call_that_was_missed_comes_on_connecting():
    one, two = await a_person(), await a_person()
    await database_sync_to_async(pairing.enter_queue)(one)
    match = await database_sync_to_async(pairing.enter_queue)(two)
    opened = await socket("/ws/me/", one)
    await opened.connect()
    assert f'data-go="/games/{match.id}/"' in await opened.receive_from(timeout=5)
    await opened.disconnect()


async def test_who_has_left_the_table_for_another_page_is_not_fetched_back():
    match = await make()
    opened = await socket("/ws/me/", (await seats(match))[0])
    await opened.connect()
    assert await opened.receive_nothing()
    await opened.disconnect()


async def test_the_lobby_socket_is_not_for_strangers():
    assert not (await (await socket("/ws/me/")).connect())[0]


async def test_a_layer_that_fails_does_not_undo_a_play(monkeypatch, caplog):
    def broken():
        raise ConnectionError("no layer")

    monkeypatch.setattr("games.services.publish.get_channel_layer", broken)
    match = await make()
    after = await advance(match, 1)
    assert after.number == 2
    assert "could not publish" in caplog.text
    call_to_table(1, match.id)


async def test_who_went_while_something_was_on_its_way_is_no_fault(monkeypatch):
    """Daphne's protocol raises then; the socket ends, and what it held is let go of."""
    match = await make()
    player, _other = await seats(match)
    opened = await socket(f"/ws/games/{match.id}/", player)
    left: list[consumers.ViewerConsumer] = []
    gone = consumers.ViewerConsumer.gone

    async def noting(consumer):
        await gone(consumer)
        left.append(consumer)

    monkeypatch.setattr(consumers.ViewerConsumer, "gone", noting)
    come = asyncio.Queue()
    come.put_nowait({"type": "websocket.connect"})

    async def send(message):
        if message["type"] == "websocket.send":
            raise Disconnected("Attempt to send on a closed protocol")

    await asyncio.wait_for(application(opened.scope, come.get, send), 5)
    assert left


async def test_the_end_reaches_the_players():
    match = await make()
    one, two = await seats(match)
    opened = await socket(f"/ws/games/{match.id}/", two)
    await opened.connect()
    await opened.receive_from()
    await database_sync_to_async(play.resign)(match_id=match.id, player=one)
    await frame_with(opened, 'data-status="finished"')
    await opened.disconnect()


@pytest.mark.parametrize(
    "path", ["/ws/nope/", "/ws/games/x%ff/", "/ws/games/%00/", "/ws/" + "a" * 3000]
)
async def test_an_address_without_a_socket_is_closed_without_a_fault(path):
    opened = await socket(path)
    assert not (await opened.connect())[0]
