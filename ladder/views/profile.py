"""A player's page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import Player
from ladder import elo
from ladder.selectors import profile as selector
from ladder.views.reader import reader


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """The page of the player of that name, in any spelling of it."""
    try:
        player = selector.find(name)
    except Player.DoesNotExist:
        raise Http404(_("Nobody of that name plays here.")) from None
    shown = selector.profile(player, reader(request))
    context = {"profile": shown, "to_go": selector.matches_to_go(shown), "elo": elo}
    return render(request, "ladder/profile.html", context)
