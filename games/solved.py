"""What a stranger, or a guest, has answered to the puzzles: kept in a cookie, counted nowhere."""

import re

from django.http import HttpRequest, HttpResponse

from games.models import Puzzle
from games.selectors import puzzles
from games.selectors.puzzles import Line

COOKIE = "puzzles"
COOKIE_SECONDS = 60 * 60 * 24 * 60
MOST = 40  # answers kept
_ONE = re.compile(r"(\d{4}-\d\d-\d\d)\.(\d{1,2})(?!\d)", re.ASCII)


def choice_in(request: HttpRequest, puzzle: Puzzle) -> int | None:
    """What this browser answered to ``puzzle``: a place in its plays; None if nothing."""
    choice = _kept(request).get(puzzle.day.isoformat())
    return choice if choice is not None and choice < len(puzzle.plays) else None


def line_of(request: HttpRequest, line: Line) -> Line:
    """A line with what this browser has answered, for who has no account."""
    if getattr(request.user, "is_person", False):
        return line
    choice = choice_in(request, line.puzzle)
    return Line(line.puzzle, None if choice is None else choice == 0)


def todays(request: HttpRequest) -> Line | None:
    """Today's puzzle, and whether whoever asks has solved it. 1 query."""
    user = request.user
    line = puzzles.of_today(user if user.is_authenticated else None)
    return line and line_of(request, line)


def keep(request: HttpRequest, response: HttpResponse, puzzle: Puzzle, choice: int) -> None:
    """Keep the answer, and the newest of those before."""
    kept = _kept(request) | {puzzle.day.isoformat(): choice}
    newest = sorted(kept.items())[-MOST:]
    response.set_cookie(
        COOKIE,
        "_".join(f"{day}.{place}" for day, place in newest),
        COOKIE_SECONDS,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def _kept(request: HttpRequest) -> dict[str, int]:
    text = request.COOKIES.get(COOKIE, "")[:4000]
    return {day: int(place) for day, place in _ONE.findall(text)}
