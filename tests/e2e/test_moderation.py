"""A report from the table, all the way: queue, claim, answer, and the reporter is told."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE
from tests.e2e.test_axe import violations

pytestmark = pytest.mark.e2e

SCENE = """
import json
from games.models import clock
from tests import tables
two = [person() for _seat in range(2)]
match = play_on(dealt(players=two), 3)
Utterance.objects.create(match=match, player=two[1], text="You dog", said_at=clock.now())
helper = staff("helper")
print(json.dumps([
    match.id, two[1].name, [tables.session(two[0]), tables.session(two[1]), tables.session(helper)],
]))
"""


@pytest.fixture
def scene(site, window):
    """A running match in which one has insulted the other, and somebody of the staff.

    ``open(who)`` opens the browser of the insulted one (0), the other (1) or the helper (2).
    """

    class Scene:
        match, suspect, sessions = json.loads(site.run(SCENE))

        def open(self, who: int, address: str, viewport=DESK, **how) -> Page:
            me = window(viewport, **how)
            cookie = {"name": "sessionid", "value": self.sessions[who], "url": site.url}
            me.page.context.add_cookies([cookie])
            me.go(address)
            return me.page

        def overflow(self, page: Page) -> int:
            """By how many pixels the page is wider than its window."""
            return page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )

    return Scene()


def test_from_the_table_to_the_answer(scene):
    table = scene.open(0, f"/games/{scene.match}/", PHONE)
    table.locator('[data-action="menu"]').click()
    with table.context.expect_page() as opened:
        table.locator('[data-action="report"]').click()
    form = opened.value
    expect(form.locator("h1")).to_contain_text(scene.suspect)
    assert scene.overflow(form) <= 0
    assert violations(form) == []
    form.get_by_label("Insults").check()
    form.get_by_label("In your words").fill("He calls me names.")
    form.locator('[data-action="send-report"]').click()
    expect(form.locator("#reports")).to_contain_text(scene.suspect)
    expect(form.locator(".toast")).to_contain_text("Thank you")
    expect(table.locator('#table[data-status="playing"]')).to_be_attached()

    desk = scene.open(2, "/moderation/")
    assert violations(desk) == []
    mine = desk.locator("[data-key-item]", has_text=scene.suspect)
    for _press in range(desk.locator("[data-key-item]").count()):
        desk.keyboard.press("j")
        if mine.evaluate("it => it === document.activeElement"):
            break
    expect(mine).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.locator("h1")).to_have_text(scene.suspect)
    expect(desk.locator("ol.reports")).to_contain_text("He calls me names.")
    expect(desk.locator('[data-action="uphold"]')).to_have_count(0)
    desk.keyboard.press("c")
    expect(desk.locator('[data-action="release"]')).to_be_visible()
    assert violations(desk) == []
    desk.locator('[data-action="see-talk"]').click()
    expect(desk.locator("#talk-lines")).to_contain_text("You dog")
    desk.go_back()
    desk.keyboard.press("j")
    expect(desk.locator('[data-action="uphold"]')).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.locator('[data-action="uphold"]')).to_have_count(0)
    desk.locator('[data-action="close-case"]').click()
    expect(desk.locator(".page-head")).to_contain_text("Closed")

    form.goto(form.url.partition("/reports/")[0] + "/notifications/")
    news = form.locator("#news a").first
    expect(news).to_contain_text("a moderator agreed with you")
    news.click()
    expect(form.locator("#reports")).to_contain_text("a moderator agreed")
    suspect = scene.open(1, "/notifications/")
    expect(suspect.locator("#news")).not_to_contain_text("report", ignore_case=True)


def test_a_line_of_talk_on_a_phone_without_script_in_arabic(scene):
    page = scene.open(0, f"/games/{scene.match}/", PHONE, java_script_enabled=False)
    link = page.locator('[data-action="report-line"]')
    address = link.get_attribute("href")
    page.context.add_cookies(
        [{"name": "language", "value": "ar", "url": page.url.partition("/games/")[0]}]
    )
    page.goto(page.url.partition("/games/")[0] + address)
    expect(page.locator(".quote")).to_have_text("You dog")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.locator('[name="reason"][value="insults"]').check()
    page.locator('[data-action="send-report"]').click()
    expect(page.locator("#reports")).to_contain_text(scene.suspect)


def test_a_case_fits_a_phone_and_works_without_script(scene):
    page = scene.open(0, f"/report/?match={scene.match}", PHONE, java_script_enabled=False)
    page.locator('[name="reason"][value="cheating"]').check()
    page.locator('[data-action="send-report"]').click()
    desk = scene.open(2, "/moderation/", PHONE, java_script_enabled=False)
    desk.locator("[data-key-item]", has_text=scene.suspect).click()
    assert scene.overflow(desk) <= 0
    desk.locator('[data-action="claim"]').click()
    assert scene.overflow(desk) <= 0
    desk.locator('[data-action="dismiss"]').click()
    expect(desk.locator('[data-action="dismiss"]')).to_have_count(0)
    page.goto(page.url)
    expect(page.locator("#reports")).to_contain_text("nothing against the rules")
