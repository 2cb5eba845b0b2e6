"""Pictures of every page, on a phone and on a desk, in every language, light and dark.

    make screenshots        or   python -m tests.screenshots [part of a name …]

They lie in var/screenshots/, with an index.html that shows them side by side.
"""

import html
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import django
from django.conf import settings
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.conftest import DESK, FLAGS, PHONE
from tests.servers import ROOT, Site

PLACE = ROOT / "var" / "screenshots"
VIEWPORTS = {"phone": PHONE, "desk": DESK}
SCHEMES = ["light", "dark"]
STATES = [
    "starting", "full_floor", "choice", "basra", "counted", "watched", "finished", "aborted",
]  # fmt: skip
STRANGERS = {
    "lobby": "/", "leaderboard": "/leaderboard/", "rules": "/rules/", "fairness": "/fairness/",
    "settings-stranger": "/settings/", "login": "/accounts/login/", "signup": "/accounts/signup/",
    "password-reset": "/accounts/password/reset/", "recover": "/accounts/recover/",
    "privacy": "/privacy/", "terms": "/terms/", "fair-play": "/fair-play/", "contact": "/contact/",
    "learn": "/learn/", "lesson": "/learn/capture/", "puzzle": "/puzzle/",
    "puzzles": "/puzzle/archive/",
    "error-404": "/nothing/",
}  # fmt: skip
MINE = {
    "lobby-mine": "/", "matches": "/games/", "settings": "/settings/", "local": "/settings/local/",
    "leaderboard-mine": "/leaderboard/", "people": "/people/", "notifications": "/notifications/",
    "challenges": "/challenges/", "challenge-new": "/challenges/new/",
    "season": "/leaderboard/season/", "following": "/leaderboard/following/", "data": "/data/",
    "reports": "/reports/",
}  # fmt: skip
ACCOUNT = {
    "account": "overview/", "name": "name/", "email": "email/", "password": "password/change/",
    "close": "close/", "logout": "logout/", "recovery-code": "recovery-code/",
    "two-factor": "2fa/", "sessions": "sessions/", "export": "export/",
}  # fmt: skip
ERRORS = ["400", "403", "403_csrf", "405", "429", "500"]
RENDER = """
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from django.template.loader import render_to_string
from django.utils import translation
request = RequestFactory().get("/shown", HTTP_HOST="localhost")
request.user = AnonymousUser()
with translation.override({language!r}):
    print(render_to_string("{name}.html", request=request))
"""


@dataclass(frozen=True)
class Kind:
    """One of the ways in which every page is looked at."""

    viewport: str
    language: str
    scheme: str

    def __str__(self) -> str:
        return f"{self.viewport}-{self.language}-{self.scheme}"


def kinds() -> list[Kind]:
    languages = [code for code, _name in settings.LANGUAGES]
    return [Kind(v, code, scheme) for v in VIEWPORTS for code in languages for scheme in SCHEMES]


def tables(site: Site) -> dict[str, list[str]]:
    """Every state of a table, made anew: their clocks run."""
    wanted = [*STATES, "practising"]
    return json.loads(
        site.run(
            "import json\nfrom tests import tables\n"
            f"print(json.dumps({{name: getattr(tables, name)() for name in {wanted!r}}}))"
        )
    )


