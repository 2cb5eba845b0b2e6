"""Sitting down to a match."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.models import Player
from games.services import house
from games.services.errors import Refused


@require_POST
def practice(request: HttpRequest) -> HttpResponse:
    """A practice match with a house player: the running one against it, or a new one."""
    if not request.user.is_authenticated:
        return redirect(f"{resolve_url('account_signup')}?next={resolve_url('ladder:lobby')}")
    try:
        match = house.practise(player=request.user, level=request.POST.get("level", ""))
    except Player.DoesNotExist:
        messages.error(request, _("There is no house player of that level."))
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        return redirect(match)
    return redirect("ladder:lobby")
