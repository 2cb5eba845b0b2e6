"""What one person does reaches the open pages of another: the bell, and a block."""

import pytest
from channels.db import database_sync_to_async

from games import consumers
from games.models import Kind, Notification, Topic
from games.services import notifications, people
from tests.factories import dealt
from tests.realtime.sockets import a_person, advance, closed, frame_with, seats, socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

follow = database_sync_to_async(people.follow)
block = database_sync_to_async(people.block)
called = database_sync_to_async(
    lambda player: list(
        Notification.objects.filter(player=player, read_at=None).values_list("topic", flat=True)
    )
)


async def test_a_follow_rings_the_bell_of_every_open_page():
    one, two = await a_person(), await a_person()
    opened = [await socket("/ws/me/", two) for _tab in range(2)]
    for page in opened:
        assert (await page.connect())[0]
    await follow(one, two)
    for page in opened:
        assert 'data-news="bell"' in await frame_with(page, "data-news")
    await database_sync_to_async(notifications.read_all)(two)
    for page in opened:
        assert 'data-news="bell"' in await frame_with(page, "data-news")
        await page.disconnect()


async def test_a_block_is_heard_by_both_and_says_nothing_of_itself():
    one, two = await a_person(), await a_person()
    pages = [await socket("/ws/me/", player) for player in (one, two)]
    for page in pages:
        await page.connect()
    await block(one, two)
    for page in pages:
        frame = await frame_with(page, "data-news")
        assert {"people", "challenges", "talk"} <= set(frame.split('"')[1].split())
        assert "block" not in frame
        await page.disconnect()


async def challenge():
    match = await database_sync_to_async(lambda: dealt(Kind.CHALLENGE))()
    return match, await seats(match)


@pytest.mark.parametrize("who", ["player", "watcher"])
async def test_a_block_ends_the_watching_of_a_challenge_at_once(who):
    match, (one, two) = await challenge()
    watcher, stranger = await a_person(), None
    opened = {}
    for viewer in (watcher, stranger, one, two):
        opened[viewer] = await socket(f"/ws/games/{match.pk}/", viewer)
        assert (await opened[viewer].connect())[0]
        await frame_with(opened[viewer], "data-version")
    await block(*((two, watcher) if who == "player" else (watcher, two)))
    assert await closed(opened[watcher]) == consumers.NOT_FOUND
    again = await socket(f"/ws/games/{match.pk}/", watcher)
    assert not (await again.connect())[0]
    after = await advance(match, 1)
    for viewer in (stranger, one, two):
        await frame_with(opened[viewer], f'data-version="{after.version}"')
        await opened[viewer].disconnect()


async def test_a_block_ends_neither_the_match_of_the_two_nor_the_watching_of_a_ranked_one():
    match, (one, two) = await challenge()
    ranked = await database_sync_to_async(lambda: dealt(Kind.RANKED))()
    opened = [
        await socket(f"/ws/games/{match.pk}/", one),
        await socket(f"/ws/games/{match.pk}/", two),
        await socket(f"/ws/games/{ranked.pk}/", one),
    ]
    for page in opened:
        await page.connect()
        await frame_with(page, "data-version")
    await block(one, two)
    await block(one, (await seats(ranked))[0])
    changed = [await advance(match, 1), await advance(ranked, 1)]
    for page, after in zip(opened, (changed[0], *changed), strict=True):
        await frame_with(page, f'data-version="{after.version}"')
        await page.disconnect()


async def test_the_table_takes_back_the_call_to_it_when_its_socket_opens():
    match, players = await challenge()
    mover = players[match.turn]
    assert await called(mover) == [Topic.TURN]
    opened = await socket(f"/ws/games/{match.pk}/", mover)
    await opened.connect()
    await frame_with(opened, 'data-news="bell"')
    assert await called(mover) == []
    await opened.disconnect()
