"""Challenges and rematches in several browsers at once: what one does is seen in the other."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE, Window
from tests.e2e.playing import PATIENCE_MS, attribute, until
from tests.e2e.test_axe import nothing, violations

pytestmark = pytest.mark.e2e

LINE = ("htmx", "WebSocket", "ERR_INTERNET_DISCONNECTED")
MAKE = """
import json
from tests import tables
people = [person() for _ in range({people})]
print(json.dumps([[player.name, tables.session(player)] for player in people]))
"""
RESIGNED = """
import json
from tests import tables
players = list(Player.objects.filter(name__in={names!r}))
for _time in range({times}):
    match = dealt("{kind}", players)
    play.resign(match_id=match.id, player=players[0])
print(match.id)
"""
ASK_AGAIN = """() => new Promise(done => {
  document.addEventListener("htmx:afterRequest", () => done(), {once: true});
  htmx.trigger(document.body, "news-challenges");
})"""


@pytest.fixture
def people(window, site) -> Callable[..., list[Window]]:
    """So many people, each logged in to a browser of their own; ``name`` says who it is."""

    def make(number: int, **how: object) -> list[Window]:
        opened = []
        for name, key in json.loads(site.run(MAKE.format(people=number))):
            one = window(PHONE if len(opened) % 2 else DESK, **how)
            cookie = {"name": "sessionid", "value": key, "url": site.url}
            one.page.context.add_cookies([cookie])
            one.name = name
            opened.append(one)
        return opened

    return make


@pytest.fixture
def after(people, site) -> Callable[..., tuple[Window, Window, str]]:
    """Two people before a match of theirs that is over, and its address."""

    def make(kind: str = "ranked", times: int = 1, **how: object) -> tuple[Window, Window, str]:
        one, two = people(2, **how)
        names = [one.name, two.name]
        match = site.run(RESIGNED.format(names=names, times=times, kind=kind))
        for person in (one, two):
            person.go(f"/games/{match}/")
        return one, two, f"/games/{match}/"

    return make


def challenge(one: Window, name: str = "") -> str:
    """Challenge somebody by name, or make a link; the address."""
    one.go(f"/challenges/new/?to={name}")
    if not name:
        one.page.locator("label:has([name=whom][value=link])").click()
        expect(one.page.locator("[name=to]")).to_be_hidden()
    one.page.locator("label:has([name=target][value='51'])").click()
    one.page.locator(".challenge-form [type=submit]").click()
    one.page.wait_for_url(re.compile(r"/challenges/\w{16}/$"))
    return one.page.url.removeprefix(one.site.url)


def at_the_same_table(*people: Window) -> str:
    for person in people:
        person.page.wait_for_url("**/games/*/", timeout=PATIENCE_MS)
        expect(person.page.locator('#table[data-status="playing"]')).to_be_attached(
            timeout=PATIENCE_MS
        )
    (match,) = {attribute(person.page, "match") for person in people}
    return match


def how_many(site, names: list[str]) -> int:
    """The matches of these people."""
    code = f"print(Match.objects.filter(seats__player__name__in={names!r}).distinct().count())"
    return int(site.run(code))


def press(page: Page, action: str) -> None:
    page.locator(f'[data-action="{action}"]').click()


def forgive(*people: Window) -> None:
    for person in people:
        kept = [c for c in person.complaints if not any(part in c for part in LINE)]
        person.complaints[:] = kept


# ------------------------------------------------------------------ challenges


def test_a_challenge_by_name_is_accepted_and_both_are_at_the_table(people, site):
    one, two = people(2)
    two.go("/rules/")
    address = challenge(one, two.name)
    two.go(address)
    press(two.page, "accept")
    at_the_same_table(one, two)
    expect(one.page.locator(".bar-context")).to_contain_text("51")
    assert how_many(site, [one.name]) == 1


@pytest.mark.parametrize("elsewhere", ["/", "/rules/"])
def test_whoever_waits_elsewhere_is_fetched_to_the_table(people, elsewhere):
    one, two = people(2)
    address = challenge(one, two.name)
    one.go(elsewhere)
    two.go(address)
    press(two.page, "accept")
    at_the_same_table(one, two)


@pytest.mark.parametrize("end", ["decline", "cancel-challenge"])
def test_no_and_never_mind_are_seen_at_once_on_the_other_page(people, end):
    one, two = people(2)
    address = challenge(one, two.name)
    doer, other = (two, one) if end == "decline" else (one, two)
    pushed: list[str] = []
    other.page.on(
        "websocket", lambda it: it.on("framereceived", lambda text: pushed.append(str(text)))
    )
    for person in (one, two):
        person.go(address)
        expect(person.page.locator('.challenge[data-answer="open"]')).to_be_visible()
    press(doer.page, end)
    answer = {"decline": "declined", "cancel-challenge": "cancelled"}[end]
    for person in (doer, other):
        expect(person.page.locator(f'.challenge[data-answer="{answer}"]')).to_be_visible(
            timeout=PATIENCE_MS
        )
        expect(person.page.locator('[data-action="accept"]')).to_have_count(0)
    assert any("challenges" in frame for frame in pushed)


def test_a_link_is_for_whoever_takes_it_first(people, window, site):
    one, two, three = people(3)
    address = challenge(one)
    stranger = window(PHONE)
    stranger.go(address)
    expect(stranger.page.locator('[data-action="sign-up"]')).to_be_visible()
    for person in (two, three):
        person.go(address)
        expect(person.page.locator('[data-action="accept"]')).to_be_visible()
    press(two.page, "accept")
    at_the_same_table(one, two)
    three.page.locator('[data-action="accept"]').click()
    expect(three.page.locator("h1")).to_contain_text("Somebody else has taken this challenge")
    expect(stranger.page.locator('.challenge[data-answer="accepted"]')).to_be_visible(
        timeout=PATIENCE_MS
    )
    three.complaints[:] = [c for c in three.complaints if "409" not in c]
    assert how_many(site, [one.name, three.name]) == 1


def test_the_lobby_shows_a_challenge_at_once_and_its_end(people):
    one, two = people(2)
    two.go("/")
    address = challenge(one, two.name)
    row = two.page.locator("#challenges [data-challenge]")
    expect(row).to_be_visible(timeout=PATIENCE_MS)
    one.go(address)
    press(one.page, "cancel-challenge")
    expect(row).to_have_count(0, timeout=PATIENCE_MS)
    challenge(one, two.name)
    row.get_by_role("button", name=re.compile("^Accept")).click(timeout=PATIENCE_MS)
    at_the_same_table(one, two)


def test_a_list_that_has_not_changed_stays_as_it_is(people):
    one, two = people(2)
    challenge(one, two.name)
    two.go("/challenges/")
    row = two.page.locator("#challenges [data-challenge]")
    row.evaluate("row => { row.id = 'drawn-first'; }")
    two.page.evaluate(ASK_AGAIN)
    expect(two.page.locator("#challenges.is-guarded")).to_have_count(0)
    expect(two.page.locator("#drawn-first")).to_be_visible()


def test_two_tabs_accept_and_one_match_begins(people, site):
    one, two = people(2)
    address = challenge(one, two.name)
    two.go(address)
    other = two.page.context.new_page()
    other.goto(site.url + address)
    # Neither tab may be led away by the other before it has pressed, too.
    held = two.page.context
    held.route("**/accept/", lambda route: waiting.append(route))
    waiting: list[object] = []
    for page in (two.page, other):
        page.locator('[data-action="accept"]').click(no_wait_after=True)
    until(other, lambda: len(waiting) == 2)
    for route in waiting:
        route.continue_()
    at_the_same_table(one, two)
    other.wait_for_url("**/games/*/", timeout=PATIENCE_MS)
    assert how_many(site, [one.name]) == 1


def test_a_stranger_signs_up_by_the_link_and_plays(people, window):
    (one,) = people(1)
    address = challenge(one)
    new = window(PHONE)
    new.go(address)
    press(new.page, "sign-up")
    new.page.fill("[name=username]", "Newcomer")
    new.page.fill("[name=password1]", "long-enough-9")
    new.page.locator("form:has([name=password1]) [type=submit]").click()
    new.page.get_by_role("link", name="Continue to play").click()
    press(new.page, "accept")
    at_the_same_table(one, new)


def test_the_link_is_copied_and_shared(people, site):
    (one,) = people(1)
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
    address = challenge(one)
    page = one.page
    press(page, "copy")
    expect(page.locator("[data-copy-said]")).not_to_be_empty()
    assert page.evaluate("navigator.clipboard.readText()") == site.url + address
    page.add_init_script(
        "navigator.share = what => { window.shared = what; return Promise.resolve(); }"
    )
    page.reload()
    press(page, "share")
    shared = page.evaluate("window.shared")
    assert shared["url"] == site.url + address
    assert one.name in shared["text"]


def test_a_line_that_was_cut_when_it_was_accepted(people):
    one, two = people(2)
    address = challenge(one, two.name)
    two.go(address)
    one.page.context.set_offline(True)
    press(two.page, "accept")
    two.page.wait_for_url("**/games/*/", timeout=PATIENCE_MS)
    one.page.context.set_offline(False)
    at_the_same_table(one, two)
    forgive(one, two)


def test_challenges_without_script(people):
    one, two = people(2, java_script_enabled=False)
    one.go(f"/challenges/new/?to={two.name}")
    one.page.locator(".challenge-form [type=submit]").click()
    two.go("/challenges/")
    two.page.get_by_role("button", name=re.compile("^Accept")).click()
    two.page.wait_for_url("**/games/*/")
    one.page.reload()
    one.page.wait_for_url("**/games/*/")
    assert attribute(one.page, "match") == attribute(two.page, "match")


# ------------------------------------------------------------------ playing again


def state(person: Window, answer: str) -> None:
    expect(person.page.locator(f'#again [data-answer="{answer}"]')).to_be_visible(
        timeout=PATIENCE_MS
    )


def test_a_rematch_taken_back_declined_and_accepted(after, site):
    one, two, old = after()
    press(one.page, "rematch")
    state(one, "open")
    state(two, "open")
    press(one.page, "cancel-rematch")
    state(two, "cancelled")
    press(two.page, "rematch")
    state(one, "open")
    press(one.page, "decline-rematch")
    state(two, "declined")
    expect(two.page.locator('[data-action="rematch"]')).to_have_count(0)
    press(one.page, "rematch")  # and thinks better of it
    state(two, "open")
    press(two.page, "rematch")
    at_the_same_table(one, two)
    assert how_many(site, [one.name]) == 2


def test_both_press_play_again(after, site):
    one, two, old = after("challenge")
    for person in (one, two):
        person.page.locator('[data-action="rematch"]').dblclick(no_wait_after=True)
    at_the_same_table(one, two)
    assert how_many(site, [one.name]) == 2
    # A page that comes late finds the way.
    late = one.page.context.new_page()
    late.goto(one.site.url + old)
    expect(late.locator("#again-next")).to_be_visible()
    assert late.url == one.site.url + old


def test_a_double_click_offers_and_takes_nothing_back(after):
    one, two, old = after()
    one.page.locator('[data-action="rematch"]').dblclick()
    state(one, "open")
    state(two, "open")
    expect(one.page.locator("#again.is-guarded")).to_have_count(0)
    state(one, "open")


def test_the_keyboard_keeps_its_place(after):
    one, _two, _old = after()
    one.page.locator('[data-action="rematch"]').focus()
    one.page.keyboard.press("Enter")
    state(one, "open")
    expect(one.page.locator("#again [data-says]")).to_be_focused()
    one.page.keyboard.press("Tab")
    expect(one.page.locator("#again-cancel")).to_be_focused()


def test_from_the_end_of_the_match_itself(people, site):
    """The offer comes with the last push, over the table's own socket."""
    one, two = people(2)
    made = site.run(
        f"players = list(Player.objects.filter(name__in={[one.name, two.name]!r}))\n"
        "print(dealt('ranked', players).id)"
    )
    for person in (one, two):
        person.go(f"/games/{made}/")
        expect(person.page.locator('#table[data-status="playing"]')).to_be_attached()
    menu = one.page.locator('[data-action="resign"]')
    if not menu.is_visible():
        press(one.page, "menu")
    press(one.page, "resign")
    press(one.page, "confirm-resign")
    press(one.page, "rematch")
    state(two, "open")
    press(two.page, "rematch")
    at_the_same_table(one, two)


