"""The whole course in a browser, by keyboard alone and without script."""

import pytest
from playwright.sync_api import Page, expect

from games.engine import Play
from games.selectors.lessons import LESSONS
from tests.e2e.conftest import PHONE

pytestmark = pytest.mark.e2e


def press(page: Page, selector: str) -> None:
    """Go by Tab to what the selector names, and press Enter."""
    target = page.locator(selector)
    expect(target).to_be_visible()
    for _step in range(80):
        if target.evaluate("it => it === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def lesson_named(page: Page, name: str) -> None:
    expect(page.locator(f'#lesson[data-lesson="{name}"][data-reached="no"]')).to_be_attached()


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("how", [{}, {"locale": "ar"}], ids=["en", "ar"])
def test_the_whole_course_by_keyboard(window, how):
    me = window(PHONE, **how)
    me.go("/")
    press(me.page, '#lobby-learn [data-action="learn"]')
    press(me.page, '[data-action="learn"]')
    for lesson in LESSONS:
        lesson_named(me.page, lesson.name)
        assert fits(me.page)
        best = Play.parse(lesson.best)
        wrong = next(card for card in lesson.hand if card is not best.card)
        if lesson is LESSONS[0]:
            press(me.page, f'#hand [data-card="{wrong}"]')
            expect(me.page.locator("#answer-title")).to_be_focused()
            press(me.page, '[data-action="again"]')
            lesson_named(me.page, lesson.name)
        press(me.page, f'#hand [data-card="{best.card}"]')
        if len(lesson.ways(best.card)) > 1:
            capture = lesson.best.partition(":")[2]
            press(me.page, f'#choices [data-capture="{capture}"]')
        expect(me.page.locator('#lesson[data-reached="yes"]')).to_be_attached()
        expect(me.page.locator("#answer-title")).to_be_focused()
        assert fits(me.page)
        press(me.page, '[data-action="next"]')
    me.page.wait_for_url(f"{me.site.url}/")
    expect(me.page.locator("#play-title")).to_be_visible()
    expect(me.page.locator("#lobby-learn")).to_have_count(0)
    me.go("/learn/")
    expect(me.page.locator(".list .tag-good")).to_have_count(len(LESSONS))


def test_a_lesson_without_script(window):
    me = window(PHONE, java_script_enabled=False)
    me.go("/learn/choosing/")
    me.page.locator('#hand [data-card="6s"]').click()
    me.page.locator('#choices [data-capture="As,5d"]').click()
    expect(me.page.locator('[data-reached="no"]')).to_be_attached()
    me.page.locator('[data-action="again"]').click()
    me.page.locator('#hand [data-card="6s"]').click()
    me.page.locator('#choices [data-capture="As,2h,3c"]').click()
    expect(me.page.locator('[data-reached="yes"]')).to_be_attached()
    me.go("/learn/")
    expect(me.page.locator(".list .tag-good")).to_have_count(1)
