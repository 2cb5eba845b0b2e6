"""Whole matches in a real browser, with plays chosen from what the page offers."""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from ladder.elo import START
from tests.e2e.conftest import DESK, PHONE
from tests.e2e.playing import PATIENCE_MS, attribute, my_turn_or_over, play_first_card
from tests.servers import ROOT

pytestmark = pytest.mark.e2e


def verify(path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "manage.py", "verify_record", str(path)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip


def test_two_people_play_a_ranked_match(window, site, tmp_path):
    one, two = window(DESK), window(PHONE)
    one.sign_up("Nour")
    two.sign_up("Salma")

    one.page.locator('[data-action="ranked"]').click()
    expect(one.page.locator('[data-action="leave-queue"]')).to_be_visible()
    one.page.reload()
    expect(one.page.locator('[data-action="leave-queue"]')).to_be_visible()
    two.page.locator('[data-action="ranked"]').click()
    for side in (one, two):
        side.page.wait_for_url("**/games/*/", timeout=PATIENCE_MS)
        expect(side.page.locator('#table[data-status="playing"]')).to_be_attached(
            timeout=PATIENCE_MS
        )
    match_id = attribute(one.page, "match")
    assert attribute(two.page, "match") == match_id
    assert {attribute(side.page, "seat") for side in (one, two)} == {"0", "1"}

    both = (one.page, two.page)
    while any(attribute(page, "status") == "playing" for page in both):
        for page in both:
            if attribute(page, "turn") == "me":
                play_first_card(page)
        newest = max(int(attribute(page, "version")) for page in both)
        for page in both:
            expect(page.locator(f'#table[data-version="{newest}"]')).to_be_attached(
                timeout=PATIENCE_MS
            )

    record = json.loads(one.page.request.get(f"{site.url}/games/{match_id}/record.json").text())
    assert record["result"]["how"] == "points"
    kept = tmp_path / "record.json"
    kept.write_text(json.dumps(record))
    assert verify(kept).returncode == 0
    pack = record["deals"][0]["pack"]
    pack[0], pack[1] = pack[1], pack[0]
    kept.write_text(json.dumps(record))
    assert verify(kept).returncode == 1

    winner = record["players"][record["result"]["winner"]]
    for side, name in ((one, "Nour"), (two, "Salma")):
        side.go("/leaderboard/")  # where one's own row is always in sight
        row = side.page.locator(f'[data-player="{name}"]')
        expect(row).to_have_attribute(
            "data-rating", str(START + 16 if name == winner else START - 16)
        )
    one.go(f"/players/{winner.casefold()}/")
    expect(one.page.locator(f'a[href="/games/{match_id}/"]').first).to_be_visible()


def test_one_person_plays_a_practice_match_against_regular(window):
    me = window(PHONE)
    me.sign_up("Hassan")
    me.page.locator('[data-action="practice"][data-level="regular"]').click()
    me.page.wait_for_url("**/games/*/", timeout=PATIENCE_MS)
    expect(me.page.locator('#table[data-status="playing"]')).to_be_attached(timeout=PATIENCE_MS)
    while my_turn_or_over(me.page):
        play_first_card(me.page)
    expect(me.page.locator(".result")).to_be_visible()


def test_a_person_with_an_own_seed_types_it(window):
    me = window(DESK)
    me.sign_up("Karim")
    me.go("/settings/")
    me.page.locator("[name=chooses_seed]").check()
    me.page.locator("form:has([name=chooses_seed]) [type=submit]").click()
    me.go("/")
    me.page.locator('[data-action="practice"][data-level="novice"]').click()
    expect(me.page.locator("#fairness")).to_be_visible()
    commitment = me.page.locator("#fairness").get_attribute("data-commitment")
    assert len(commitment) == 64
    me.page.fill("[name=client_seed]", "my-own-seed")
    me.page.locator("form:has([name=client_seed]) [type=submit]").click()
    expect(me.page.locator('#table[data-status="playing"]')).to_be_attached()
    me.page.locator('[data-action="menu"]:visible, [data-action="resign"]:visible').first.click()
    if not me.page.locator('[data-action="confirm-resign"]').is_visible():
        me.page.locator('[data-action="resign"]').click()
    me.page.locator('[data-action="confirm-resign"]').click()
    expect(me.page.locator('#table[data-status="finished"]')).to_be_attached()
    expect(me.page.locator("body")).to_contain_text("my-own-seed")


def test_a_whole_match_without_script(window):
    """Plain forms do: a resigned match after a few plays, with JavaScript off."""
    me = window(DESK, java_script_enabled=False)
    me.sign_up("Plainform")
    me.page.locator('[data-action="practice"][data-level="novice"]').click()
    me.page.fill("[name=client_seed]", "typed")
    me.page.locator("form:has([name=client_seed]) [type=submit]").click()
    made = 0
    while made < 6:
        if attribute(me.page, "turn") == "me":
            me.page.locator("#hand [data-card]").first.click()
            choice = me.page.locator("#choices [data-capture]").first
            if choice.is_visible():
                choice.click()
            made += 1
        else:
            me.page.reload()
    assert int(attribute(me.page, "number")) > 6
