"""Notifications: the list, the bell, what a browser shows by itself, and opening one."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.models import Notification
from games.selectors import notifications as selector
from games.services import notifications as services
from games.views.members import members_only, way_back

NOBODY = 204  # a status: there is nothing to show, and no page is led elsewhere


@never_cache
@members_only
@require_safe
def notifications(request: HttpRequest) -> HttpResponse:
    """The list, newest first."""
    page = selector.page(request.user, request.GET.get("before", ""))
    return render(request, "games/notifications.html", {"page": page})


@never_cache
@members_only
@require_safe
def notification(request: HttpRequest, notification_id: int) -> HttpResponse:
    """Open what it tells of; then it is read."""
    try:
        line = selector.one(request.user, notification_id)
    except Notification.DoesNotExist as error:
        raise Http404 from error
    if line is None:
        messages.info(request, _("That is past: there is nothing to open any more."))
        return redirect("games:notifications")
    if request.method == "GET":
        services.read(request.user, notification_id)
    if line.address:
        return redirect(line.address)
    if line.row.by is not None:
        messages.info(request, _("That account is closed."))
    return redirect("games:notifications")


@require_POST
@members_only
def read_all(request: HttpRequest) -> HttpResponse:
    """All has been read."""
    services.read_all(request.user)
    return redirect("games:notifications")


@never_cache
@require_safe
def bell(request: HttpRequest) -> HttpResponse:
    """The bell alone, as it hangs in the bar."""
    if not getattr(request.user, "is_person", False):
        return HttpResponse(status=NOBODY)
    return render(request, "games/notifications/rung.html")


@never_cache
@require_safe
def newest(request: HttpRequest) -> HttpResponse:
    """What a browser may show by itself: the unread ones of the last minutes."""
    if not getattr(request.user, "browser_notices", False):
        return JsonResponse({"lines": []})
    return JsonResponse({"lines": [_told(line) for line in selector.newest(request.user)]})


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. From this address it has the whole site in its reach; browsers look for
    a newer one by themselves."""
    script = render_to_string("games/worker.js")
    return HttpResponse(script, "text/javascript", headers={"Cache-Control": "no-cache"})


@require_POST
@members_only
def notices(request: HttpRequest) -> HttpResponse:
    """Let browsers show what is new by themselves, or no more: ``on`` says which."""
    services.switch_notices(request.user, on=request.POST.get("on") == "yes")
    return way_back(request, "games:notifications")


def _told(line: selector.Line) -> dict[str, Any]:
    """``at`` orders them, in microseconds; of one ``tag`` a browser shows the last only."""
    return {
        "tag": line.row.tag or f"notification:{line.row.pk}",
        "at": int(line.row.made_at.timestamp() * 1_000_000),
        "text": line.plain,
        "address": reverse("games:notification", args=[line.row.pk]),
    }
