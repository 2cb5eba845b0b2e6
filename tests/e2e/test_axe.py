"""axe-core finds nothing: every page and every state of the table, light and dark, in every
language, on a phone and on a desk."""

import json
from pathlib import Path

import axe_playwright_python
import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.e2e.conftest import DESK, PHONE
from tests.e2e.pages import ACCOUNT, OPEN_TO_ALL, PLAYERS_OWN

pytestmark = pytest.mark.e2e

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RUN = """async options => {
  await Promise.all(document.getAnimations().map(a => a.finished.catch(() => {})));
  const found = await axe.run(document, {resultTypes: ["violations"], ...options});
  return found.violations.map(v => `${v.id}: ${v.help}: ` + v.nodes.slice(0, 4)
    .map(n => `${n.target} ${n.any.concat(n.all, n.none).map(c => c.message)}`).join(" | "));
}"""
STATES = [
    "starting", "full_floor", "choice", "basra", "counted", "watched", "finished", "aborted",
]  # fmt: skip


@pytest.fixture
def tables(site):
    """Every state of a table, its clocks fresh: its name → (match, session)."""
    made = site.run(
        f"import json\nfrom tests import tables\n"
        f"print(json.dumps({{name: getattr(tables, name)() for name in {STATES!r}}}))"
    )
    return json.loads(made)


def violations(page: Page) -> list[str]:
    """What axe finds in the light; and in the dark, where only colours are others, of contrast."""
    page.evaluate(f"if (typeof axe === 'undefined') {{ {AXE} }}")
    page.emulate_media(color_scheme="light")
    found = page.evaluate(RUN, {})
    page.emulate_media(color_scheme="dark")
    return found + [f"dark: {what}" for what in page.evaluate(RUN, CONTRAST)]


def nothing(found: dict[str, list[str]]) -> None:
    lines = [f"{where}: {what}" for where, every in found.items() for what in every]
    assert not lines, "\n".join(lines)


LANGUAGES = [code for code, _name in settings.LANGUAGES]
CONTRAST = {"runOnly": ["color-contrast"]}


@pytest.fixture
def reader(window, site):
    """Opens a browser that reads in a language, as whoever holds a session."""

    def open_one(language: str, viewport: dict[str, int], key: str = ""):
        me = window(viewport, reduced_motion="reduce")
        kept = {settings.LANGUAGE_COOKIE_NAME: language} | ({"sessionid": key} if key else {})
        me.page.context.add_cookies(
            [{"name": name, "value": value, "url": site.url} for name, value in kept.items()]
        )
        return me

    return open_one


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages(reader, tables, language):
    found = {}
    stranger = reader(language, DESK)
    for path in OPEN_TO_ALL:
        stranger.go(path)
        assert stranger.page.locator("html").get_attribute("lang") == language
        found[path] = violations(stranger.page)
    stranger.complaints[:] = [c for c in stranger.complaints if "404" not in c]
    mine = reader(language, PHONE, tables["finished"][1])
    for path in PLAYERS_OWN:
        mine.go(path)
        found[f"mine {path}"] = violations(mine.page)
    mine.go("/leaderboard/")
    mine.page.locator("tbody a").first.click()
    found["profile"] = violations(mine.page)
    new = reader(language, DESK)
    new.sign_up(f"axe-{language}")
    for path in ACCOUNT:
        new.go(f"/accounts/{path}")
        found[path] = violations(new.page)
    nothing(found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_tables(reader, tables, viewport, language):
    found = {}
    for state, (match, key) in tables.items():
        me = reader(language, viewport, key)
        page = me.page
        me.go(f"/games/{match}/")
        found[state] = violations(page)
        if state == "starting":
            page.locator('[data-action="leave"]').click()
            found["leaving"] = violations(page)
        if state == "choice":
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.locator("#choices").wait_for()
            found["chooser"] = violations(page)
        if state == "basra":
            page.keyboard.press("?")
            found["keys"] = violations(page)
            page.keyboard.press("Escape")
            if viewport is PHONE:
                page.locator('[data-action="menu"]').click()
                found["menu"] = violations(page)
            page.locator('[data-action="resign"]').click()
            found["resigning"] = violations(page)
        page.context.close()
    nothing(found)


def test_axe_would_find_something(reader):
    me = reader("en", DESK)
    me.go("/")
    me.page.evaluate(
        "document.querySelector('h1').insertAdjacentHTML('afterend', '<button></button>')"
    )
    assert any("button-name" in what for what in violations(me.page))
