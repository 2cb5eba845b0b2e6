"""The queue of cases."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.models import Act
from ladder.selectors import moderation as selector
from ladder.selectors.roles import acts
from ladder.views.moderation import moderators


@moderators(Act.QUEUE)
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Cases, the weightiest first; ``tab`` for one's own or the closed ones."""
    asked = request.GET.get("tab", "")
    tab = asked if asked in selector.TABS else selector.TABS[0]
    found = selector.queue(request.user, tab, request.GET.get("after", ""))
    context = {"queue": found, "tab": tab, "acts": acts(request.user), "Act": Act}
    return render(request, "moderation/queue.html", context)
