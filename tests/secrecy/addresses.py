"""The table of who gets what at which address, and how a row of it is asked.

``addresses.txt`` is the table. A row: the method (GET, POST, or WS for a socket), the route as the
URL map has it, and an answer for each of ``ASKERS``:

* a status; ``login`` for a redirect to the log-in, ``locked`` for one to where a sanction is read,
  and ``302`` for any other redirect;
* for a socket ``open`` or ``no``;
* ``.`` for the answer of the column to the left.

What stands behind an ``@`` after a route is which thing is meant, where that matters. A remark
begins with ``#``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.http import HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver

from games.routing import websocket_urlpatterns as games_sockets
from ladder.routing import websocket_urlpatterns as ladder_sockets

TABLE = Path(__file__).with_name("addresses.txt")
ASKERS = (
    "nobody", "stranger", "other", "watcher", "player", "suspended",
    "helper", "moderator", "senior", "administrator",
)  # fmt: skip
METHODS = ("GET", "POST")
SOCKET = "WS"
LOGIN, LOCKED = ("/accounts/login/", "/admin/login/"), ("/sanctions/",)
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True, slots=True)
class Row:
    """What each of ``ASKERS`` gets for ``method`` at ``route``, of the thing ``which``."""

    method: str
    route: str
    which: str
    answers: tuple[str, ...]

    def __str__(self) -> str:
        shown = [
            "." if place and answer == self.answers[place - 1] else answer
            for place, answer in enumerate(self.answers)
        ]
        address = f"{self.route or '/'}{'@' if self.which else ''}{self.which}"
        return f"{self.method:<5}{address:<73} " + " ".join(f"{one:<6}" for one in shown).rstrip()


def rows() -> list[Row]:
    """The table. Raises ``ValueError`` for a row that has not an answer for each."""
    return [
        _row(line) for line in TABLE.read_text("utf-8").splitlines() if line[:1] not in ("", "#")
    ]


def routes() -> set[str]:
    """Every route of the URL map, as its patterns are written."""
    return set(_walk(get_resolver().url_patterns))


def socket_routes() -> set[str]:
    """Every route of a socket."""
    return {str(pattern.pattern) for pattern in (*ladder_sockets, *games_sockets)}


def path_of(route: str, values: dict[str, object]) -> str:
    """The address of ``route`` with these values in it."""
    filled = _PARAMETER.sub(lambda found: str(values[found[1] or found[2]]), route)
    return "/" + filled.replace("^", "").replace("$", "").replace("\\", "")


def parameters(route: str) -> set[str]:
    """The names of what stands in ``route`` for something."""
    return {found[1] or found[2] for found in _PARAMETER.finditer(route)}


def answer_of(response: HttpResponse) -> str:
    """What a response is in the table."""
    where = response.headers.get("Location", "")
    if response.status_code in (301, 302, 303, 307):
        if where.startswith(LOGIN):
            return "login"
        return "locked" if where.startswith(LOCKED) else "302"
    return str(response.status_code)


def _row(line: str) -> Row:
    method, address, *written = line.split()
    route, _at, which = address.rpartition("@") if "@" in address else (address, "", "")
    answers: list[str] = []
    for one in written:
        answers.append(answers[-1] if one == "." else one)
    if len(answers) != len(ASKERS):
        raise ValueError(line)
    return Row(method, "" if route == "/" else route, which, tuple(answers))


def _walk(patterns: list[URLPattern | URLResolver], base: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = base + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield route
