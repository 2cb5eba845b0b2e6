"""After the end: the replay, and the check in the reader's own browser."""

import json

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.conftest import DESK, PHONE

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def match(site):
    """The id of a ranked match of two deals or more, played to its end."""
    return site.run("print(play_on(dealt(target=101)).id)")


def place(page):
    board = page.locator("#replay-board")
    return int(board.get_attribute("data-deal")), int(board.get_attribute("data-place"))


def at(deal, number):
    return f'#replay-board[data-deal="{deal}"][data-place="{number}"]'


def test_the_replay_goes_by_buttons_keys_slider_and_by_itself(window, match):
    me = window(DESK)
    me.go(f"/games/{match}/")
    page = me.page
    assert place(page) == (1, 0)
    page.locator("#replay-on").click()
    expect(page.locator(at(1, 1))).to_be_visible()
    page.locator("#replay-board").press("ArrowRight")
    expect(page.locator(at(1, 2))).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(at(1, 1))).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#replay-on")).to_have_count(0)
    last = place(page)
    assert last[0] > 1
    assert f"deal={last[0]}" in page.url
    page.keyboard.press("Home")
    expect(page.locator(at(1, 0))).to_be_visible()
    page.locator("#replay-slider").fill("47")
    expect(page.locator(at(1, 47))).to_be_visible()
    page.locator("[data-auto='500']").click()
    expect(page.locator('#replay-board[data-deal="2"]')).to_be_visible()
    page.locator("[data-auto='500']").click()
    expect(page.locator("[data-auto='500']")).to_have_attribute("aria-pressed", "false")


def test_a_link_leads_to_any_play_without_script(window, match):
    me = window(PHONE, java_script_enabled=False)
    me.go(f"/games/{match}/?deal=1&play=5")
    assert place(me.page) == (1, 5)
    me.page.locator("#replay-back").click()
    assert place(me.page) == (1, 4)
    me.page.locator(".replay-plays a").nth(9).click()
    assert place(me.page) == (1, 10)
    me.go(f"/games/{match}/?deal=99&play=-1")
    assert place(me.page)[1] == 0
    expect(me.page.locator("#replay-board .card")).to_have_count(12)


def check(page):
    page.locator('[data-action="check"]').click()
    expect(page.locator("[data-verdict]:visible")).to_have_count(1)
    return page.locator("[data-verdict]:visible").get_attribute("data-verdict")


def test_the_check_passes_on_a_real_match(window, match):
    me = window(DESK)
    me.go(f"/games/{match}/")
    assert check(me.page) == "sound"
    expect(me.page.locator('[data-step="pack"]').first).to_have_attribute("data-ok", "true")
    expect(me.page.locator('[data-step="not-noted"]')).to_be_visible()


def swap_a_card(record):
    pack = record["deals"][1]["pack"]
    pack[3], pack[17] = pack[17], pack[3]


def other_seed(record):
    record["server_seed"] = "00" * 32


def other_commitment(record):
    record["commitment"] = "ab" * 32


@pytest.mark.parametrize(
    ("tamper", "step", "reason"),
    [
        (swap_a_card, "pack", "Card 4"),
        (other_seed, "commitment", "should be"),
        (other_commitment, "commitment", "abab"),
    ],
)
def test_the_check_fails_with_the_reason_on_a_record_that_is_not_true(
    window, match, tamper, step, reason
):
    me = window(DESK)

    def answer(route: Route) -> None:
        record = json.loads(route.fetch().text())
        tamper(record)
        route.fulfill(json=record)

    me.page.route("**/record.json", answer)
    me.go(f"/games/{match}/")
    assert check(me.page) == "wrong"
    expect(me.page.locator(f'[data-step="{step}"][data-ok="false"]').first).to_contain_text(reason)


def test_a_browser_that_took_part_knows_what_it_noted(window):
    me = window(DESK)
    me.sign_up("Noted")
    me.page.locator('[data-action="practice"][data-level="novice"]').click()
    expect(me.page.locator('#table[data-status="playing"]')).to_be_attached()
    me.page.locator('[data-action="resign"]').click()
    me.page.locator('[data-action="confirm-resign"]').click()
    expect(me.page.locator('#table[data-status="finished"]')).to_be_attached()
    assert check(me.page) == "sound"
    expect(me.page.locator('[data-step="noted"]')).to_have_attribute("data-ok", "true")
    me.page.evaluate(
        "for (const k in localStorage) if (k.startsWith('basra:match:')) localStorage.setItem(k,"
        " JSON.stringify({...JSON.parse(localStorage.getItem(k)), seeds: ['another']}))"
    )
    assert check(me.page) == "wrong"


def test_a_seed_that_a_second_tab_sent_in_vain_is_no_forgery(at_table):
    one = at_table("starting").page
    two = one.context.new_page()
    two.route_web_socket("**", lambda socket: None)
    two.goto(one.url)
    for page, seed in ((one, "mine"), (two, "other")):
        page.fill("#client-seed", seed)
        page.locator("#seed-form [type=submit]").click()
        expect(page.locator("#seed-form")).to_have_count(0)
    assert one.evaluate(
        """() => {
          const [name] = kept.names("match:");
          const {match, commitment, seeds} = JSON.parse(kept.read(name.slice(6)));
          const record = {match, commitment, client_seeds: ["mine", null], deals: []};
          return [...fair.check(record, {commitment, seeds, seat: 0})].at(-1).ok;
        }"""
    )


def test_the_scripts_shuffle_is_that_of_the_golden_vectors(window, match):
    from tests.servers import ROOT

    cases = json.loads((ROOT / "tests/golden/shuffle.json").read_text())["cases"]
    me = window(DESK)
    me.go(f"/games/{match}/")
    wrong = me.page.evaluate(
        """cases => cases.filter(c =>
            fair.commitment(c.server_seed) !== c.commitment
            || fair.firstDealer(c.server_seed, c.match, c.client_seeds) !== c.first_dealer
            || Object.entries(c.packs).some(([k, pack]) =>
                fair.pack(c.server_seed, c.match, c.client_seeds, Number(k)).join() !== pack.join())
        ).length""",
        cases,
    )
    assert wrong == 0
    assert len(cases) >= 12
