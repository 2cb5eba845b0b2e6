"""Many who watch: rendered for once, shown nothing shut, never more than a frame a second."""

import asyncio
import collections
import threading
import types
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from games import consumers, gallery, hall, tasks
from games.hall import Hall, Shelf, Watcher
from games.models import Audience, Block, Kind, Match, clock
from games.rendering import Fragment, Reading
from games.selectors.presence import watchers
from games.services import presence
from tests.factories import deal_of, dealt, person
from tests.realtime.sockets import (
    a_person,
    advance,
    closed,
    frame_with,
    make,
    opened_by,
    seats,
    session_of,
    socket,
)
from tests.secrecy.test_match import cards_told, open_to

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

ENGLISH, ARABIC = Reading("en"), Reading("ar")


@pytest.fixture
def quick(monkeypatch):
    """Frames follow each other quickly, so that a test need not last."""
    monkeypatch.setattr(hall, "FRAME_SECONDS", 0.05)
    monkeypatch.setattr(gallery, "HEAD_START", 0.01)
    monkeypatch.setattr(gallery, "COUNT_SECONDS", 0.05)


@pytest.fixture
def rendered(monkeypatch) -> collections.Counter[str]:
    """How often the table was rendered for watchers, by language."""
    times: collections.Counter[str] = collections.Counter()
    render = gallery.watched_table_fragment

    def counted(match_id: str, reading: Reading) -> Fragment:
        times[reading.language] += 1
        return render(match_id, reading)

    monkeypatch.setattr(gallery, "watched_table_fragment", counted)
    return times


async def watching(match: Match, language: str = "en"):
    """A stranger's socket at a table, before its first frame is read."""
    opened = await socket(f"/ws/games/{match.id}/", cookies=f"language={language}".encode())
    assert (await opened.connect())[0]
    return opened


async def test_thirty_watchers_cost_one_rendering_a_language_and_see_nothing_shut(quick, rendered):
    match = await make()
    sockets = [await watching(match, ("en", "ar")[n % 2]) for n in range(30)]
    for version in range(match.version, match.version + 6):
        may = open_to(await database_sync_to_async(deal_of)(match), None)
        for opened in sockets:
            assert cards_told(await frame_with(opened, f'data-version="{version}"')) <= may
        assert rendered == {"en": 1, "ar": 1}
        rendered.clear()
        match = await advance(match, 1)
    for opened in sockets:
        await opened.disconnect()


async def test_all_who_come_at_once_are_shown_what_one_rendering_gave(quick, rendered):
    match = await make()
    sockets = await asyncio.gather(*(watching(match) for _ in range(10)))
    for opened in sockets:
        await frame_with(opened, 'data-seat=""')
    assert rendered == {"en": 1}
    for opened in sockets:
        await opened.disconnect()


async def test_what_all_see_is_forgotten_with_the_last_who_watches(quick):
    match = await make()
    sockets = [await watching(match) for _ in range(3)]
    for opened in sockets[:2]:
        await opened.disconnect()
    assert ("match", match.id) in hall._halls
    await sockets[2].disconnect()
    assert ("match", match.id) not in hall._halls
    assert await database_sync_to_async(watchers)(match.id) == 0


async def test_a_slow_word_of_how_many_watch_does_not_come_after_the_last(quick, monkeypatch):
    said: list[int] = []
    gate, show = threading.Event(), presence.show_audience

    def slowly(match_id: str, process: str, count: int) -> None:
        assert not count or gate.wait(30)
        show(match_id, process, count)
        said.append(count)

    monkeypatch.setattr(presence, "show_audience", slowly)
    match = await make()
    opened = await watching(match)
    leaving = asyncio.create_task(opened.disconnect())
    for _turn in range(200):  # in which the last word would come first, if nothing held it
        await asyncio.to_thread(said.copy)
    gate.set()
    await leaving
    assert said == [1, 0]
    assert await database_sync_to_async(watchers)(match.id) == 0


async def test_a_socket_that_is_cut_off_by_force_leaves_too(quick):
    match = await make()
    opened = await watching(match)
    await frame_with(opened, 'id="table"')
    opened.future.cancel()
    await asyncio.wait([opened.future])
    assert ("match", match.id) not in hall._halls


