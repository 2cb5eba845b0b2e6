"""Nobody alone is stuck: who waits for a ranked match practises, and is asked when somebody comes.
And who only watches sees what is played."""

import datetime
import json
import re
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.e2e.conftest import LANDSCAPE, PHONE, Window
from tests.e2e.playing import PATIENCE_MS, attribute, play_first_card
from tests.e2e.test_axe import violations
from tests.e2e.test_phone import NARROWEST, SMALL, TARGET, TOUCH, all_is_seen, sits
from tests.servers import Site

pytestmark = pytest.mark.e2e

WRONG = datetime.datetime(2031, 5, 1, 12)  # what the clock of one computer says
LANGUAGES = [code for code, _name in settings.LANGUAGES]
TWO = """
import json
import re
from tests import tables
from ladder.models import QueueEntry
QueueEntry.objects.all().delete()
print(json.dumps([[player.name, tables.session(player)] for player in (person(), person())]))
"""
PASS = """
from games.models import clock
from ladder.models import Found
Found.objects.update(until=clock.now())
"""
# Whose turn it is at the fullest floor, in a practice match, waits; for whom somebody is found.
WAITS = """
import json
import re
from datetime import timedelta
from games.models import clock
from ladder.models import Found, QueueEntry
from tests import tables
QueueEntry.objects.all().delete()
now = clock.now()
turn, seat = 0, 1
while turn != seat:
    me = person()
    match = tables.arranged(
        tables.pack_of(*tables.FULL), tables.FULL_PLAYS, kind=Kind.PRACTICE, players=[me, house()]
    )
    turn, seat = match.turn, match.seats.get(player=me).seat
def entry(player):
    return QueueEntry.objects.create(player=player, rating=1500, entered_at=now, seen_at=now)
mine = entry(me)
if {found}:
    other = entry(tables.two()[0])
    Found.objects.create(
        one=mine, two=other, one_ready=False, two_ready=True, until=now + timedelta(minutes=9)
    )
print(json.dumps([match.id, tables.session(me)]))
"""


@pytest.fixture
def waits(window, site: Site) -> Callable[[], tuple[Window, Window]]:
    """Two people with a browser each, the first of whom waits and practises meanwhile."""

    def make() -> tuple[Window, Window]:
        opened = []
        for name, key in json.loads(site.run(TWO)):
            one = window()
            one.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
            one.name = name
            opened.append(one)
        first, second = opened
        first.page.clock.set_fixed_time(WRONG)
        first.go("/")
        first.page.locator('[data-action="ranked"]').click()
        expect(first.page.locator("#queue")).to_contain_text("Play a practice match")
        first.page.locator('[data-action="practice"][data-level="novice"]').click()
        expect(first.page.locator('#table[data-turn="me"]')).to_be_attached(timeout=PATIENCE_MS)
        return first, second

    return make


def comes(second: Window) -> None:
    """The second presses ranked."""
    second.go("/")
    second.page.locator('[data-action="ranked"]').click()


def bar(page: Page, state: str):
    """The bar of a page, in that state."""
    return page.locator(f'#waiting-bar[data-state="{state}"]')


def left(page: Page) -> int:
    """What the countdown says."""
    return int(page.locator("[data-left]").inner_text())


def test_who_practises_is_asked_and_both_come_to_the_ranked_table(waits):
    one, two = waits()
    page = one.page
    expect(bar(page, "waiting")).to_contain_text("Waiting for a ranked match 0:0")
    play_first_card(page)
    expect(page.locator('#table[data-turn="me"]')).to_be_attached(timeout=PATIENCE_MS)
    practice = page.url
    card = page.locator("#hand button").first
    card.focus()
    comes(two)
    expect(bar(page, "found")).to_contain_text(f"Found: {two.name} (1500)! Play?")
    expect(page.locator("#waiting-said")).to_contain_text("An opponent is found")
    expect(card).to_be_focused()
    began = left(page)
    assert 5 <= began <= 15
    expect(page.locator("[data-left]")).not_to_have_text(str(began))
    assert left(page) < began
    expect(two.page.locator("#queue")).to_contain_text(f"Found, waiting for {one.name}")
    assert 1 <= left(two.page) <= 15
    page.locator('[data-action="accept-pairing"]').click()
    expect(two.page).to_have_url(re.compile("/games/.+/"))
    expect(page).to_have_url(two.page.url)
    assert page.url != practice
    for window in (one, two):
        table = window.page.locator('#table[data-seat]:not([data-seat=""])')
        expect(table).to_be_attached()
        expect(bar(window.page, "none")).to_be_attached()


