"""Guests in a real browser, and a browser that several people use."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import DESK, PHONE, Window
from tests.e2e.playing import PATIENCE_MS, attribute, my_turn_or_over, play_first_card

pytestmark = pytest.mark.e2e

PASSWORD = "long-enough-9"
# All but what htmx notes for itself on every page: its address.
KEPT = """() => [localStorage, sessionStorage].flatMap(Object.keys)
  .filter(name => name !== "htmx-current-path-for-history")"""


def practise(me: Window) -> str:
    """Press practice in the lobby; the address of the table, where it is the reader's turn."""
    me.go("/")
    me.page.locator('[data-action="practice"][data-level="novice"]').click()
    me.page.wait_for_url("**/games/*/")
    assert my_turn_or_over(me.page)
    return me.page.url


def fill_in(page: Page, name: str) -> None:
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    page.locator("form:has([name=password1]) [type=submit]").click()
    page.wait_for_url("**/recovery-code/**")


def resign(page: Page) -> None:
    page.locator('[data-action="menu"]:visible, [data-action="resign"]:visible').first.click()
    if not page.locator('[data-action="confirm-resign"]').is_visible():
        page.locator('[data-action="resign"]').click()
    page.locator('[data-action="confirm-resign"]').click()
    expect(page.locator('#table[data-status="finished"]')).to_be_attached()


def checked(page: Page, line: str) -> None:
    """The check of this match finds nothing wrong, and says that of what was noted."""
    page.locator('[data-action="check"]').click()
    expect(page.locator('[data-verdict="sound"]')).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator('[data-verdict="wrong"]')).to_be_hidden()
    expect(page.locator(".check-steps")).to_contain_text(line)


def log_out(page: Page, site) -> None:
    page.goto(f"{site.url}/accounts/logout/")
    page.locator("form[action$='/logout/'] [type=submit]").click()
    page.wait_for_url(f"{site.url}/")


def kept(context: BrowserContext, page: Page) -> tuple[list[str], set[str]]:
    """What the browser keeps in its storage, and which cookies."""
    return page.evaluate(KEPT), {cookie["name"] for cookie in context.cookies()}


def test_a_guest_signs_up_in_the_middle_of_a_match_which_goes_on(window, site):
    me = window(DESK)
    table = practise(me)
    play_first_card(me.page)
    match, number = attribute(me.page, "match"), attribute(me.page, "number")
    other_tab = me.page.context.new_page()
    other_tab.goto(table)
    me.page.on("dialog", lambda dialog: dialog.accept())
    me.page.locator('[data-action="sign-up"]').click()
    fill_in(me.page, "Zahra")
    # The tab that stayed open is the new account's, and plays on.
    expect(other_tab.locator('.bar-tools a[href="/players/zahra/"]')).to_be_visible()
    assert my_turn_or_over(other_tab)
    play_first_card(other_tab)
    other_tab.close()
    me.page.goto(table)
    assert my_turn_or_over(me.page)
    assert attribute(me.page, "match") == match
    assert int(attribute(me.page, "number")) > int(number)
    play_first_card(me.page)
    resign(me.page)
    checked(me.page, "are those that this browser noted before the deal")
    me.go("/games/")
    expect(me.page.locator(f'a[href="/games/{match}/"]').first).to_be_visible()


def test_a_guest_plays_and_signs_up_without_script(window):
    me = window(PHONE, java_script_enabled=False)
    me.go("/")
    me.page.locator('[data-action="practice"][data-level="novice"]').click()
    me.page.fill("[name=client_seed]", "tea")
    me.page.locator("form:has([name=client_seed]) [type=submit]").click()
    table = me.page.url
    me.go("/accounts/signup/")
    fill_in(me.page, "Yara")
    me.page.goto(table)
    expect(me.page.locator('#table[data-status="playing"]')).to_be_attached()


def test_log_out_leaves_nothing_and_the_check_says_not_noted(window, site):
    me = window(DESK)
    me.sign_up("Habiba")
    table = practise(me)
    resign(me.page)
    checked(me.page, "are those that this browser noted before the deal")
    storage, _cookies = kept(me.page.context, me.page)
    assert any(name.startswith("basra:match:") for name in storage)
    log_out(me.page, site)
    storage, cookies = kept(me.page.context, me.page)
    assert storage == []
    assert cookies <= {"csrftoken", "language", "messages"}
    me.go("/accounts/login/")
    me.page.fill("[name=login]", "Habiba")
    me.page.fill("[name=password]", PASSWORD)
    me.page.locator("form:has([name=password]) [type=submit]").click()
    me.page.wait_for_url(f"{site.url}/")
    me.page.goto(table)
    checked(me.page, "Not noted in this browser")


def test_times_are_those_of_the_browsers_clock_until_log_out(window, site):
    me = window(DESK, timezone_id="America/Sao_Paulo")
    me.sign_up("Bruna")
    cookies = {cookie["name"]: cookie["value"] for cookie in me.page.context.cookies()}
    assert cookies["zone"] == "America/Sao_Paulo"
    log_out(me.page, site)
    _storage, cookies = kept(me.page.context, me.page)
    assert "zone" not in cookies


def test_script_alone_leaves_nothing_either(window, site):
    """Logged out elsewhere with this browser's session: no header comes to the page."""
    me = window(DESK)
    me.sign_up("Malak")
    table = practise(me)
    assert "basra:reader" in me.page.evaluate(KEPT)
    cookies = {cookie["name"]: cookie["value"] for cookie in me.page.context.cookies()}
    headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": site.url}
    me.page.request.post(f"{site.url}/accounts/logout/", headers=headers)
    expect(me.page.locator('body[data-reader=""]')).to_be_attached()
    assert me.page.evaluate(KEPT) == []
    me.complaints[:] = [c for c in me.complaints if "404" not in c or table not in c]


def test_other_tabs_drop_their_hands_at_once(window, site):
    me = window(DESK)
    me.sign_up("Jana")
    table = practise(me)
    hand = me.page.locator("#hand [data-card]")
    expect(hand).to_have_count(4)
    other_tab = me.page.context.new_page()
    log_out(other_tab, site)
    expect(hand).to_have_count(0)
    expect(me.page.locator("#table")).to_have_count(0)
    me.page.go_back()
    expect(me.page.locator("#hand")).to_have_count(0)
    me.complaints[:] = [c for c in me.complaints if "404" not in c or table not in c]


def test_back_after_log_out_shows_no_hand(window, site):
    me = window(DESK)
    me.sign_up("Laila")
    table = practise(me)
    me.page.on("dialog", lambda dialog: dialog.accept())
    log_out(me.page, site)
    for _step in range(3):
        me.page.go_back()
        expect(me.page.locator("#hand, [data-card]")).to_have_count(0)
    me.page.goto(table)
    expect(me.page.locator("#table")).to_have_count(0)
    assert me.page.locator("body").get_attribute("data-reader") == ""
    me.complaints[:] = [c for c in me.complaints if "404" not in c or table not in c]


def test_the_next_reader_of_a_browser_begins_with_nothing(window, site):
    """Also if the one before never logged out by the door."""
    me = window(DESK)
    me.sign_up("Farah")
    practise(me)
    noted = me.page.evaluate("Object.keys(localStorage).length")
    assert noted > 1
    key = site.run("from tests import tables\nprint(tables.session(person()))")
    me.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    me.page.on("dialog", lambda dialog: dialog.accept())
    me.go("/rules/")
    assert me.page.evaluate(KEPT) == ["basra:reader"]
