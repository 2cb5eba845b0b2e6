"""A match by keyboard alone: everything reachable, the focus seen, and kept through every swap."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK
from tests.e2e.playing import PATIENCE_MS, attribute, my_turn_or_over

pytestmark = pytest.mark.e2e

FOCUSED = "document.activeElement.id || document.activeElement.dataset.action || ''"
SEEN = """() => {
  const el = document.activeElement;
  if (el === document.body) return "nothing has the focus";
  const styles = [el, el.closest(".player-name")?.querySelector("a")].filter(Boolean)
    .flatMap(one => [getComputedStyle(one), getComputedStyle(one, "::after")]);
  const ring = styles.some(s => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2);
  const box = el.getBoundingClientRect();
  const inside = box.width && box.bottom > 0 && box.top < innerHeight;
  return ring && inside && el.matches(":focus-visible") ? "" : `${el.id || el.outerHTML}: not seen`;
}"""


def focus_is_seen(page: Page) -> None:
    assert page.evaluate(SEEN) == ""


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until ``selector`` has the focus; each stop on the way can be seen."""
    for _stop in range(60):
        page.keyboard.press(key)
        focus_is_seen(page)
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")


def play_by_keys(page: Page, made: int) -> bool:
    """Walk through the hand and play a card; was there a choice?"""
    number = attribute(page, "number")
    held = page.locator("#hand button").count()
    expect(page.locator(".is-guarded")).to_have_count(0)
    expect(page.locator("#hand button:focus")).to_have_count(1)
    for _step in range(made % 3):
        page.keyboard.press("ArrowRight")
        focus_is_seen(page)
    page.keyboard.press("Home" if made % 2 else "End")
    focus_is_seen(page)
    slot = page.evaluate(FOCUSED)
    expect(page.locator("#hand button").nth(0 if made % 2 else held - 1)).to_have_id(slot)
    page.keyboard.press("Enter")
    moved = page.locator(f'#table:not([data-number="{number}"])')
    chooser = page.locator("#choices .capture").first
    expect(moved.or_(chooser).first).to_be_attached(timeout=PATIENCE_MS)
    if not chooser.is_visible():
        focus_is_seen(page)
        return False
    expect(chooser).to_be_focused()
    focus_is_seen(page)
    page.keyboard.press("Escape")
    expect(page.locator("#choices")).to_have_count(0)
    expect(page.locator(f"#{slot}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(chooser).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#choices .capture").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(moved).to_be_attached()
    return True


def test_a_match_from_the_lobby_to_resigning(window):
    me = window(DESK)
    me.sign_up("Keyboard")
    page = me.page
    tab_to(page, '[data-action="practice"][data-level="novice"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/*/")
    expect(page.locator('#table[data-status="playing"]')).to_be_attached(timeout=PATIENCE_MS)
    assert my_turn_or_over(page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#hand button:focus")).to_have_count(1)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#keys button")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("#hand button:focus")).to_have_count(1)
    made = 0
    while my_turn_or_over(page) and attribute(page, "deal") == "1":
        play_by_keys(page, made)
        made += 1
    assert made == 24
    if attribute(page, "status") == "playing":
        expect(page.locator("#hand button:focus")).to_have_count(1)
        page.keyboard.press("2")
        expect(page.locator("#hand-slot-1")).to_be_focused()
        tab_to(page, '[data-action="resign"]')
        page.keyboard.press("Enter")
        expect(page.locator("#resigning")).to_be_visible()
        focus_is_seen(page)
        page.keyboard.press("Escape")
        expect(page.locator('[data-action="resign"]')).to_be_focused()
        page.keyboard.press("Enter")
        tab_to(page, '[data-action="confirm-resign"]')
        page.keyboard.press("Enter")
        expect(page.locator('#table[data-status="finished"]')).to_be_attached()
    expect(page.locator("#result-title")).to_be_focused()
    tab_to(page, ".result .btn-primary")


def test_the_chooser(at_table):
    me = at_table("choice", DESK)
    page = me.page
    page.keyboard.press("1")
    expect(page.locator("#floor .is-capturable")).to_have_count(4)
    assert play_by_keys(page, 1)
    focus_is_seen(page)


def test_each_play_is_confirmed_by_a_second_enter(at_table):
    me = at_table("basra", DESK, who={"confirm_play": True})
    page = me.page
    number = attribute(page, "number")
    page.keyboard.press("4")
    slot = page.evaluate(FOCUSED)
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator(f"#{slot}")).to_be_focused()
    expect(page.locator("#live")).to_contain_text("Raised")
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator(".is-guarded")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(f'#table:not([data-number="{number}"])')).to_be_attached()
    focus_is_seen(page)


def test_the_live_region_says_each_thing_once(at_table):
    """One polite region, outside what is swapped; it tells the play and whose turn it is."""
    me = at_table("basra", DESK)
    page = me.page
    assert page.locator("[aria-live]").count() == 1
    page.evaluate(
        "window.said = []; new MutationObserver((changes) => changes.forEach((change) =>"
        " change.addedNodes.forEach((line) => said.push(line.textContent))))"
        ".observe(document.getElementById('live'), {childList: true})"
    )
    page.keyboard.press("3")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator('#table[data-turn="opponent"]')).to_be_attached()
    expect(page.locator("#live")).to_contain_text("’s turn")
    said = page.evaluate("said")
    assert len(said) == 1
    assert said[0].startswith("You ")