class Camera:
    """Opens pages in one of the ways, and takes their pictures."""

    def __init__(self, browser: Browser, site: Site, kind: Kind, wanted: list[str]) -> None:
        self.browser, self.site, self.kind, self.wanted = browser, site, kind, wanted

    def page(self, key: str = "") -> Page:
        phone = self.kind.viewport == "phone"
        context = self.browser.new_context(
            viewport=VIEWPORTS[self.kind.viewport], color_scheme=self.kind.scheme,
            reduced_motion="reduce", has_touch=phone, is_mobile=phone,
            device_scale_factor=2 if phone else 1,
        )  # fmt: skip
        kept = {settings.LANGUAGE_COOKIE_NAME: self.kind.language}
        kept |= {"sessionid": key} if key else {}
        context.add_cookies(
            [{"name": name, "value": value, "url": self.site.url} for name, value in kept.items()]
        )
        return context.new_page()

    def shoot(self, page: Page, name: str, whole: bool = True) -> None:
        if self.wanted and not any(part in f"{name}-{self.kind}" for part in self.wanted):
            return
        if whole:
            stretch(page)
        page.screenshot(path=PLACE / f"{name}-{self.kind}.png")
        if whole:
            page.set_viewport_size(VIEWPORTS[self.kind.viewport])

    def pages(self, page: Page, names: dict[str, str], start: str = "") -> None:
        for name, path in names.items():
            page.goto(self.site.url + start + path)
            self.shoot(page, name)

    def at_tables(self, made: dict[str, list[str]]) -> None:
        for state, (match, key) in made.items():
            page = self.page(key)
            page.goto(f"{self.site.url}/games/{match}/")
            over = state in ("finished", "aborted")
            self.shoot(page, f"table-{state}", whole=over)
            if state == "choice":
                page.locator("#hand button").first.click()
                page.locator("#choices").wait_for()
                self.shoot(page, "table-chooser", whole=False)
            if state == "basra":
                for name, opened in self.opened(page):
                    self.shoot(page, f"table-{name}", whole=opened)
            page.context.close()

    def opened(self, page: Page) -> Iterator[tuple[str, bool]]:
        """What opens over a table, one after the other."""
        if self.kind.viewport == "phone":
            page.locator('[data-action="menu"]').click()
            yield "menu", False
            page.keyboard.press("Escape")
            page.locator('[data-action="talk"]').click()
            yield "talk", False
            page.keyboard.press("Escape")
            page.locator('[data-action="menu"]').click()
        page.locator('[data-action="resign"]').click()
        yield "resigning", False
        page.keyboard.press("Escape")
        page.evaluate("document.getElementById('keys').showPopover()")
        yield "keys", False

    def confirming(self, key: str, match: str) -> None:
        page = self.page(key)
        page.goto(f"{self.site.url}/games/{match}/")
        page.locator("#hand button").last.click()
        page.locator("#confirm").wait_for()
        self.shoot(page, "table-confirm", whole=False)
        page.context.close()

    def errors(self) -> None:
        page = self.page()
        for name in ERRORS:
            body = self.site.run(RENDER.format(language=self.kind.language, name=name))
            self.answer(page, body)
            page.goto(f"{self.site.url}/shown")
            self.shoot(page, f"error-{name}")
            page.unroute("**/shown")
        page.context.close()

    def answer(self, page: Page, body: str) -> None:
        """Let the page's next visit to /shown be answered with ``body``."""
        page.route("**/shown", lambda route: route.fulfill(body=body, content_type=HTML))


HTML = "text/html; charset=utf-8"
# The height of the page; the felt, which fills the window, stays as high as it is.
HEIGHT = """() => {
  const felts = document.querySelectorAll('.felt');
  felts.forEach(felt => { felt.style.minBlockSize = getComputedStyle(felt).minBlockSize; });
  return document.documentElement.scrollHeight;
}"""


def stretch(page: Page) -> None:
    """Make the window as high as its page: then all of it is drawn as it is measured, with touch,
    and pictures that wait until they come into sight are fetched."""
    height = page.evaluate(HEIGHT)
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    for picture in page.locator("img[loading=lazy]").all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("picture => picture.decode()")


def moderating(camera: Camera, site: Site) -> None:
    """A case as a senior sees it, and what the suspect reads."""
    made = site.run("import json\nfrom tests import tables\nprint(json.dumps(tables.a_case()))")
    case, suspect, appeal, boss, read_by = json.loads(made)
    desk = camera.page(boss)
    camera.pages(
        desk,
        {
            "queue": "", "case": f"cases/{case}/", "measure": f"players/{suspect}/sanction/",
            "appeals": "appeals/", "appeal": f"appeals/{appeal}/", "trail": "audit/",
        },
        "/moderation/",
    )  # fmt: skip
    camera.pages(desk, {"report": f"/report/?player={suspect}"})
    desk.context.close()
    page = camera.page(read_by)
    camera.pages(page, {"sanctions": "/sanctions/"})
    page.context.close()


