"""The puzzle of the day in a browser: by keyboard, by script and without."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE
from tests.e2e.test_learn import fits, press

pytestmark = pytest.mark.e2e

CHOOSE = """
import json
from random import Random
from games.models import Puzzle
from games.selectors.puzzles import today
from games.services import puzzles
puzzles.LOOKED_AT = 1
puzzles.choose_due(Random(1))
print(json.dumps(Puzzle.objects.get(day=today()).plays))
"""


@pytest.fixture(scope="module")
def plays(site) -> list[str]:
    """The plays of today's puzzle, the best first, as the real search has it."""
    return [row["play"] for row in json.loads(site.run(CHOOSE).splitlines()[-1])]


def parts(play: str) -> tuple[str, str]:
    card, _colon, capture = play.partition(":")
    return card, capture


def test_a_person_solves_it_by_keyboard_and_begins_a_streak(window, plays):
    me = window(PHONE)
    me.sign_up("Solver")
    press(me.page, '#lobby-puzzle [data-action="puzzle"]')
    card, capture = parts(plays[0])
    expect(me.page.locator('#puzzle[data-answered="no"]')).to_be_attached()
    assert fits(me.page)
    press(me.page, f'#hand [data-card="{card}"]')
    press(me.page, f'#choices [data-capture="{capture}"]')
    expect(me.page.locator('#puzzle[data-answered="solved"]')).to_be_attached()
    expect(me.page.locator("#answer-title")).to_be_focused()
    expect(me.page.locator('[data-streak="1"]')).to_be_visible()
    expect(me.page.locator("tr[data-play]")).to_have_count(len(plays))
    assert fits(me.page)
    me.go("/")
    expect(me.page.locator("#lobby-puzzle .tag-good")).to_be_visible()


@pytest.mark.parametrize(
    "how", [{"java_script_enabled": False}, {"locale": "ar"}], ids=["plain", "ar"]
)
def test_a_stranger_misses_it_and_is_told_why(window, plays, how):
    me = window(PHONE, **how)
    me.go("/puzzle/")
    card, capture = parts(plays[1])
    me.page.locator(f'#hand [data-card="{card}"]').click()
    me.page.locator(f'#choices [data-capture="{capture}"]').click()
    expect(me.page.locator('#puzzle[data-answered="missed"]')).to_be_attached()
    assert fits(me.page)
    me.go("/puzzle/")
    expect(me.page.locator('#puzzle[data-answered="missed"]')).to_be_attached()
    expect(me.page.locator("tr.is-me")).to_have_attribute("data-play", plays[1])