def test_a_fourth_match_is_said_not_to_be_rated_before_it_is_taken(after, site):
    one, two, _old = after("ranked", times=3)
    said = "three ranked matches within 24 hours"
    for person in (one, two):
        expect(person.page.locator("#again")).to_contain_text(said)
    press(one.page, "rematch")
    state(two, "open")
    expect(two.page.locator("#again")).to_contain_text(said)
    press(two.page, "rematch")
    match = at_the_same_table(one, two)
    assert site.run(f"print(Match.objects.get(pk={match!r}).unrated)") == "same pair"


def test_who_has_left_is_said_to_have_left(after, site):
    one, two, _old = after()
    expect(one.page.locator("#again")).not_to_contain_text("has left the site")
    two.page.close()
    site.run(f"Online.objects.filter(player__name={two.name!r}).delete()")
    expect(one.page.locator("#again")).to_contain_text("has left the site", timeout=PATIENCE_MS)


def test_a_line_cut_while_the_other_accepts(after):
    one, two, _old = after()
    press(one.page, "rematch")
    state(two, "open")
    one.page.context.set_offline(True)
    press(two.page, "rematch")
    two.page.wait_for_url(lambda url: not url.endswith(_old), timeout=PATIENCE_MS)
    one.page.context.set_offline(False)
    at_the_same_table(one, two)
    forgive(one, two)


