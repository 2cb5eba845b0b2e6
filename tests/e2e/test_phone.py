"""The table on a small phone: all of it without scrolling, and nothing played by accident."""

import json

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.e2e.conftest import LANDSCAPE, PHONE
from tests.e2e.pages import OPEN_TO_ALL, PLAYERS_OWN
from tests.e2e.playing import attribute
from tests.servers import Site

pytestmark = pytest.mark.e2e

TOUCH = {"has_touch": True, "is_mobile": True}
TARGET = 44
# Where everything lies that must be seen whole, and what of it may not lie upon each other.
PARTS = (
    "#floor > li, #hand button, #hand > li:empty, .seat .backs, .stock, "
    ".pile-cards > :first-child, .turn, .points, .clock, .player-name, .dock button"
)
LAYOUT = """parts => {
  const cut = el => ["hidden", "clip"].includes(getComputedStyle(el).overflowX);
  const boxes = [...document.querySelectorAll(parts)].map(el => [el, el.getBoundingClientRect()])
    .filter(([, box]) => box.width);
  const name = el => el.dataset.card || el.className || el.id;
  const out = boxes.filter(([, b]) => b.left < -0.5 || b.top < -0.5
    || b.right > innerWidth + 0.5 || b.bottom > innerHeight + 0.5).map(([el]) => name(el));
  const over = [];
  boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    if (one.contains(other) || other.contains(one)) return;
    const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
                    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (x > 1 && y > 1) over.push(`${name(one)} on ${name(other)}`);
  }));
  const html = document.documentElement;
  const wide = [...document.querySelectorAll("#table :not(.card), .dock, .bar")]
    .filter(el => el.scrollWidth > el.clientWidth + 1 && el.clientWidth && !cut(el)
      && getComputedStyle(el).display !== "inline" && !el.closest("svg, .vh")).map(name);
  return {out, over, wide, count: boxes.length,
          scrolls: html.scrollHeight > innerHeight || html.scrollWidth > innerWidth
            || scrollY + document.body.scrollTop > 0};
}"""

# What can be pressed, but not everywhere within a square of the least size around its middle.
SMALL = """least => [...document.querySelectorAll('button, a[href], summary, input, select')]
  .filter(el => el.checkVisibility() && !el.closest('.vh, .skip') && el.offsetWidth)
  .filter(el => {
    const box = el.getBoundingClientRect();
    const [x, y, far] = [box.left + box.width / 2, box.top + box.height / 2, least / 2 - 1];
    return [[x - far, y], [x + far, y], [x, y - far], [x, y + far]].some(([at, down]) => {
      const found = document.elementFromPoint(Math.max(0, Math.min(innerWidth - 1, at)), down);
      return found && !el.contains(found);
    });
  })
  .map(el => el.id || el.className || el.textContent)"""


NARROWEST = """Math.min(...[...document.querySelectorAll('#floor > li')]
  .map(card => card.getBoundingClientRect().width))"""
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def sits(page: Page, site: Site, language: str, key: str = "") -> None:
    """Whoever is before that page has chosen that language, and may hold a session."""
    kept = {settings.LANGUAGE_COOKIE_NAME: language} | ({"sessionid": key} if key else {})
    cookies = [{"name": name, "value": value, "url": site.url} for name, value in kept.items()]
    page.context.add_cookies(cookies)


def all_is_seen(page: Page, parts: str = PARTS, least: int = 10) -> None:
    """Nothing of the table overlaps, overflows, or has to be scrolled to."""
    found = page.evaluate(LAYOUT, parts)
    assert found.pop("count") >= least
    assert found == {"out": [], "over": [], "wide": [], "scrolls": False}


SMALLEST = {"width": 320, "height": 568}
ZOOMED = {"width": 640, "height": 400}  # a desk of 1280 × 800 at 200 %


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE, SMALLEST, ZOOMED], ids=str)
def test_a_floor_of_fifteen_needs_no_scrolling(at_table, viewport):
    me = at_table("full_floor", viewport, **TOUCH)
    expect(me.page.locator("#floor > li")).to_have_count(15)
    all_is_seen(me.page)
    expect(me.page.locator(".away")).to_be_visible()
    least = TARGET if viewport == PHONE else 32
    assert me.page.evaluate(NARROWEST) >= least
    # And with nobody away; at once, for a push may tell it again.
    nobody = "document.getElementById('presence').replaceChildren()"
    assert me.page.evaluate(f"{nobody}, {NARROWEST}") >= least
    all_is_seen(me.page)


