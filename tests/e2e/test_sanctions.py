"""Measures of moderators as the players see them, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import DESK, PHONE
from tests.e2e.playing import PATIENCE_MS, attribute, play_first_card

pytestmark = pytest.mark.e2e

PASSWORD = "long-enough-9"
INSULTED = re.compile("You have insulted other players.")
# Two people at a table and two seniors, with their sessions; the first has a password.
TABLE = """
import json
from ladder.models import Role
from tests import tables
from tests.factories import dealt, person, staff
one, two = person(), person()
one.set_password("long-enough-9")
one.save()
match = dealt(players=[one, two])
everybody = [one, two, staff(Role.SENIOR), staff(Role.SENIOR)]
print(json.dumps([match.id, one.pk, one.name, [tables.session(each) for each in everybody]]))
"""


class Case:
    """Both players at a table in play, and two moderators."""

    def __init__(self, window, site) -> None:
        match, self.player, self.name, keys = json.loads(site.run(TABLE))
        windows = [window(PHONE), window(PHONE), window(DESK), window(DESK)]
        self.one, self.two, self.moderator, self.other = windows
        for key, each in zip(keys, windows, strict=True):
            cookie = {"name": "sessionid", "value": key, "url": site.url}
            each.page.context.add_cookies([cookie])
        for each in (self.one, self.two):
            each.go(f"/games/{match}/")
            expect(each.page.locator('#table[data-status="playing"]')).to_be_attached()

    @property
    def mover(self):
        """Whose turn it is."""
        return self.one if attribute(self.one.page, "turn") == "me" else self.two

    def impose(self, measure: str, running: str) -> None:
        """The moderator fills the form in; a grave measure is asked once more."""
        page = self.moderator.page
        self.moderator.go(f"/moderation/players/{self.player}/sanction/")
        page.select_option("[name=measure]", measure)
        page.select_option("[name=reason]", "insults")
        page.locator('[data-action="ready-text"]').click()
        expect(page.locator("[name=message]")).to_have_value(INSULTED)
        page.locator(f'[name=running][value="{running}"]').check()
        page.locator('[data-action="impose"]').click()
        if measure == "suspend":
            page.locator('[data-action="sure"]').click()
        expect(page.locator(".toast")).to_contain_text("It is done")


@pytest.fixture
def case(window, site) -> Case:
    return Case(window, site)


def test_suspension_in_mid_match_read_and_appealed(case, site):
    one, two = case.one, case.two
    play_first_card(case.mover.page)
    case.impose("suspend", "lost")

    result = two.page.locator("#result-title")
    expect(result).to_have_text("You won", timeout=PATIENCE_MS)
    expect(two.page.locator("[data-unrated]")).to_have_attribute("data-unrated", "sanction")

    page = one.page
    expect(page.locator("#result-title")).to_be_visible(timeout=PATIENCE_MS)
    one.go("/accounts/login/")
    page.fill("[name=login]", case.name)
    page.fill("[name=password]", PASSWORD)
    page.locator("form:has([name=password]) [type=submit]").click()
    expect(page).to_have_url(f"{site.url}/sanctions/")
    expect(page.locator("main")).to_contain_text("You have insulted other players.")
    page.locator('[data-action="acknowledge"]').click()
    expect(page.locator("main")).to_contain_text("Nothing else is open to you now.")
    one.go("/leaderboard/")
    expect(page).to_have_url(f"{site.url}/sanctions/")

    page.locator("summary", has_text="Appeal").focus()
    page.keyboard.press("Enter")
    page.locator("textarea").fill("It was my brother.")
    page.locator('[data-action="appeal"]').click()
    expect(page.locator('[data-appeal="waits"]')).to_be_visible()
    expect(page.locator("textarea")).to_have_count(0)

    for moderator, may in ((case.moderator, False), (case.other, True)):
        moderator.go("/moderation/appeals/")
        moderator.page.locator(".list a", has_text=case.name).click()
        expect(moderator.page.locator("blockquote")).to_have_text("It was my brother.")
        expect(moderator.page.locator('[data-action="grant"]')).to_have_count(int(may))
    case.other.page.fill("[name=answer]", "Fine.")
    case.other.page.locator('[data-action="grant"]').click()
    one.go("/sanctions/")
    expect(page.locator('[data-appeal="granted"]')).to_contain_text("Fine.")
    one.go("/")
    expect(page).to_have_url(f"{site.url}/")
    expect(page.locator('[data-action="ranked"]')).to_be_enabled()


def test_a_warning_waits_for_the_end_of_the_match_and_is_acknowledged(case, site):
    one, two = case.one, case.two
    case.impose("warning", "go on")
    page = one.page
    page.reload()
    expect(page.locator(".held-bar")).to_contain_text("A moderator has written to you.")
    mover = case.mover
    play_first_card(mover.page)
    number = attribute(mover.page, "number")
    expect(page.locator(f'#table[data-number="{number}"]')).to_be_attached(timeout=PATIENCE_MS)
    two.page.locator('[data-action="menu"]').click()
    two.page.locator('[data-action="resign"]').click()
    two.page.locator('[data-action="confirm-resign"]').click()
    expect(page.locator('#table[data-status="finished"]')).to_be_attached(timeout=PATIENCE_MS)
    page.reload()
    expect(page).to_have_url(f"{site.url}/sanctions/")
    expect(page.locator("main")).to_contain_text("This is a warning.")
    page.locator('[data-action="acknowledge"]').click()
    expect(page).to_have_url(f"{site.url}/")
    one.go("/leaderboard/")
    expect(page).to_have_url(f"{site.url}/leaderboard/")
