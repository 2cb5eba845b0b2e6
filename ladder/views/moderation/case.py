"""A case: the page, each act on it, and each look at what is private."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from games.models import Match, Player
from games.services.errors import Refused
from games.views.members import SeeOther
from ladder.models import Act, Case, Finding, Report
from ladder.selectors import moderation as selector
from ladder.selectors.roles import acts
from ladder.services import cases, looks, reports
from ladder.views.moderation import moderators

UPHELD = {"yes": True, "no": False}


@moderators(Act.QUEUE)
@require_safe
def case(request: HttpRequest, case_id: int) -> HttpResponse:
    """All about the player of the case; ``?over=time`` for the chart."""
    return _page(request, _case(request, case_id))


@moderators(Act.OPEN)
@require_POST
def open_case(request: HttpRequest, player_id: int) -> HttpResponse:
    """The open case of a player, or a new one."""
    player = get_object_or_404(Player, pk=player_id)
    try:
        opened = cases.open_case(player, request.user)
    except Refused as refused:  # for this moderator there is no such case
        raise Http404(refused.message) from refused
    return SeeOther(resolve_url("ladder:moderation-case", opened.pk))


@moderators(Act.CLAIM)
@require_POST
def claim(request: HttpRequest, case_id: int) -> HttpResponse:
    """Take the case for 20 minutes."""
    return _act(request, case_id, cases.claim, gettext_lazy("The case is yours for 20 minutes."))


@moderators(Act.RELEASE)
@require_POST
def release(request: HttpRequest, case_id: int) -> HttpResponse:
    """Give the case back."""
    return _act(request, case_id, cases.release, gettext_lazy("The case is back in the queue."))


@moderators(Act.CLOSE)
@require_POST
def close(request: HttpRequest, case_id: int) -> HttpResponse:
    """Close the case; ``rest`` answers what is open, ``why`` is for the trail."""
    rest = UPHELD.get(request.POST.get("rest", ""))
    why = request.POST.get("why", "")
    return _act(request, case_id, cases.close, gettext_lazy("The case is closed."), rest, why)


@moderators(Act.NOTE)
@require_POST
def note(request: HttpRequest, case_id: int) -> HttpResponse:
    """Write a note."""
    text = request.POST.get("text", "")
    return _act(request, case_id, cases.note, gettext_lazy("The note is there."), text)


@moderators(Act.ANSWER)
@require_POST
def answer(request: HttpRequest, case_id: int, report_id: int) -> HttpResponse:
    """Answer a report: ``upheld`` is yes or no."""
    found = get_object_or_404(Report, pk=report_id, case=_case(request, case_id))
    upheld = UPHELD.get(request.POST.get("upheld", ""))
    if upheld is None:
        raise Http404

    def answered(_case: Case, by: Player) -> Report:
        return reports.answer(found, by, upheld)

    return _act(request, case_id, answered, gettext_lazy("Answered: the reporter is told."))


@moderators(Act.CLEAR)
@require_POST
def clear(request: HttpRequest, case_id: int, finding_id: int) -> HttpResponse:
    """Find a finding harmless."""
    found = get_object_or_404(Finding, pk=finding_id, players__cases=_case(request, case_id))

    def cleared(case: Case, by: Player) -> Finding:
        return cases.clear(found, case, by)

    done = gettext_lazy("Cleared: it comes back only with more matches.")
    return _act(request, case_id, cleared, done)


@moderators(Act.SEE_TALK)
@require_POST
def talk(request: HttpRequest, case_id: int, match_id: str) -> HttpResponse:
    """What was said at a table, as a page of its own."""
    found = _case(request, case_id)
    try:
        said = looks.talk(found, match_id, request.user)
    except Match.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        return _page(request, found, refused.message)
    return render(request, "moderation/talk.html", {"case": found, "talk": said})


@moderators(Act.SEE_MARKS)
@require_POST
def marks(request: HttpRequest, case_id: int) -> HttpResponse:
    """The marks of the account, as a page of its own."""
    found = _case(request, case_id)
    try:
        shown = looks.marks(found, request.user)
    except Refused as refused:
        return _page(request, found, refused.message)
    return render(request, "moderation/marks.html", {"case": found, "marks": shown})


@moderators(Act.SEE_MATCH)
@require_POST
def match(request: HttpRequest, case_id: int, match_id: str) -> HttpResponse:
    """Into a match that is not public."""
    found = _case(request, case_id)
    try:
        return SeeOther(looks.match(found, match_id, request.user).get_absolute_url())
    except Match.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        return _page(request, found, refused.message)


def _case(request: HttpRequest, case_id: int) -> Case:
    try:
        return selector.case_for(request.user, case_id)
    except Case.DoesNotExist as error:
        raise Http404 from error


def _act(
    request: HttpRequest, case_id: int, act: Callable[..., Any], done: Any, *what: Any
) -> HttpResponse:
    """Do ``act`` on the case, and back to it; refused, the page says why and keeps what was typed.

    ``what`` follows the moderator in the call.
    """
    found = _case(request, case_id)
    try:
        act(found, request.user, *what)
    except Refused as refused:
        return _page(request, found, refused.message)
    messages.success(request, str(done))
    return SeeOther(resolve_url("ladder:moderation-case", case_id))


def _page(request: HttpRequest, case: Case, refused: str = "") -> HttpResponse:
    context = {
        "dossier": selector.dossier(case, request.user),
        "acts": acts(request.user, case.player),
        "Act": Act,
        "refused": refused,
        "typed": request.POST,
        "over_time": request.GET.get("over") == "time",
    }
    return render(request, "moderation/case.html", context, status=409 if refused else 200)
