"""What moves are copies: the table is right at once, nothing waits, and older frames stay old."""

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.conftest import DESK, PHONE
from tests.e2e.playing import attribute, until

pytestmark = pytest.mark.e2e

# Notes, the moment a table arrives, what it shows and whether copies are on their way.
WATCH = """() => {
  window.seen = [];
  document.addEventListener("basra:table", event => seen.push({
    version: event.detail.table.dataset.version,
    points: [...event.detail.table.querySelectorAll(".points")].map(p => p.lastChild.textContent),
    opacity: [...event.detail.table.querySelectorAll(".points")]
      .map(p => getComputedStyle(p).opacity),
    plays: event.detail.plays.length,
    ghosts: document.querySelectorAll("body > .ghost").length,
  }));
}"""
FLOOR = "[...document.querySelectorAll('#floor [data-card]')].map(card => card.dataset.card)"
SLOWLY = ":root { --t-play: 1500ms !important; --t-pile: 1500ms !important; }"


def slowly(page):
    """Motion that takes its time, so that a test can look at it."""
    page.add_style_tag(content=SLOWLY)


def test_an_older_frame_during_motion_changes_nothing(at_table):
    """A capture is under way on copies; the frame before it comes once more, and then a newer."""
    routes: list[WebSocketRoute] = []
    frames: list[str] = []

    def noting(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)

        def came(message: str) -> None:
            if 'id="table"' in message:
                frames.append(message)
            route.send(message)

        server.on_message(came)
        routes.append(route)

    me = at_table(
        "basra",
        DESK,
        bypass_csp=True,
        before=lambda page: page.route_web_socket("**/ws/games/**", noting),
    )
    page = me.page
    expect(page.locator("#presence")).to_be_attached()
    until(page, lambda: frames)
    older = frames[0]
    slowly(page)
    page.evaluate(WATCH)
    page.locator("#hand button").first.click()
    expect(page.locator('#table[data-turn="opponent"]')).to_be_attached()
    version, number = attribute(page, "version"), attribute(page, "number")
    moving = page.evaluate("document.getAnimations().length")
    assert moving
    floor = page.locator("#floor [data-card]").evaluate_all(
        "cards => cards.map(c => c.dataset.card)"
    )
    routes[-1].send(older)
    page.wait_for_timeout(150)
    assert (attribute(page, "version"), attribute(page, "number")) == (version, number)
    assert [seen["version"] for seen in page.evaluate("seen")] == [version]
    after = page.locator("#floor [data-card]").evaluate_all(
        "cards => cards.map(c => c.dataset.card)"
    )
    assert after == floor
    newer = older.replace('data-version="', 'data-version="9')
    routes[-1].send(newer)
    expect(page.locator('#table[data-turn="me"]')).to_be_attached()
    assert page.locator("body > .ghost").count() == 0


def test_a_play_may_be_made_while_the_last_one_is_told(at_table):
    """The table is final as soon as it is there: the next card can be played at once."""
    me = at_table("practising", PHONE, bypass_csp=True)
    page = me.page
    slowly(page)
    for _play in range(3):
        expect(page.locator('#table[data-turn="me"]')).to_be_attached()
        number = attribute(page, "number")
        expect(page.locator(".is-guarded")).to_have_count(0)
        page.locator("#hand button").first.click()
        moved = page.locator(f'#table:not([data-number="{number}"])')
        choice = page.locator("#choices .capture").first
        expect(moved.or_(choice).first).to_be_attached(timeout=1200)
        if choice.count():
            choice.click()
            expect(moved).to_be_attached(timeout=1200)


@pytest.mark.parametrize("how", ["system", "preference"])
def test_nothing_moves_where_that_is_wished(at_table, how):
    wish = {"reduced_motion": "reduce"} if how == "system" else {"who": {"animation": "off"}}
    me = at_table("basra", PHONE, **wish)
    page = me.page
    page.evaluate(
        "window.copies = 0; new MutationObserver(changes => changes.forEach(c => c.addedNodes"
        ".forEach(n => { if (n.classList?.contains('ghost')) copies += 1; })))"
        ".observe(document.body, {childList: true})"
    )
    number = attribute(page, "number")
    page.locator("#hand button").first.click()
    expect(page.locator(f'#table:not([data-number="{number}"])')).to_be_attached()
    assert page.evaluate("copies") == 0
    longest = page.evaluate(
        "Math.max(0, ...document.getAnimations().map(a => a.effect.getComputedTiming().duration))"
    )
    assert longest <= 1


def test_a_count_holds_back_no_number(at_table):
    me = at_table("last_play", DESK)
    page = me.page
    page.evaluate(WATCH)
    page.locator("#hand button").first.click()
    choice = page.locator("#choices .capture").first
    expect(page.locator(".counted").or_(choice).first).to_be_attached()
    if choice.count():
        choice.click()
    expect(page.locator(".counted")).to_be_visible()
    seen = page.evaluate("seen").pop()
    totals = page.locator(".counted tfoot tr:last-child td").all_inner_texts()
    assert sorted(seen["points"]) == sorted(totals)
    assert seen["opacity"] == ["1", "1"]


def test_two_plays_in_one_table_are_both_told(at_table):
    """The house answers before the page has heard of the own play."""
    me = at_table("practising", PHONE)
    page = me.page
    page.evaluate(WATCH)
    number = int(attribute(page, "number"))
    page.context.set_offline(True)
    page.context.set_offline(False)
    token = page.evaluate("JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRFToken']")
    card = page.locator("#hand [data-card]").first.get_attribute("data-card")
    answer = page.request.post(
        page.url,
        form={"number": number, "card": card, "csrfmiddlewaretoken": token},
        headers={"Referer": page.url},
    )
    assert answer.ok
    expect(page.locator(f'#table[data-number="{number + 2}"]')).to_be_attached()
    assert sum(seen["plays"] for seen in page.evaluate("seen")) == 2


def test_the_tab_calls_and_the_screen_stays_on(at_table):
    stub = """
      window.locks = [];
      const make = () => ({
        released: false, release() { this.released = true; return Promise.resolve(); }});
      Object.defineProperty(navigator, "wakeLock", {value: {request: async kind => {
        const lock = make(); locks.push(lock); return lock; }}});
    """
    me = at_table("basra", DESK, before=lambda page: page.add_init_script(stub))
    page = me.page
    awake = "locks.filter(lock => !lock.released).length"
    page.wait_for_function(f"{awake} === 1")
    assert "turn" in page.locator("#icon").get_attribute("href")
    assert page.title().startswith("Your turn")
    page.locator("#hand button").first.click()
    expect(page.locator('#table[data-turn="opponent"]')).to_be_attached()
    assert "turn" not in page.locator("#icon").get_attribute("href")
    assert page.evaluate(awake) == 1
    page.locator('[data-action="resign"]').click()
    page.locator('[data-action="confirm-resign"]').click()
    expect(page.locator('#table[data-status="finished"]')).to_be_attached()
    page.wait_for_function(f"{awake} === 0")


def test_sounds_are_made_only_where_they_are_chosen(at_table):
    spy = """
      window.made = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...how) {
        made += 1;
        return start.apply(this, how);
      };
    """
    for sounds in (True, False):
        me = at_table(
            "basra", DESK, who={"sounds": sounds}, before=lambda page: page.add_init_script(spy)
        )
        page = me.page
        page.locator(".turn").click()  # a touch of the page lets it sound
        page.locator("#hand button").first.click()
        expect(page.locator('#table[data-turn="opponent"]')).to_be_attached()
        if sounds:
            page.wait_for_function("made > 0")
        assert bool(page.evaluate("made")) == sounds
