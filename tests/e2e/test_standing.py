"""The ladder in a browser: the board with one's own row, search, a profile with its charts, and the
matches against each other."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESK, PHONE

pytestmark = pytest.mark.e2e

WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def made(site) -> list[str]:
    """The session of somebody on the second page of the board, the name, and that of the first."""
    return json.loads(
        site.run("import json\nfrom tests import tables\nprint(json.dumps(tables.a_board()))")
    )


@pytest.fixture(params=["phone", "desk"])
def me(window, site, made, request):
    one = window(PHONE if request.param == "phone" else DESK, has_touch=request.param == "phone")
    one.page.context.add_cookies([{"name": "sessionid", "value": made[0], "url": site.url}])
    return one


def fits(page: Page) -> None:
    """Nothing is wider than the window."""
    assert page.evaluate(WIDTH) <= page.viewport_size["width"]


def test_from_the_own_row_by_search_to_a_profile(me, made):
    _key, name, best = made
    page = me.page
    me.go("/leaderboard/")
    mine = page.locator(f'tr.is-me[data-player="{name}"]')
    expect(mine).to_have_count(1)  # it stands on the second page, and is in sight on the first
    expect(page.locator("[data-player]").first).to_have_attribute("data-player", best)
    page.get_by_role("link", name="Go to my place").click()
    expect(mine).to_be_in_viewport(ratio=0.1)
    fits(page)

    page.get_by_role("searchbox").fill("salma_th")
    page.keyboard.press("Enter")
    found = page.locator("[data-player]")
    expect(found).to_have_count(1)
    found.get_by_role("link", name=best).click()
    expect(page.locator("h1")).to_have_text(best)
    fits(page)

    chart = page.get_by_role("img", name="Rating over 11 matches: from 1500")
    expect(chart).to_be_visible()
    box = chart.bounding_box()
    assert box["width"] > 250
    assert box["height"] > 150
    course = page.locator("#course")
    course.get_by_text("Show as a table").click()
    expect(course.locator("tbody tr")).to_have_count(12)
    course.get_by_role("link", name="by time").click()
    expect(page.locator("#over-time")).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("img", name=re.compile(r"Ratings of \d+ ranked"))).to_be_visible()

    against = page.locator("#meetings")
    expect(against.get_by_role("heading")).to_have_text(f"You against {best}")
    expect(against.locator("dd").first).to_have_text("11")
    expect(against.locator("li")).to_have_count(5)
    against.locator("li a").first.click()
    expect(page.locator("#table[data-status=finished]")).to_be_visible()
    page.go_back()
    expect(page.locator("h1")).to_have_text(best)