# A floor of 15 between two whose names are as long as names can be: the match, who moves, who not.
CROWDED = """
import json, random
from tests import tables
names = [tables.LONG + "".join(random.choices(tables.UNLIKE, k=9)) for _ in range(2)]
players = [person(name) for name in names]
match = tables.arranged(tables.pack_of(*tables.FULL), tables.FULL_PLAYS, players=players)
seats = sorted(match.seats.select_related("player"), key=lambda seat: seat.seat != match.turn)
print(json.dumps([match.id, [(seat.player.name, tables.session(seat.player)) for seat in seats]]))
"""
# What is told of who is away: in how many rows, and is any of it cut but the name?
ROWS = """() => {
  const [said, more] = [".away-who", ".away-who ~ *"].map(part => document.querySelector(part));
  const [one, other] = [said, more].map(part => part.getBoundingClientRect());
  const over = part => part.scrollWidth > part.offsetWidth + 1 || part.offsetWidth < 50;
  return {rows: Math.round((Math.max(one.bottom, other.bottom) - one.top)
            / parseFloat(getComputedStyle(said).lineHeight)),
          cut: over(said) || over(more) || other.right > innerWidth || other.left < 0};
}"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("moving", [True, False], ids=["my turn", "their turn"])
def test_who_is_away_takes_one_row_and_no_card_is_smaller(window, site, language, moving):
    match, players = json.loads(site.run(CROWDED))
    (_, key), (name, _) = players if moving else reversed(players)
    me = window(PHONE, **TOUCH)
    sits(me.page, site, language, key)
    me.go(f"/games/{match}/")
    expect(me.page.locator("#floor > li")).to_have_count(15)
    expect(me.page.locator(".away")).to_be_visible()
    assert me.page.evaluate(ROWS) == {"rows": 1, "cut": False}
    told = me.page.locator(".away").text_content()
    assert name in told
    heard = f"- paragraph: {json.dumps(told, ensure_ascii=False)}"
    expect(me.page.locator("#presence")).to_match_aria_snapshot(heard)
    assert me.page.evaluate(NARROWEST) >= TARGET
    all_is_seen(me.page)


# A match before its deal, whose player types the seed; with the longest reason for being unrated.
TYPED = """
import json
from tests import tables
match, key = tables.starting()
Match.objects.filter(pk=match).update(unrated={unrated!r})
print(json.dumps([match, key]))
"""
BEFORE = ".starting h2, .starting p, .hash, .seeds-there li, .starting :is(label, input, a, button)"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unrated", ["", "same pair"], ids=["rated", "unrated"])
def test_before_the_deal_everything_is_in_sight(window, site, language, unrated):
    """Also for who chooses the seed."""
    match, key = json.loads(site.run(TYPED.format(unrated=unrated)))
    me = window(PHONE, **TOUCH)
    page = me.page
    sits(page, site, language, key)
    me.go(f"/games/{match}/")
    expect(page.locator("#client-seed")).to_be_editable()
    seen = f"{BEFORE}, .score .player-name"
    all_is_seen(page, seen)
    inner = "[...document.querySelectorAll('.felt, .starting')]"
    assert page.evaluate(f"{inner}.every(part => part.scrollHeight <= part.clientHeight)")
    least = "Math.min(...[...document.querySelectorAll('.starting :is(input, .btn)')]"
    assert page.evaluate(f"{least}.filter(b => b.offsetHeight).map(b => b.offsetHeight))") >= TARGET
    # A seed that is refused is told where it hides nothing that can be pressed.
    page.locator("#client-seed").evaluate("field => field.removeAttribute('pattern')")
    page.fill("#client-seed", "not a seed")
    page.locator("#seed-form [type=submit]").tap()
    expect(page.locator(".table-notice")).to_be_visible()
    all_is_seen(page, ".table-notice, .starting :is(input, .btn)", least=4)
    page.locator('[data-action="leave"]').tap()
    expect(page.locator("#leaving")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=str)
@pytest.mark.parametrize("state", ["basra", "watched"])
def test_piles_and_basras_find_their_place(at_table, state, viewport):
    me = at_table(state, viewport, **TOUCH)
    all_is_seen(me.page)


@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE], ids=str)
def test_every_target_is_large_enough(at_table, viewport):
    me = at_table("full_floor", viewport, who={"confirm_play": True}, **TOUCH)
    me.page.locator('#hand [data-card="As"]').tap()
    expect(me.page.locator("#confirm")).to_be_visible()
    expect(me.page.locator(".is-guarded")).to_have_count(0)
    assert me.page.evaluate(SMALL, TARGET) == []
    assert me.page.evaluate(NARROWEST) >= (TARGET if viewport == PHONE else 32)
    all_is_seen(me.page)


def finger(page: Page, start: tuple[float, float], *stops: tuple[float, float]) -> None:
    """A finger that goes down, moves and goes up."""
    browser = page.context.new_cdp_session(page)
    points = [{"x": start[0], "y": start[1]}]
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    x, y = start
    for to_x, to_y in stops:
        for part in range(1, 6):
            at = {"x": x + (to_x - x) * part / 5, "y": y + (to_y - y) * part / 5}
            browser.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        x, y = to_x, to_y
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def centre(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_card_dragged_to_the_floor_is_played_and_elsewhere_not(at_table):
    me = at_table("full_floor", PHONE, **TOUCH)
    page = me.page
    number = attribute(page, "number")
    ten = '#hand [data-card="Ts"]'
    start = centre(page, ten)
    finger(page, start, centre(page, ".floor-wrap"), (start[0], start[1] - 4))
    finger(page, start, centre(page, ".dock"))
    finger(page, start, centre(page, ".seat"))
    expect(page.locator(".ghost")).to_have_count(0)
    assert attribute(page, "number") == number
    assert not page.locator("#table[data-busy], #confirm").count()
    finger(page, start, centre(page, ".floor-wrap"))
    moved = page.locator(f'#table:not([data-number="{number}"])')
    expect(moved.or_(page.locator("#choices")).first).to_be_attached()
    if page.locator("#choices").count():
        page.locator("#choices .capture").first.tap()
    expect(moved).to_be_attached()
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_mouse_may_drag_too(at_table):
    me = at_table("basra", PHONE)
    page = me.page
    number = attribute(page, "number")
    page.locator("#hand button").first.hover()
    page.mouse.down()
    page.mouse.move(*centre(page, ".dock"), steps=4)
    page.mouse.up()
    assert attribute(page, "number") == number
    page.locator("#hand button").first.drag_to(page.locator(".floor-wrap"))
    expect(page.locator(f'#table:not([data-number="{number}"])')).to_be_attached()


def test_a_double_tap_neither_plays_twice_nor_confirms(at_table):
    me = at_table("full_floor", PHONE, who={"confirm_play": True}, **TOUCH)
    page = me.page
    number = attribute(page, "number")
    ace = page.locator('#hand [data-card="As"]')
    at = centre(page, '#hand [data-card="As"]')
    page.touchscreen.tap(*at)
    expect(page.locator('[data-action="confirm-play"]')).to_have_count(1)
    page.touchscreen.tap(*at)
    expect(page.locator("#floor .is-capturable")).to_have_count(1)
    expect(ace).to_have_class("card is-armed is-guarded")
    assert attribute(page, "number") == number
    page.locator("#confirm [name=cancel]").tap()
    expect(page.locator("#confirm")).to_have_count(0)
    ace.tap()
    expect(page.locator("#confirm")).to_be_visible()
    expect(page.locator(".is-guarded")).to_have_count(0)
    ace.tap()
    expect(page.locator(f'#table:not([data-number="{number}"])')).to_be_attached()


def test_confirming_is_offered_once_to_touch_players(at_table, site):
    me = at_table("finished", PHONE, **TOUCH)
    page = me.page
    expect(page.locator("[data-offer]")).to_be_visible()
    page.locator('[data-action="no-thanks"]').tap()
    expect(page.locator("[data-offer]")).to_be_hidden()
    page.reload()
    expect(page.locator("#result-title")).to_be_visible()
    expect(page.locator("[data-offer]")).to_be_hidden()
    me.go("/settings/local/")
    page.locator('[data-action="forget"]').tap()
    page.wait_for_url("**/settings/")
    page.go_back()
    page.go_back()
    expect(page.locator("[data-offer]")).to_be_visible()
    page.locator('[data-action="ask-me"]').tap()
    expect(page.locator("html[data-confirm]")).to_be_attached()
    expect(page.locator("#result-title")).to_be_visible()
    mouse = at_table("finished")
    expect(mouse.page.locator("[data-offer]")).to_be_hidden()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_is_wider_than_a_small_phone(at_table, site, language):
    """Also a desk at 400 %."""
    me = at_table("finished", SMALLEST)
    page = me.page
    sits(page, site, language)
    table = page.url.removeprefix(site.url)
    wide = {}
    for path in (table, *OPEN_TO_ALL, *PLAYERS_OWN):
        me.go(path)
        page.evaluate("document.activeElement.blur()")
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if over > 0:
            wide[path] = over
    me.complaints[:] = [c for c in me.complaints if "404" not in c]
    assert wide == {}
