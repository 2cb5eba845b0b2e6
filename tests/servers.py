"""A real ``serve`` process with a database of its own, as the tests that need one start it."""

import http.client
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.cookiejar import Cookie, CookieJar
from pathlib import Path

import psycopg

from tests.backends import free_port

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
_numbers = itertools.count(1)


@dataclass
class Site:
    """A site in a folder: its database, its static files, and the process that serves it.

    Where the tests run on PostgreSQL and Redis, it has a database of its own in each.
    """

    folder: Path
    extra: Mapping[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[str] | None = None
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def backends(self) -> dict[str, str]:
        """The addresses of its databases, where they are not files in its folder."""
        database, broker = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
        if not database.startswith("postgres"):
            return {}
        return {
            "DATABASE_URL": f"{database.rpartition('/')[0]}/site_{self.number}",
            "REDIS_URL": f"{broker.rpartition('/')[0]}/{self.number % 63 + 1}",
        }

    def make_database(self, like: "Site | None") -> None:
        """Make its PostgreSQL database, as a copy of that of ``like``."""
        if self.backends:
            template = f"site_{like.number}" if like else "template0"
            with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
                server.execute(f"CREATE DATABASE site_{self.number} TEMPLATE {template}")

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def env(self) -> dict[str, str]:
        """The environment of every process of this site."""
        kept = {k: v for k, v in os.environ.items() if k not in ("DJANGO_SETTINGS_MODULE",)}
        return kept | {
            "VAR_DIR": str(self.folder),
            "PORT": str(self.port),
            "SITE_URL": self.url,
            "HOUSE_PAUSE": "0",
            "SQLITE_SYNCHRONOUS": "NORMAL",
            "EMAIL_URL": f"filemail://{self.folder / 'mail'}",
            "PYTHONUNBUFFERED": "1",
            **self.backends,
            **self.extra,
        }

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end."""
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=self.env, check=check, capture_output=True, text=True,
        )  # fmt: skip

    def run(self, code: str) -> str:
        """Run Python against its database, in a process of its own; what it printed."""
        prelude = (
            "import os, django\n"
            "os.environ['DJANGO_SETTINGS_MODULE'] = 'basra_site.settings'\n"
            "django.setup()\n"
            "from tests.factories import *\n"
            "from games.models import *\n"
            "from games.services import play\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", prelude + code],
            cwd=ROOT, env=self.env | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def prepare(self, like: "Site | None" = None) -> "Site":
        """Make database and static files, or copy those of a site that has just been made."""
        self.make_database(like)
        if like is None:
            self.manage("migrate", "--noinput", "-v", "0")
            self.manage("collectstatic", "--noinput", "-v", "0")
        else:
            shutil.copytree(like.folder, self.folder, dirs_exist_ok=True)
        return self

    def celery(self, *arguments: str) -> subprocess.Popen[bytes]:
        """A Celery process beside the web."""
        with (self.folder / "celery.log").open("a") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "basra_site", *arguments],
                cwd=ROOT, env=self.env, stdout=log, stderr=log,
            )  # fmt: skip

    def start(
        self, web_only: bool = False, program: Sequence[str] = ("manage.py", "serve")
    ) -> "Site":
        """Start serving; returns when the address answers."""
        with (self.folder / "serve.log").open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *program, *(["--web-only"] if web_only else [])],
                cwd=ROOT, env=self.env, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        watchdog = threading.Timer(START_SECONDS, self.process.kill)
        watchdog.start()
        said = self.process.stdout.readline()
        watchdog.cancel()
        assert "Basra is at" in said, (self.folder / "serve.log").read_text()
        return self

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self, seconds: float = 8) -> int:
        """SIGTERM; the exit code. Raises ``subprocess.TimeoutExpired`` if it does not end."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=seconds)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()

    @property
    def log(self) -> str:
        """What the server wrote to its log."""
        return (self.folder / "serve.log").read_text()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object) -> None:
        return None


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: str
    headers: Mapping[str, str]


class Visitor:
    """A browser without a screen: cookies, CSRF, plain forms."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies = CookieJar()
        self._open = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies), _NoRedirect
        ).open

    def get(self, path: str) -> Answer:
        return self._ask(urllib.request.Request(self.site.url + path))

    def post(self, path: str, **form: str | int) -> Answer:
        """Post a form, with the CSRF token of the cookie."""
        token = next((c.value for c in self.cookies if c.name == "csrftoken"), None)
        if token is None:
            self.get("/accounts/login/")
            token = next(c.value for c in self.cookies if c.name == "csrftoken")
        body = urllib.parse.urlencode({**form, "csrfmiddlewaretoken": token}).encode()
        headers = {"Referer": self.site.url + path}
        return self._ask(urllib.request.Request(self.site.url + path, body, headers))

    def play(self, address: str, number: str | int, card: str) -> Answer:
        """Post a play, taking the first capture if there is a choice; 302 if it stands."""
        answer = self.post(address, number=number, card=card)
        choice = re.search(r'data-capture="([^"]+)"', answer.body)
        if choice is None:
            return answer
        return self.post(address, number=number, card=card, capture=choice.group(1))

    def with_session(self, key: str) -> "Visitor":
        """Be whoever is logged in to that session."""
        cookie = Cookie(
            0, "sessionid", key, None, False, "localhost.local", False, False, "/", True,
            False, None, False, None, None, {},
        )  # fmt: skip
        self.cookies.set_cookie(cookie)
        return self

    def sign_up(self, name: str, password: str = "long-enough-9") -> "Visitor":
        answer = self.post("/accounts/signup/", username=name, password1=password)
        assert answer.status == 302, answer.body
        return self

    def _ask(self, request: urllib.request.Request) -> Answer:
        try:
            with self._open(request, timeout=30) as got:
                return Answer(got.status, got.read().decode(), dict(got.headers))
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.read().decode(), dict(error.headers))


LOST = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError)


def table_of(page: str) -> dict[str, str]:
    """The data attributes of the table in a page."""
    tag = re.search(r'<div id="table"[^>]*>', page)
    assert tag, page[:2000]
    return dict(re.findall(r'data-([a-z-]+)="([^"]*)"', tag.group()))


def cards_in(page: str, part: str) -> list[str]:
    """The cards that a part of the page ("hand" or "floor") shows, in its order."""
    found = re.search(rf'<ul[^>]*id="{part}".*?</ul>', page, re.S)
    return re.findall(r'data-card="(..)"', found.group()) if found else []


def record(answer: Answer) -> dict[str, object]:
    """A record as it was served."""
    assert answer.status == 200, answer.status
    return json.loads(answer.body)
