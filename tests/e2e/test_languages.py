"""Arabic in a browser: the table on a phone, and the switch."""

import json

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE
from tests.servers import Site

pytestmark = pytest.mark.e2e
FITS = """() => {
  const root = document.documentElement;
  return root.scrollWidth <= innerWidth && root.scrollHeight <= innerHeight;
}"""


def table(site: Site, state: str, **preferences: object) -> tuple[str, str]:
    """The address of a table in that state, and a session of somebody who sits there."""
    told = site.run(
        "import json\nfrom tests import tables\n"
        f"print(json.dumps(tables.{state}(**json.loads({json.dumps(preferences)!r}))))"
    )
    match, session = json.loads(told.splitlines()[-1])
    return f"/games/{match}/", session


@pytest.mark.parametrize("state", ["full_floor", "choice", "basra", "counted"])
def test_the_table_fits_a_phone_in_both_languages(window, site, state):
    path, session = table(site, state)
    someone = window(PHONE)
    someone.page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    someone.go(path)
    page = someone.page
    for language, direction in (("en", "ltr"), ("ar", "rtl"), ("en", "ltr")):
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("html")).to_have_attribute("dir", direction)
        assert page.evaluate(FITS)
        button = page.locator("button[name=language]")
        expect(button).to_be_in_viewport(ratio=1)
        first = page.locator("#hand .card").first.bounding_box()
        last = page.locator("#hand .card").last.bounding_box()
        assert (first["x"] < last["x"]) == (direction == "ltr")
        button.click()
        page.wait_for_url(lambda url: url.endswith(path))


def test_the_clock_runs_in_the_readers_digits(window, site):
    path, session = table(site, "basra", language="ar", arabic_digits=True)
    someone = window(PHONE)
    someone.page.context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    someone.go(path)
    shown = someone.page.locator(".is-turn [data-seconds]")
    before = shown.text_content()
    expect(shown).not_to_have_text(before, timeout=5000)
    assert set(shown.text_content()) <= set("٠١٢٣٤٥٦٧٨٩:")
    expect(someone.page.locator("#floor .card").first).to_be_visible()
