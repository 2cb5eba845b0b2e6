"""Who is at the table, and sockets that end with their session."""

from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from games import consumers, tasks
from games.models import Lease, clock
from games.selectors.presence import seats_present
from games.services import presence
from tests.realtime.sockets import closed, frame_with, make, opened_by, seats, socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

present = database_sync_to_async(seats_present)


async def test_an_open_socket_is_a_seat_that_is_there():
    match = await make()
    first, second = await seats(match)
    one = await opened_by(match, first)
    await frame_with(one, 'id="presence"')
    two = await opened_by(match, second)
    await frame_with(two, 'id="presence"')
    assert await present(match.id) == {0, 1}
    await two.disconnect()
    assert "is away" in await frame_with(one, "is away")
    assert await present(match.id) == {0}
    await one.disconnect()


async def test_one_of_two_tabs_may_close():
    match = await make()
    first, _second = await seats(match)
    tabs = [await opened_by(match, first) for _tab in range(2)]
    for tab in tabs:
        await frame_with(tab, 'id="presence"')
    await tabs[0].disconnect()
    assert await present(match.id) == {0}
    await tabs[1].disconnect()
    assert await present(match.id) == set()


async def test_a_watcher_holds_no_seat():
    match = await make()
    watcher = await opened_by(match, None)
    assert await present(match.id) == set()
    await watcher.disconnect()


@pytest.mark.django_db
class TestLease:
    def lease(self, **how):
        from tests.factories import dealt

        match = dealt()
        presence.arrive(channel="one", match_id=match.id, seat=1, **how)
        return match

    def test_it_lapses_unless_renewed(self, monkeypatch):
        match = self.lease()
        now = clock.now()
        monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=24))
        assert seats_present(match.id) == {1}
        monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=26))
        assert seats_present(match.id) == set()

    def test_renewing_keeps_it(self, monkeypatch):
        match = self.lease()
        now = clock.now()
        for seconds in (10, 20, 30, 40):
            moment = now + timedelta(seconds=seconds)
            monkeypatch.setattr(clock, "now", lambda moment=moment: moment)
            presence.renew(channel="one", match_id=match.id, seat=1)
            tasks.sweep()
        assert seats_present(match.id) == {1}

    def test_the_sweep_ends_those_of_a_killed_process_and_tells_the_table(self, monkeypatch):
        match = self.lease()
        told = []
        monkeypatch.setattr(presence, "publish", lambda group, message: told.append(group))
        now = clock.now()
        monkeypatch.setattr(clock, "now", lambda: now + timedelta(seconds=26))
        tasks.sweep()
        assert told == [f"match.{match.id}"]
        assert not Lease.objects.exists()

    def test_a_socket_that_was_swept_by_mistake_comes_back(self):
        match = self.lease()
        Lease.objects.all().delete()
        presence.renew(channel="one", match_id=match.id, seat=1)
        assert seats_present(match.id) == {1}


async def logged_in(player):
    client = Client()
    await database_sync_to_async(client.force_login)(player)
    cookies = "; ".join(f"{k}={v.value}" for k, v in client.cookies.items()).encode()
    return client, cookies


async def test_logging_out_closes_the_sockets_of_that_browser_alone():
    match = await make()
    player, _other = await seats(match)
    client, cookies = await logged_in(player)
    here = await socket(f"/ws/games/{match.id}/", cookies=cookies)
    assert (await here.connect())[0]
    elsewhere = await opened_by(match, player)
    await database_sync_to_async(client.post)("/accounts/logout/")
    assert await closed(here) == consumers.LOGGED_OUT
    await elsewhere.send_to(text_data=consumers.PING)
    await frame_with(elsewhere, consumers.PONG)
    await elsewhere.disconnect()


async def test_a_session_that_is_gone_is_noticed_at_the_next_renewal(monkeypatch):
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.01)
    match = await make()
    player, _other = await seats(match)
    client, cookies = await logged_in(player)
    one = await socket(f"/ws/games/{match.id}/", cookies=cookies)
    assert (await one.connect())[0]
    await database_sync_to_async(client.session.flush)()
    assert await closed(one) == consumers.LOGGED_OUT


async def test_a_new_password_ends_the_sockets_of_the_old_sessions(monkeypatch):
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.01)
    match = await make()
    player, _other = await seats(match)
    one = await opened_by(match, player)

    @database_sync_to_async
    def change():
        player.set_password("another-long-one-7")
        player.save()

    await change()
    assert await closed(one) == consumers.LOGGED_OUT


async def test_who_floods_the_socket_is_cut_off():
    match = await make()
    one = await opened_by(match, None)
    for _ping in range(consumers.MESSAGES + 1):
        await one.send_to(text_data=consumers.PING)
    assert await closed(one) == consumers.BREACH
