"""axe-core finds nothing: every page, what goes wrong included, and every state of the table, light
and dark, in every language, on a phone and on a desk."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import axe_playwright_python
import pytest
from django.conf import settings
from playwright.sync_api import Page

from tests.e2e.conftest import DESK, PHONE
from tests.e2e.pages import ACCOUNT, OPEN_TO_ALL, PLAYERS_OWN
from tests.servers import Site

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

# A page that no address of the site leads a stranger to, made by the handler that would make it.
REFUSED = """
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.test import RequestFactory
from django.utils import translation
from basra_site.errors import permission_denied
request = RequestFactory().get("/shown", HTTP_HOST="localhost")
request.user = AnonymousUser()
with translation.override({language!r}):
    print(permission_denied(request, PermissionDenied()).content.decode())
"""
RENAME = "from django.db import connection as c\nc.cursor().execute('ALTER TABLE {} RENAME TO {}')"


@contextmanager
def without_statistics(site: Site) -> Iterator[None]:
    """The site as it is while a table that its page on the shuffle reads is missing."""
    name = "games_shufflestatistics"
    site.run(RENAME.format(name, "put_aside"))
    try:
        yield
    finally:
        site.run(RENAME.format("put_aside", name))


@pytest.fixture
def tables(site):
    """Every state of a table, its clocks fresh: its name → (match, session). Nobody waits in the
    queue, for whoever waits is called away to a ranked match as soon as there are two."""
    made = site.run(
        f"import json\nfrom ladder.models import QueueEntry\nfrom tests import tables\n"
        f"QueueEntry.objects.all().delete()\n"
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
def test_error_pages(reader, site, language):
    """Each as a browser gets it, but for the one that no stranger can come to."""
    found = {}

    def look(name: str, me, status: int) -> None:
        """The page that has come has that status, and axe finds nothing on it."""
        assert me.statuses[-1] == status, name
        assert me.page.locator("html").get_attribute("lang") == language
        assert me.page.locator("h1").count() == 1
        for viewport in (PHONE, DESK):
            me.page.set_viewport_size(viewport)
            found[f"{name} {viewport['width']}"] = violations(me.page)
        me.complaints[:] = [c for c in me.complaints if str(status) not in c]

    def somebody(key: str = ""):
        """A browser, and the status of every page that came to it."""
        me = reader(language, DESK, key)
        me.statuses = []
        me.page.on(
            "response",
            lambda got: got.request.is_navigation_request() and me.statuses.append(got.status),
        )
        return me

    stranger = somebody()
    page = stranger.page
    elsewhere = f"http://elsewhere.localhost:{site.port}"  # the same server, by no name of its own
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": elsewhere}
    page.context.add_cookies([cookie])
    page.goto(f"{elsewhere}/rules/")
    look("400", stranger, 400)

    stranger.go("/accounts/login/")
    login = page.locator("form:has([name=password])")
    login.locator("[name=login]").fill("nobody")
    login.locator("[name=password]").fill("long-enough-9")
    login.locator("[name=csrfmiddlewaretoken]").evaluate("field => field.value = 'gone'")
    login.locator("[type=submit]").click()
    page.locator('.trouble a[href$="/accounts/login/"]').wait_for()
    look("403 by the form", stranger, 403)
    stranger.go("/ranked/")
    look("405", stranger, 405)

    for _ in range(4):
        stranger.go("/accounts/password/reset/")
        page.fill("[name=email]", f"axe-{language}@example.org")
        page.locator("form:has([name=email]) [type=submit]").click()
        page.wait_for_load_state()
    look("429", stranger, 429)

    with without_statistics(site):
        stranger.go("/fairness/")
    look("500", stranger, 500)
    stranger.go("/fairness/")
    assert stranger.statuses[-1] == 200

    refused = site.run(REFUSED.format(language=language))
    page.route(  # with the headers of a real page, the content security policy among them
        "**/shown",
        lambda route: route.fulfill(
            response=route.fetch(url=f"{site.url}/rules/"), status=403, body=refused
        ),
    )
    stranger.go("/shown")
    look("403", stranger, 403)

    clerk = somebody(
        site.run("from tests import tables\nprint(tables.session(person(is_staff=True)))")
    )
    clerk.go("/admin/games/player/")
    look("403 of the staff", clerk, 403)
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