class Time:
    """A clock that goes on when somebody sleeps, and only then."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(hall, "time", types.SimpleNamespace(monotonic=lambda: self.now))
        lazy = types.SimpleNamespace(**vars(asyncio) | {"sleep": self.sleep})
        monkeypatch.setattr(hall, "asyncio", lazy)

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def crowd(at: Time, number: int) -> tuple[Hall, Shelf, list[Watcher], dict[Watcher, list]]:
    """Those who are shown a number that rises; and when each was shown which."""
    shown: dict[Watcher, list[tuple[float, str]]] = {}
    numbers = iter(range(10_000))
    shelf = Shelf(lambda _reading: Fragment(f"{next(numbers)}", at.now))

    def one() -> Watcher:
        async def send(frame: str) -> None:
            shown[watcher].append((at.now, frame))

        watcher = Watcher(ENGLISH, object(), send)
        shown[watcher] = []
        return watcher

    return Hall("crowd", shelf), shelf, [one() for _ in range(number)], shown


async def test_nobody_gets_two_frames_in_a_second_however_quickly_the_match_goes(monkeypatch):
    at = Time(monkeypatch)
    full, shelf, people, shown = crowd(at, 120)
    for watcher in people:
        await full.enter(watcher)
    at.now += hall.FRAME_SECONDS
    for _change in range(60):
        full.renew(shelf)
        await at.sleep(0.15)
    while full._round is not None and not full._round.done():
        await asyncio.sleep(0)
    newest = max(int(frame) for frames in shown.values() for _when, frame in frames)
    for frames in shown.values():
        times = [when for when, _frame in frames]
        assert all(
            later - earlier >= hall.FRAME_SECONDS - 1e-9
            for earlier, later in zip(times, times[1:], strict=False)
        )
        assert [int(frame) for _when, frame in frames] == sorted({int(f) for _when, f in frames})
        assert int(frames[-1][1]) == newest
    counts = [len(frames) for frames in shown.values()]
    assert max(counts) - min(counts) <= 1  # nobody starves


async def test_a_full_hall_is_shown_a_change_over_a_second_and_not_at_once(monkeypatch):
    at = Time(monkeypatch)
    full, shelf, people, shown = crowd(at, 200)
    for watcher in people:
        await full.enter(watcher)
    at.now += 10
    full.renew(shelf)
    await full._round
    moments = collections.Counter(frames[-1][0] for frames in shown.values())
    assert len(moments) == hall.SLICES
    assert set(moments.values()) == {200 // hall.SLICES}
    assert max(moments) - min(moments) <= hall.FRAME_SECONDS


async def test_what_was_rendered_anew_and_is_the_same_is_not_sent(monkeypatch):
    at = Time(monkeypatch)
    full, shelf, people, shown = crowd(at, 2)
    shelf._render = hall.in_background(lambda _reading: Fragment("the same", at.now))
    for watcher in people:
        await full.enter(watcher)
    at.now += 10
    full.renew(shelf)
    await full._round
    assert [len(frames) for frames in shown.values()] == [1, 1]


async def test_a_rendering_that_fails_is_tried_again(monkeypatch, caplog):
    at = Time(monkeypatch)
    full, shelf, people, shown = crowd(at, 1)
    await full.enter(people[0])
    render, shelf._render = shelf._render, hall.in_background(lambda _reading: 1 / 0)
    at.now += 10
    full.renew(shelf)
    while "could not show" not in caplog.text:
        await asyncio.sleep(0)
    shelf._render = render
    await full._round
    assert len(shown[people[0]]) == 2


def test_the_clock_of_a_kept_fragment_goes_on(monkeypatch):
    at = types.SimpleNamespace(now=100.0)
    monkeypatch.setattr("games.rendering.time.monotonic", lambda: at.now)
    html = '<i data-bank="90000" data-elapsed="1500"></i><b data-countdown="12">12</b>'
    fragment = Fragment(html, 100.0)
    assert fragment.now() == html
    at.now = 104.25
    assert 'data-bank="90000" data-elapsed="5750"' in fragment.now()
    assert 'data-countdown="8"' in fragment.now()
    at.now = 1000
    assert 'data-countdown="0"' in fragment.now()


async def test_who_comes_later_sees_the_clock_as_it_is(quick, monkeypatch):
    match = await make()
    first = await watching(match)
    early = await frame_with(first, "data-elapsed")
    made_at = hall._halls["match", match.id].table._kept[ENGLISH].fragment._made_at
    monkeypatch.setattr("games.rendering.time.monotonic", lambda: made_at + 7)
    second = await watching(match)
    late = await frame_with(second, "data-elapsed")
    elapsed = [int(f.split('data-elapsed="')[1].split('"')[0]) for f in (early, late)]
    assert elapsed[1] >= 7000 > elapsed[0]
    for opened in (first, second):
        await opened.disconnect()


async def test_who_is_blocked_meanwhile_watches_no_longer(monkeypatch, quick):
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.01)
    match = await database_sync_to_async(dealt)(Kind.CHALLENGE)
    player, _other = await seats(match)
    viewer = await a_person()
    opened = await opened_by(match, viewer)
    await database_sync_to_async(Block.objects.create)(player=player, other=viewer)
    assert await closed(opened) == consumers.NOT_FOUND


async def test_how_many_watch_is_told_to_the_players(quick):
    match = await make()
    player, _other = await seats(match)
    seated = await opened_by(match, player)
    sockets = [await watching(match) for _ in range(2)]
    viewer = await a_person()
    cookies = await session_of(viewer)
    tabs = [await socket(f"/ws/games/{match.id}/", cookies=cookies) for _ in range(2)]
    for tab in tabs:
        await tab.connect()
    await frame_with(seated, "3 people watch")
    for opened in (*sockets, *tabs):
        await opened.disconnect()
    told = await frame_with(seated, '<p id="watchers"')
    while "watch</span>" in told or "watches</span>" in told:
        told = await frame_with(seated, '<p id="watchers"')
    await seated.disconnect()


@pytest.mark.django_db
class TestAudience:
    """Each process says how many watch through it; what it does not renew lapses."""

    @pytest.fixture
    def match(self):
        return dealt()

    @pytest.fixture
    def at(self, monkeypatch):
        began = clock.now()

        def set_to(seconds):
            monkeypatch.setattr(clock, "now", lambda: began + timedelta(seconds=seconds))

        set_to(0)
        return set_to

    def test_the_sum_over_all_processes(self, match, at):
        presence.show_audience(match.id, "one", 3)
        presence.show_audience(match.id, "two", 4)
        presence.show_audience(match.id, "one", 5)
        assert watchers(match.id) == 9
        presence.show_audience(match.id, "two", 0)
        assert watchers(match.id) == 5

    def test_it_lapses_after_a_kill_and_the_table_is_told(self, match, at, monkeypatch):
        presence.show_audience(match.id, "one", 3)
        at(24)
        assert watchers(match.id) == 3
        at(26)
        assert watchers(match.id) == 0
        told = []
        monkeypatch.setattr(presence, "publish", lambda group, message: told.append(group))
        tasks.sweep()
        assert told == [f"match.{match.id}"]
        assert not Audience.objects.exists()

    def test_nothing_is_written_or_told_while_nothing_changes(self, match, at, monkeypatch):
        presence.show_audience(match.id, "one", 3)
        until = Audience.objects.get().until
        told = []
        monkeypatch.setattr(presence, "publish", lambda group, message: told.append(group))
        at(3)
        presence.show_audience(match.id, "one", 3)
        assert Audience.objects.get().until == until
        at(20)
        presence.show_audience(match.id, "one", 3)
        assert Audience.objects.get().until > until
        assert told == []

    def test_on_the_table_and_in_the_lobby(self, match, at):
        presence.show_audience(match.id, "one", 12)
        page = Client().get(f"/games/{match.id}/").content.decode()
        assert "12 people watch" in page
        assert page.index('id="watchers"') > page.index('id="presence"')
        assert "12 people watch" in Client().get("/").content.decode()

    def test_on_the_profile_is_a_way_to_watch(self, match, at):
        player = match.seats.get(seat=0).player
        page = Client().get(player.get_absolute_url()).content.decode()
        assert f'href="/games/{match.id}/">Playing now: watch' in page
        idle = Client().get(person().get_absolute_url()).content.decode()
        assert "Playing now" not in idle
