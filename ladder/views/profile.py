"""A player's page."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import Player
from games.selectors import people, presence
from ladder import elo
from ladder.selectors import figures
from ladder.selectors import profile as selector
from ladder.views.reader import reader


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """The page of the player of that name, in any spelling of it; ``?over=time`` for the chart."""
    try:
        player = selector.find(name)
    except Player.DoesNotExist:
        return _to_the_new_name(name)
    me = reader(request)
    context = {
        "profile": selector.profile(player, me),
        "over_time": request.GET.get("over") == "time",
        "elo": elo,
        "counted": figures.MATCHES,
    }
    return render(request, "ladder/profile.html", context | _between(me, player))


def _to_the_new_name(name: str) -> HttpResponse:
    """To the page of whoever was called so before. It is kept by no browser: the name will be
    somebody else's."""
    player = selector.called_before(name)
    if player is None:
        raise Http404(_("Nobody of that name plays here."))
    response = redirect(player)
    add_never_cache_headers(response)
    return response


def _between(me: Player | None, player: Player) -> dict[str, Any]:
    """What a reader with an account may do about another player, and may know."""
    if me is None or not me.is_person or me.pk == player.pk or player.is_house:
        return {}
    ties = people.ties(me, player)
    return {"ties": ties, "is_online": not ties.apart and presence.is_seen_online(player)}
