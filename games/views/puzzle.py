"""The puzzle of the day, and those of the days before."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import solved
from games.engine import Card, Malformed, parse_card
from games.models import Player, Puzzle
from games.selectors import puzzles
from games.services.errors import Refused
from games.services.puzzles import FirstAnswerCounts, answer
from games.views.fragments import wants_fragment


@require_safe
@never_cache
def today(request: HttpRequest) -> HttpResponse:
    """Today's puzzle, or where there is none yet, the way to earlier ones."""
    line = puzzles.of_today(_player(request))
    if line is None:
        return render(request, "games/puzzle_none.html", {"earlier": puzzles.has_earlier()})
    return _page(request, puzzles.puzzle_of(line.puzzle.day.isoformat()))


@require_safe
@never_cache
def archive(request: HttpRequest) -> HttpResponse:
    """The puzzles so far, newest first, and which of them the reader has solved."""
    player = _player(request)
    lines, older = puzzles.archive(player, _day(request.GET.get("before", "")))
    context = {
        "lines": [solved.line_of(request, line) for line in lines],
        "older": older,
        "streak": _streak(player),
        "today": puzzles.today(),
    }
    return render(request, "games/puzzles.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def puzzle(request: HttpRequest, day: str) -> HttpResponse:
    """The puzzle of a day; a post answers it."""
    try:
        found = puzzles.puzzle_of(day)
    except Puzzle.DoesNotExist as error:
        raise Http404 from error
    if request.method != "POST":
        return _page(request, found)
    card, capture = request.POST.get("card", ""), request.POST.get("capture", "")
    try:
        return _answered(request, found, card, capture)
    except Malformed:
        notice = _("That is no card of this hand, or not what it takes. Choose one that is here.")
    except Refused as refused:
        notice = refused.message
    return _page(request, found, notice=notice)


def _answered(request: HttpRequest, found: Puzzle, card: str, capture: str) -> HttpResponse:
    """Keep an answer: a person's in the account, anybody else's in the browser."""
    player = _player(request)
    if player and player.is_person:
        given = answer(puzzle=found, player=player, card=card, capture=capture)
        return _onward(request, found, given.choice)
    choice = puzzles.choice_of(found, card, capture)
    if solved.choice_in(request, found) not in (None, choice):
        raise FirstAnswerCounts
    response = _onward(request, found, choice)
    solved.keep(request, response, found, choice)
    return response


def _onward(request: HttpRequest, found: Puzzle, choice: int) -> HttpResponse:
    """The answered puzzle for htmx; a plain form is sent on, so that a reload repeats nothing."""
    if wants_fragment(request):
        return _page(request, found, choice=choice)
    return redirect(found)


@dataclass(frozen=True, slots=True)
class Pick:
    """A card of the hand that has been picked, and what it can take: several ways, or one."""

    card: Card
    ways: tuple[tuple[Card, ...], ...]


def _page(
    request: HttpRequest, found: Puzzle, *, choice: int | None = None, notice: str = ""
) -> HttpResponse:
    """The puzzle as it stands for the reader: to be answered, or with what the plays are worth."""
    player = _player(request)
    choice = _choice(request, found, player) if choice is None else choice
    position = puzzles.position_of(found)
    context = {
        "puzzle": found,
        "position": position,
        "is_today": found.day == puzzles.today(),
        "choice": choice,
        "notice": notice,
        "late": player and player.is_person and puzzles.yesterdays(player),
    }
    if choice is None:
        context["picked"] = _pick(position, request.GET.get("card", ""))
    else:
        context |= _told(found, choice, player)
    status = 409 if notice and not wants_fragment(request) else 200
    return render(request, "games/puzzle.html", context, status=status)


def _told(found: Puzzle, choice: int, player: Player | None) -> dict[str, Any]:
    """What is shown after the answer alone."""
    worths = puzzles.worths(found)
    return {
        "worths": worths,
        "best": worths[0],
        "mine": worths[choice],
        "streak": _streak(player),
        "next_begins": puzzles.begins(puzzles.today() + puzzles.DAY),
    }


def _pick(position: puzzles.Position, text: str) -> Pick | None:
    try:
        card = parse_card(text)
    except Malformed:
        return None
    if card not in position.hand:
        return None
    return Pick(card, tuple(tuple(sorted(way)) for way in position.ways(card)))


def _choice(request: HttpRequest, found: Puzzle, player: Player | None) -> int | None:
    if player and player.is_person:
        given = puzzles.answer_of(found, player)
        return given.choice if given else None
    return solved.choice_in(request, found)


def _streak(player: Player | None) -> puzzles.Streak | None:
    return puzzles.streak(player) if player and player.is_person else None


def _player(request: HttpRequest) -> Player | None:
    return request.user if request.user.is_authenticated else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
