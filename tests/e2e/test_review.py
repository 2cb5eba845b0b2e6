"""The review of a match in a browser: with a real worker and the real search, by script and
without."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE
from tests.e2e.test_axe import violations
from tests.e2e.test_learn import fits

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("how", [{}, {"java_script_enabled": False}], ids=["script", "plain"])
def test_a_match_is_looked_back_at(at_table, how):
    me = at_table("finished", PHONE, **how)
    page = me.page
    page.locator('.result [data-action="review"]').click()
    expect(page.locator("#progress, #turning")).to_be_visible()
    expect(page.locator('#review[data-state="ready"]')).to_be_attached(timeout=90_000)
    assert fits(page)
    if not how:
        expect(page.locator("#review-said")).to_have_text("The review is ready.")
        assert violations(page) == []
    turning = page.locator("#turning a").first
    where = turning.get_attribute("href")
    turning.click()
    deal, place = re.search(r"deal=(\d+)&play=(\d+)", where).groups()
    board = page.locator(f'#replay-board[data-deal="{deal}"][data-place="{place}"]')
    expect(board).to_be_visible()
    page.locator(".replay-head > .btn").click()
    expect(page.locator('#review[data-state="ready"]')).to_be_attached()
    page.locator("#deal-1 summary").click()
    expect(page.locator("#deal-1 tr[data-play]")).to_have_count(24)
