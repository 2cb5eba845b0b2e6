"""Where a player reads what moderators have decided, acknowledges it, and appeals."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.services.errors import Refused
from games.views.members import SeeOther, members_only
from ladder.models import Sanction
from ladder.selectors import sanctions as selector
from ladder.services import appeals
from ladder.services import sanctions as services


@require_safe
@never_cache
@members_only
def sanctions(request: HttpRequest) -> HttpResponse:
    """What is to be read, what stands, and what was; the new first."""
    return _page(request)


@require_POST
@members_only
def acknowledge(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """It has been read; on to the next one, or to the lobby."""
    services.acknowledge(_own(request, sanction_id), request.user)
    state = selector.state_of(request.user)
    stays = state.to_acknowledge or state.is_shut_out
    there = "ladder:sanctions" if stays else "ladder:lobby"
    if state.must_rename and not stays:
        there = "account_name"
    return _to(there)


@require_POST
@members_only
def appeal(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Send the one appeal that there is."""
    sanction, text = _own(request, sanction_id), request.POST.get("text", "")
    try:
        appeals.appeal(sanction, request.user, text)
    except Refused as refused:
        return _page(request, status=409, refused=refused.message, about=sanction.pk, text=text)
    messages.success(request, _("Your appeal is sent. You will be told what comes of it."))
    return _to("ladder:sanctions")


def _own(request: HttpRequest, sanction_id: int) -> Sanction:
    try:
        return selector.of_player(request.user, sanction_id)
    except (Sanction.DoesNotExist, OverflowError) as error:
        raise Http404 from error


def _page(request: HttpRequest, status: int = 200, **said: object) -> HttpResponse:
    context = {
        "notices": selector.notices(request.user),
        "state": selector.state_of(request.user),
        "longest": appeals.LONGEST,
        **said,
    }
    return render(request, "ladder/sanctions.html", context, status=status)


def _to(name: str) -> HttpResponse:
    return SeeOther(reverse(name))
