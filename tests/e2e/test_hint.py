"""A hint at the table in a browser: asked once, then one tap, and no card waits for it."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import LANDSCAPE, PHONE
from tests.e2e.test_learn import fits

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    "how", [{}, {"java_script_enabled": False}, {"locale": "ar"}], ids=["script", "plain", "ar"]
)
def test_a_hint_is_agreed_to_once_and_goes_with_the_play(at_table, how):
    me = at_table("practising", PHONE, **how)
    page = me.page
    page.locator('[data-action="hint"]').click()
    page.locator('[data-action="agree-hint"]').click()
    hint = page.locator("#hint[data-play]")
    expect(hint).to_be_visible()
    assert fits(page)
    expect(page.locator('#deals [data-unrated="hint"]')).to_be_attached()
    card = hint.get_attribute("data-play").partition(":")[0]
    hinted = page.locator("#hand .is-hinted")
    expect(hinted).to_have_attribute("data-card", card)
    page.locator('[data-action="hint"]').click()
    expect(hint).to_have_attribute("data-play", hint.get_attribute("data-play"))
    hinted.click()
    if page.locator("#choices").count():
        page.locator("#choices .capture").first.click()
    expect(page.locator("#hint")).to_have_count(0)


def test_at_the_fullest_floor_nothing_is_out_of_sight(at_table):
    page = at_table("full_practice", PHONE).page
    page.locator('[data-action="hint"]').click()
    page.locator('[data-action="agree-hint"]').click()
    expect(page.locator("#hint[data-play]")).to_be_in_viewport(ratio=1)
    for card in page.locator("#floor > li, #hand button").all():
        expect(card).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("who", [{}, {"confirm_play": True}], ids=["choices", "confirm"])
def test_who_is_about_to_play_can_still_ask(at_table, who):
    page = at_table("choice_practice", PHONE, who=who).page
    page.locator(f'#hand [data-card="{"Kc" if who else "6s"}"]').click()
    expect(page.locator("#choices, #confirm")).to_be_visible()
    page.locator('[data-action="hint"]').click()
    page.locator('[data-action="agree-hint"]').click()
    expect(page.locator("#hint[data-play]")).to_be_in_viewport(ratio=1)
    page.locator('[data-action="hint"]').click()
    expect(page.locator("#hint[data-play]")).to_be_visible()


def test_no_card_waits_for_a_thought(at_table):
    page = at_table("practising", PHONE).page
    table, held = page.locator("#table"), []
    number = table.get_attribute("data-number")
    page.route("**/hint/", lambda route: held.append(route))
    with page.expect_request("**/hint/"):
        page.locator('[data-action="hint"]').click()
    page.locator("#hand button").first.click()
    expect(page.locator(f'#choices, #table:not([data-number="{number}"])').first).to_be_attached()
    if page.locator("#choices").count():
        page.locator("#choices .capture").first.click()
    expect(table).not_to_have_attribute("data-number", number)
    with page.expect_response("**/hint/"):
        held[0].continue_()
    expect(page.locator("#hint[data-play]")).to_have_count(0)


def test_when_the_match_is_over_the_result_has_the_whole_width(at_table):
    page = at_table("practising", PHONE).page
    page.locator('[data-action="menu"]').click()
    page.locator('[data-action="resign"]').click()
    page.locator('[data-action="confirm-resign"]').click()
    expect(page.locator("#result-title")).to_be_visible()
    assert page.locator(".felt").bounding_box()["width"] == PHONE["width"]


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=["portrait", "landscape"])
def test_what_holds_for_the_deal_is_shown_beside_the_button(at_table, viewport):
    page = at_table("practising", viewport).page
    expect(page.locator(".deal-facts")).to_be_in_viewport(ratio=1)
    button = page.locator("#hint-button").bounding_box()
    for line in page.locator(".deal-facts li:visible").all():
        box = line.bounding_box()
        apart = box["x"] + box["width"] <= button["x"] or box["y"] + box["height"] <= button["y"]
        assert apart, line.text_content()


LOWEST = {"width": 568, "height": 320}
COVERED = """cards => cards.filter(card => {
  const box = card.getBoundingClientRect();
  const spots = [[2, 2], [box.width - 2, 2], [2, box.height - 2], [box.width - 2, box.height - 2]];
  return spots.some(([x, y]) => document.elementFromPoint(box.x + x, box.y + y)?.closest("#hint"));
}).length"""


@pytest.mark.parametrize("viewport", [LANDSCAPE, LOWEST], ids=["low", "lowest"])
@pytest.mark.parametrize("how", [{}, {"locale": "ar"}], ids=["en", "ar"])
def test_on_its_side_a_hint_covers_no_card(at_table, viewport, how):
    page = at_table("full_practice", viewport, **how).page
    cards = page.locator("#floor > li, #hand button")
    page.locator('[data-action="hint"]').click()
    page.locator("#hint").wait_for()
    assert cards.evaluate_all(COVERED) == 0
    page.locator('[data-action="agree-hint"]').click()
    expect(page.locator("#hint[data-play]")).to_be_in_viewport(ratio=1)
    assert cards.evaluate_all(COVERED) == 0