def sign_up(camera: Camera) -> Page:
    """Somebody new, with a password and a recovery code."""
    page = camera.page()
    page.goto(f"{camera.site.url}/accounts/signup/")
    page.fill("[name=username]", f"new-{camera.kind.viewport}-{camera.kind.language}")
    page.fill("[name=password1]", "short")
    page.locator("form:has([name=password1]) [type=submit]").click()
    camera.shoot(page, "signup-error")
    page.fill("[name=username]", f"N{abs(hash(camera.kind)) % 10**9}x")
    page.fill("[name=password1]", "long-enough-9")
    page.locator("form:has([name=password1]) [type=submit]").click()
    page.wait_for_url(lambda url: "signup" not in url)
    camera.shoot(page, "signup-done")
    return page


def challenging(camera: Camera, page: Page) -> None:
    """A challenge by link, as its maker and as a stranger see it; taken back in the end."""
    page.goto(f"{camera.site.url}/challenges/new/")
    page.locator("[name=whom][value=link]").check()
    page.locator(".challenge-form [type=submit]").click()
    page.wait_for_url(lambda url: not url.endswith("/new/"))
    camera.shoot(page, "challenge-link")
    stranger = camera.page()
    stranger.goto(page.url)
    camera.shoot(stranger, "challenge-invited")
    stranger.context.close()
    page.locator('[data-action="cancel-challenge"]').click()
    page.locator('[data-action="cancel-challenge"]').wait_for(state="detached")
    camera.shoot(page, "challenge-cancelled")


def take(browser: Browser, site: Site, wanted: list[str]) -> None:
    profile, key = json.loads(
        site.run("import json\nfrom tests import tables\nprint(json.dumps(tables.a_ladder()))")
    )
    for kind in kinds():
        camera = Camera(browser, site, kind, wanted)
        stranger = camera.page()
        camera.pages(stranger, STRANGERS)
        camera.pages(stranger, {"profile": profile})
        stranger.context.close()
        mine = camera.page(key)
        camera.pages(mine, MINE)
        mine.context.close()
        moderating(camera, site)
        new = sign_up(camera)
        camera.pages(new, ACCOUNT, "/accounts/")
        new.goto(site.url)
        camera.shoot(new, "lobby-new")
        new.goto(f"{site.url}/games/")
        camera.shoot(new, "matches-none")
        challenging(camera, new)
        site.run("from ladder.models import QueueEntry\nQueueEntry.objects.all().delete()")
        new.goto(site.url)
        new.locator('[data-action="ranked"]').click()
        new.locator('[data-action="leave-queue"]').wait_for()
        camera.shoot(new, "lobby-waiting")
        new.locator('[data-action="leave-queue"]').click()
        new.locator('[data-action="ranked"]').wait_for()
        new.context.close()
        camera.at_tables(tables(site))
        confirming = site.run(
            "import json\nfrom tests import tables\n"
            "print(json.dumps(tables.full_floor(confirm_play=True)))"
        )
        camera.confirming(*reversed(json.loads(confirming)))
        camera.errors()
        print(kind, flush=True)


def index() -> None:
    """A page that shows them side by side."""
    every = [str(kind) for kind in kinds()]
    names = sorted({p.stem.removesuffix(f"-{k}") for p in PLACE.glob("*.png") for k in every
                    if p.stem.endswith(f"-{k}")})  # fmt: skip
    rows = "".join(
        f"<h2>{html.escape(name)}</h2>" + "".join(picture(name, kind) for kind in every)
        for name in names
    )
    (PLACE / "index.html").write_text(f"<!doctype html><meta charset=utf-8>{rows}")


def picture(name: str, kind: str) -> str:
    file = f"{name}-{kind}.png"
    if not (PLACE / file).exists():
        return ""
    width = 240 if "phone" in kind else 480
    return f'<a href="{file}"><img loading="lazy" width="{width}" src="{file}" alt="{file}"></a> '


def main() -> None:
    began = time.monotonic()
    PLACE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder)).prepare().start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path="/usr/bin/chromium", args=FLAGS
                )
                take(browser, site, sys.argv[1:])
                browser.close()
        finally:
            site.stop()
    index()
    made = len(list(PLACE.glob("*.png")))
    print(f"{made} pictures in {PLACE.relative_to(ROOT)} ({time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")
    django.setup()
    main()
