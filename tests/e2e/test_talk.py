"""Talk at the table, between two browsers and before a third."""

import json

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import Page, expect

from games.models import Phrase
from tests.e2e.conftest import DESK, PHONE
from tests.e2e.playing import attribute, play_first_card

pytestmark = pytest.mark.e2e

# Two who have played enough to write; their match, in the middle of its first deal.
TABLE = """
import json
from datetime import timedelta
from django.utils import timezone
from tests import tables
two = [person(date_joined=timezone.now() - timedelta(days=3)) for _ in range(2)]
for _ in range(10):
    over = dealt(Kind.CHALLENGE, two)
    play.resign(match_id=over.id, player=two[0])
match = tables.arranged(tables.pack_of(*tables.BASRA), players=two)
print(json.dumps([match.id, [[who.name, tables.session(who)] for who in two], match.turn]))
"""
SCRIPTS = "<img src=x onerror=alert(1)>{{ 7*7 }}<script>alert(1)</script>"


@pytest.fixture
def table(site, window):
    """Opens the browser of a seat of one match, or of a watcher; ``.turn`` is whose turn it is."""

    class Table:
        windows = []
        match, seats, turn = json.loads(site.run(TABLE))

        def open(self, seat: int | None, viewport=DESK, language: str = "en", **how) -> Page:
            me = window(viewport, **how)
            self.windows.append(me)
            cookies = {settings.LANGUAGE_COOKIE_NAME: language}
            if seat is not None:
                cookies["sessionid"] = self.seats[seat][1]
            me.page.context.add_cookies(
                [{"name": name, "value": value, "url": site.url} for name, value in cookies.items()]
            )
            me.go(f"/games/{self.match}/")
            return me.page

    return Table()


def said(page: Page, by: str = "opponent"):
    return page.locator(f'#talk [data-by="{by}"]')


def in_arabic(phrase: Phrase) -> str:
    with translation.override("ar"):
        return str(phrase.label)


def says(page: Page, phrase: str) -> None:
    page.locator(f'.phrase[value="{phrase}"]').click()


def test_each_reads_phrases_in_the_own_language_and_watchers_see_nothing(table):
    egypt, brazil = table.open(0, language="ar"), table.open(1, language="en")
    watcher = table.open(None)
    says(egypt, "nice")
    expect(said(egypt, "me")).to_contain_text(in_arabic(Phrase.NICE))
    expect(said(brazil)).to_contain_text("Well played!")
    expect(brazil.locator("#live p").last).to_have_text(f"{table.seats[0][0]}: Well played!")
    says(brazil, "thanks")
    expect(said(egypt)).to_contain_text(in_arabic(Phrase.THANKS))
    expect(egypt.locator("#live p").last).to_contain_text(in_arabic(Phrase.THANKS))
    for quiet in ("#talk", "#talk-side", "[data-action='talk']"):
        expect(watcher.locator(quiet)).to_have_count(0)
    assert "Well played!" not in watcher.content()


def test_what_is_half_typed_and_the_focus_survive_the_plays_of_both(table):
    writes, plays = table.open(1 - table.turn), table.open(table.turn)
    field = writes.locator("#talk-text")
    field.press_sequentially("as long as it t")
    number = attribute(writes, "number")
    play_first_card(plays)
    expect(writes.locator(f'#table:not([data-number="{number}"])')).to_be_attached()
    says(plays, "oops")
    expect(said(writes)).to_have_count(1)
    field.press_sequentially("akes")
    expect(field).to_be_focused()
    expect(field).to_have_value("as long as it takes")
    field.press("Enter")
    expect(said(writes, "me")).to_have_text("You: as long as it takes")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    field.press_sequentially("still here")
    plays.locator('[data-action="resign"]').click()
    plays.locator('[data-action="confirm-resign"]').click()
    expect(writes.locator('#table[data-status="finished"]')).to_be_attached()
    expect(field).to_have_value("still here")
    expect(field).to_be_focused()
    field.press("Enter")
    expect(said(plays).last).to_contain_text("still here")
    plays.reload()
    expect(said(plays).last).to_contain_text("still here")


def test_a_refused_text_stays_in_the_field_and_says_why(table):
    page = table.open(0)
    field = page.locator("#talk-text")
    field.fill("see www.example.com")
    field.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Links")).to_be_visible()
    expect(field).to_have_value("see www.example.com")
    field.fill("see you")
    field.press("Enter")
    expect(said(page, "me")).to_have_text("You: see you")
    expect(page.locator("#talk-refused")).to_be_hidden()


def test_muting_is_one_tap_and_remembered(table):
    one, other = table.open(0), table.open(1)
    says(other, "hello")
    expect(said(one)).to_have_count(1)
    one.locator('[data-action="mute"]').click()
    expect(said(one)).to_have_count(0)
    expect(one.locator('[data-action="mute"]')).to_have_text("Unmute")
    expect(one.locator('[data-action="mute"]')).to_be_focused()
    says(other, "luck")
    expect(said(other, "me")).to_have_count(2)
    one.reload()
    expect(said(one)).to_have_count(0)
    one.locator('[data-action="mute"]').click()
    expect(said(one)).to_have_count(2)


def test_on_a_phone_it_shows_over_the_felt_and_marks_the_button(table):
    one, other = table.open(0, PHONE), table.open(1)
    mark = one.locator("[data-unread]")
    expect(mark).to_be_hidden()
    other.locator("#talk-text").fill(SCRIPTS)
    other.locator("#talk-text").press("Enter")
    toast = one.locator(".toast-talk")
    expect(toast).to_contain_text(SCRIPTS)
    expect(toast.locator("img, script")).to_have_count(0)
    expect(mark).to_be_visible()
    one.locator('[data-action="talk"]').click()
    expect(mark).to_be_hidden()
    expect(said(one)).to_contain_text(SCRIPTS)
    for page in (one, other):
        expect(page.locator("#talk img, #talk script")).to_have_count(0)
    says(one, "moment")
    expect(said(other)).to_contain_text("One moment, please.")
    one.keyboard.press("Escape")
    expect(one.locator("#talk-side")).to_be_hidden()


def test_without_script_the_forms_do(table):
    page = table.open(0, java_script_enabled=False)
    says(page, "hello")
    expect(said(page, "me")).to_contain_text("Hello!")
    page.locator("#talk-text").fill("www.example.com")
    page.locator(".chat-form [type=submit]").click()
    expect(page.locator("#talk-refused")).to_contain_text("Links")
    expect(page.locator("#talk-text")).to_have_value("www.example.com")
    (me,) = table.windows
    me.complaints[:] = [c for c in me.complaints if "409" not in c]
