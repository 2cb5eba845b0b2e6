"""The lobby."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRedirect

from games.learning import progress_of
from games.solved import todays
from games.views.fragments import wants_fragment
from ladder.selectors import lobby as selector
from ladder.services import pairing
from ladder.views.reader import reader


@require_safe
@never_cache
@vary_on_headers("HX-Request")
def lobby(request: HttpRequest) -> HttpResponse:
    """The page; for htmx the queue alone, or the way to the table once there is a match.

    Who waits shows by asking that the page is still open.
    """
    me = reader(request)
    fragment = wants_fragment(request)
    context = selector.queue(me) if fragment else selector.lobby(me)
    context |= {} if fragment else {"learning": progress_of(request), "puzzle": todays(request)}
    if context["waiting"].entry:
        pairing.still_here(me)
    if fragment and (match := context["waiting"].match):
        return HttpResponseClientRedirect(match.get_absolute_url())
    return render(request, "ladder/lobby.html", context)


@require_safe
@never_cache
def mine(request: HttpRequest) -> HttpResponse:
    """What in the lobby is the reader's own and changes by itself, for htmx."""
    if (me := reader(request)) is None:
        return HttpResponse(status=204)
    return render(request, "ladder/lobby/mine.html", selector.mine(me))