def test_who_lets_it_pass_leaves_the_queue_and_the_other_keeps_the_place(waits, site):
    one, two = waits()
    comes(two)
    expect(bar(one.page, "found")).to_be_visible()
    waited = two.page.locator("[data-waited]")
    site.run(PASS)
    expect(bar(one.page, "missed")).to_contain_text("no answer came from you")
    expect(one.page.locator("#waiting-said")).to_contain_text("no answer came from you")
    expect(waited).to_be_visible()
    expect(two.page.locator("#queue")).to_contain_text(f"{one.name} was found, and did not come")
    number = attribute(one.page, "number")
    play_first_card(one.page)
    assert attribute(one.page, "number") != number
    one.page.locator("#waiting-bar button").click()
    expect(bar(one.page, "none")).to_be_hidden()


def test_who_refuses_plays_on_and_the_other_keeps_the_place(waits):
    one, two = waits()
    comes(two)
    table = one.page.url
    expect(bar(one.page, "found")).to_be_visible()
    assert violations(one.page) == []
    one.page.locator('[data-action="refuse-pairing"]').click()
    expect(bar(one.page, "none")).to_contain_text("You have stopped waiting.")
    expect(bar(one.page, "none")).to_be_hidden(timeout=PATIENCE_MS)
    assert one.page.url == table
    expect(two.page.locator("#queue")).to_contain_text("did not come to the table")
    expect(two.page.locator('[data-action="leave-queue"]')).to_be_visible()


def test_on_the_lobby_the_question_stands_in_the_panel(waits):
    """By the keyboard, and where the other leaves first it is gone."""
    one, two = waits()
    comes(two)
    lobby = one.page.context.new_page()
    lobby.goto(f"{one.site.url}/")
    lobby.locator('[data-action="accept-pairing"]').focus()
    two.page.locator('[data-action="leave-queue"]').click()
    expect(lobby.locator('[data-action="leave-queue"]')).to_be_visible()
    expect(lobby.locator('[data-action="accept-pairing"]')).to_have_count(0)
    expect(bar(one.page, "waiting")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("found", [False, True], ids=["waiting", "found"])
def test_the_bar_takes_no_room_from_the_fullest_floor(window, site, viewport, language, found):
    match, key = json.loads(site.run(WAITS.format(found=found)))
    me = window(viewport, **TOUCH)
    sits(me.page, site, language, key)
    me.go(f"/games/{match}/")
    expect(me.page.locator("#floor > li")).to_have_count(15)
    expect(bar(me.page, "found" if found else "waiting")).to_be_visible()
    assert me.page.evaluate(NARROWEST) >= (TARGET if viewport == PHONE else 32)
    assert me.page.evaluate(SMALL, TARGET) == []
    all_is_seen(me.page)
    parts = "#waiting-bar p, #waiting-bar button, .brand, .bar-tools > *"
    all_is_seen(me.page, parts, least=3)


def test_watching_from_the_lobby(window, at_table, site):
    """A stranger follows the link, sees each play, counts, and the lobby says so."""
    player = at_table("basra")
    match = attribute(player.page, "match")
    lobby, watcher = window(), window()
    lobby.go("/")
    watcher.go("/")
    watcher.page.locator(f"#watch-{match}").click()
    expect(watcher.page.locator('#table[data-seat=""]')).to_be_attached()
    expect(player.page.locator("#watchers")).to_contain_text("1")
    row = lobby.page.locator(f"#lobby-live li:has(#watch-{match})")
    expect(row).to_contain_text("1 person watches", timeout=PATIENCE_MS)
    link = lobby.page.locator(f"#watch-{match}")
    link.focus()
    play_first_card(player.page)
    number = attribute(player.page, "number")
    expect(watcher.page.locator(f'#table[data-number="{number}"]')).to_be_attached()
    watcher.page.close()
    expect(row).not_to_contain_text("watches", timeout=PATIENCE_MS)
    expect(link).to_be_focused()
