"""Learning by playing: the lessons, and what of them is done."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.engine import Card, Malformed, parse_card
from games.learning import keep, progress_of
from games.models import Player
from games.selectors import lessons
from games.selectors.lessons import Lesson, Outcome, Progress
from games.services import learning
from games.views.fragments import wants_fragment


@require_safe
@never_cache
def contents(request: HttpRequest) -> HttpResponse:
    """All lessons, and which are done."""
    context = {"lessons": lessons.LESSONS, "progress": progress_of(request)}
    return render(request, "games/learn.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def lesson(request: HttpRequest, name: str) -> HttpResponse:
    """A lesson; a post plays a card in it, and is answered by what the engine says that it does."""
    found = lessons.BY_NAME.get(name)
    if found is None:
        raise Http404
    if request.method != "POST":
        return _page(request, found)
    try:
        card = request.POST.get("card", "")
        play = lessons.parse_play(found, card, request.POST.get("capture"))
    except Malformed:
        notice = _("That is no card of this hand, or not what it takes. Choose one that is here.")
        return _page(request, found, notice=notice, status=409)
    if play is None:
        return _page(request, found, choosing=parse_card(card))
    outcome = found.outcome(play)
    done = _done if found.reaches(outcome) else _page
    return done(request, found, outcome=outcome)


@require_POST
@never_cache
def dismiss(request: HttpRequest) -> HttpResponse:
    """The reader does not want to be offered the lessons any more."""
    response = redirect("ladder:lobby")
    if player := _player(request):
        learning.dismiss(player=player)
        return response
    return _kept(request, response, replace(progress_of(request), dismissed=True))


def _done(request: HttpRequest, found: Lesson, *, outcome: Outcome) -> HttpResponse:
    """The lesson with its aim reached, which is kept."""
    if player := _player(request):
        progress = learning.note(player=player, lesson=found)
        return _page(request, found, outcome=outcome, progress=progress)
    before = progress_of(request)
    progress = replace(before, done=before.done | {found.name})
    response = _page(request, found, outcome=outcome, progress=progress)
    return _kept(request, response, progress)


def _page(
    request: HttpRequest,
    found: Lesson,
    *,
    outcome: Outcome | None = None,
    choosing: Card | None = None,
    progress: Progress | None = None,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    """The lesson as it stands; a fragment is answered as 200, so that htmx swaps it in."""
    context = {
        "lesson": found,
        "place": lessons.LESSONS.index(found) + 1,
        "lessons": lessons.LESSONS,
        "next": lessons.after(found),
        "progress": progress or progress_of(request),
        "choosing": choosing,
        "ways": [tuple(sorted(way)) for way in found.ways(choosing)] if choosing else [],
        "outcome": outcome,
        "reached": outcome is not None and found.reaches(outcome),
        "notice": notice,
    }
    status = 200 if wants_fragment(request) else status
    return render(request, "games/lesson.html", context, status=status)


def _player(request: HttpRequest) -> Player | None:
    return request.user if request.user.is_authenticated else None


def _kept(request: HttpRequest, response: HttpResponse, progress: Progress) -> HttpResponse:
    keep(response, progress, secure=request.is_secure())
    return response
