"""A real browser against a real ``serve``."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.servers import Site

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 360, "height": 640}
LANDSCAPE = {"width": 640, "height": 360}
DESK = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all the tests of the browser."""
    made = Site(tmp_path_factory.mktemp("e2e")).prepare().start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. Playwright runs an event loop, beside which Django refuses to work: so it
    ends with the module, before other tests begin."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield chromium
        chromium.close()


class Window:
    """A person's browser, which notes whatever goes wrong in it."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.page: Page = context.new_page()
        self.site = site
        self.complaints: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", self._response)

    def _console(self, message: object) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location}")

    def _response(self, response: object) -> None:
        if response.status >= 500:
            self.complaints.append(f"{response.status} {response.url}")

    def go(self, path: str) -> None:
        self.page.goto(self.site.url + path)

    def sign_up(self, name: str) -> None:
        """Sign up through the form, and go to the lobby."""
        self.go("/accounts/signup/")
        self.page.fill("[name=username]", name)
        self.page.fill("[name=password1]", "long-enough-9")
        self.page.locator("form:has([name=password1]) [type=submit]").click()
        self.page.wait_for_url(lambda url: "signup" not in url)
        self.go("/")


@pytest.fixture
def window(browser: Browser, site: Site) -> Iterator[Callable[..., Window]]:
    """Opens browsers of people who share nothing; in the end none of them has complained."""
    opened: list[tuple[BrowserContext, Window]] = []

    def open_one(viewport: dict[str, int] = DESK, **how: object) -> Window:
        context = browser.new_context(viewport=viewport, **how)
        made = Window(context, site)
        opened.append((context, made))
        return made

    yield open_one
    complaints = [complaint for _context, made in opened for complaint in made.complaints]
    for context, _made in opened:
        context.close()
    assert not complaints


@pytest.fixture
def at_table(window, site: Site) -> Callable[..., Window]:
    """Opens the browser of somebody at a table in one of the states of ``tests.tables``;
    ``who`` are the preferences of the players, ``before`` is done to the page first."""

    def open_one(state: str, viewport: dict[str, int] = PHONE, **how: object) -> Window:
        who, before = how.pop("who", {}), how.pop("before", lambda page: None)
        match, key = json.loads(
            site.run(
                f"import json\nfrom tests import tables\n"
                f"print(json.dumps(tables.{state}(**{who!r})))"
            )
        )
        made = window(viewport, **how)
        made.page.context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
        before(made.page)
        made.go(f"/games/{match}/")
        return made

    return open_one


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where a test leaves pictures."""
    return tmp_path
