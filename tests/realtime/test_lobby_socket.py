"""The lobby's socket: what all see alike, looked at once for all who have the lobby open."""

import asyncio
import collections

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from games import consumers, hall
from games.rendering import Reading
from ladder import consumers as lobby
from ladder.services import pairing
from tests.factories import a_match, person
from tests.realtime.sockets import a_person, closed, frame_with, make, session_of, socket
from tests.secrecy.test_match import cards_told

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def looks(monkeypatch) -> collections.Counter[str]:
    """How often the lobby was looked at, by language; which is quickly here."""
    monkeypatch.setattr(hall, "FRAME_SECONDS", 0.02)
    monkeypatch.setattr(lobby, "LOOK_SECONDS", 0.02)
    times: collections.Counter[str] = collections.Counter()
    render = lobby.lobby_fragment

    def counted(reading: Reading):
        times[reading.language] += 1
        return render(reading)

    monkeypatch.setattr(lobby, "lobby_fragment", counted)
    return times


async def opened(language: str = "en", player=None):
    cookies = await session_of(player) + f"; language={language}".encode()
    one = await socket("/ws/lobby/", cookies=cookies.lstrip(b"; "))
    assert (await one.connect())[0]
    return one


async def test_a_stranger_sees_a_match_begin_and_none_of_its_cards(looks):
    one = await opened()
    assert "No ranked match" in await frame_with(one, 'id="lobby-live"')
    match = await make()
    told = await frame_with(one, f"/games/{match.id}/")
    assert 'hx-swap-oob="true"' in told
    assert not cards_told(told)
    await one.disconnect()


async def test_however_many_it_is_looked_at_once_a_language(looks, monkeypatch):
    monkeypatch.setattr(lobby, "LOOK_SECONDS", 1000)
    many = await asyncio.gather(*(opened(("en", "ar")[n % 2]) for n in range(20)))
    for one in many:
        await frame_with(one, 'id="lobby-live"')
    assert looks == {"en": 1, "ar": 1}
    for one in many:
        await one.disconnect()
    assert "lobby" not in hall._halls


async def test_nothing_is_sent_while_nothing_changes(looks):
    one = await opened()
    await frame_with(one, 'id="lobby-live"')
    while looks["en"] < 4:
        await asyncio.sleep(0)
    assert await one.receive_nothing()
    await one.disconnect()


async def test_who_waits_there_is_called_to_the_table(looks):
    waiting, other = await a_person(), await a_person()
    await database_sync_to_async(pairing.enter_queue)(waiting)
    one = await opened(player=waiting)
    match = await database_sync_to_async(pairing.enter_queue)(other)
    await frame_with(one, f'data-go="/games/{match.id}/"')
    await one.disconnect()


async def test_a_call_that_was_missed_comes_on_connecting(looks):
    player = await a_person()
    match = await database_sync_to_async(lambda: a_match(players=[player, person()]))()
    one = await opened(player=player)
    await frame_with(one, f'data-go="/games/{match.id}/"')
    await one.disconnect()


async def test_it_ends_with_the_session(looks):
    player = await a_person()
    client = Client()
    await database_sync_to_async(client.force_login)(player)
    cookies = "; ".join(f"{k}={v.value}" for k, v in client.cookies.items()).encode()
    one = await socket("/ws/lobby/", cookies=cookies)
    await one.connect()
    await database_sync_to_async(client.post)("/accounts/logout/")
    assert await closed(one) == consumers.LOGGED_OUT