def test_practice_is_played_again_at_once(at_table):
    me = at_table("practising", PHONE)
    old = attribute(me.page, "match")
    me.page.locator('[data-action="menu"]').click()
    press(me.page, "resign")
    press(me.page, "confirm-resign")
    press(me.page, "rematch")
    me.page.wait_for_url(lambda url: old not in url)
    expect(me.page.locator('#table[data-status="playing"]')).to_be_attached(timeout=PATIENCE_MS)


# ------------------------------------------------------------------ how it looks


def test_axe_finds_nothing(people, after, window):
    found = {}
    one, two, old = after()
    link = challenge(one)
    named = challenge(one, two.name)
    stranger = window(PHONE)
    for who, reader, address in (
        ("mine", one, link), ("theirs", two, link), ("a stranger's", stranger, link),
        ("named, mine", one, named), ("named, theirs", two, named), ("a list", two, "/challenges/"),
    ):  # fmt: skip
        reader.go(address)
        found[who] = violations(reader.page)
    two.go(named)
    press(two.page, "decline")
    expect(two.page.locator('.challenge[data-answer="declined"]')).to_be_visible()
    found["declined"] = violations(two.page)
    for person in (one, two):
        person.go(old)
    press(one.page, "rematch")
    for name, person in (("again, mine", one), ("again, theirs", two)):
        state(person, "open")
        found[name] = violations(person.page)
    nothing(found)
