"""Talk at the table: the list, saying something, and muting the other."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import trigger_client_event

from games.models import Match
from games.selectors.talk import pair_at, talk_of
from games.services import talk as services
from games.services.errors import Refused
from games.views import table
from games.views.members import SeeOther

SAID = "talk-said"  # what the page's script hears when something has been said
SAME = 204  # a status: the list that the page shows is still true


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: HttpRequest, match_id: str) -> HttpResponse:
    """The list for whoever talks there; a post says a ``phrase``, or else the ``text``."""
    if request.method != "POST":
        seen = request.GET.get("seen", "")
        return _list(request, match_id, seen) if request.htmx else _to_table(match_id)
    phrase, text = request.POST.get("phrase", ""), request.POST.get("text", "")
    try:
        services.say(match_id=match_id, player=table.viewer(request), phrase=phrase, text=text)
    except Match.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        return _refused(request, match_id, refused.message, text)
    if not request.htmx:
        return _to_table(match_id)
    return trigger_client_event(_list(request, match_id, answers=True), SAID)


@require_POST
def mute(request: HttpRequest, match_id: str) -> HttpResponse:
    """Hide what the other writes, at every table, or show it again: ``muted`` says which."""
    muted = request.POST.get("muted") == "yes"
    try:
        services.mute(match_id=match_id, player=table.viewer(request), muted=muted)
    except Match.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        return _refused(request, match_id, refused.message)
    return _list(request, match_id) if request.htmx else _to_table(match_id)


def _list(request: HttpRequest, match_id: str, seen: str = "", **answer: object) -> HttpResponse:
    """The list, unless it is the one that was ``seen``: a tap on its button must not be lost."""
    try:
        found = talk_of(pair_at(match_id, table.viewer(request)))
    except Match.DoesNotExist as error:
        raise Http404 from error
    if seen == found.key:
        return HttpResponse(status=SAME)
    return render(request, "games/talk/list.html", {"talk": found} | answer)


def _refused(request: HttpRequest, match_id: str, why: str, text: str = "") -> HttpResponse:
    """The sentence beside the field, in which what was typed still stands."""
    if request.htmx:
        return _list(request, match_id, answers=True, refused=why)
    return table.show(request, match_id, status=409, talk_refused=why, talk_text=text)


def _to_table(match_id: str) -> HttpResponse:
    return SeeOther(resolve_url("games:table", match_id) + "#talk-side")
