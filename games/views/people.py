"""People: whom I follow, block and mute, and finding somebody by name."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.models import Player
from games.selectors import people as selector
from games.services import people as services
from games.services.errors import Refused
from games.views.members import members_only, way_back

DIGITS_OF_AN_ID = 18
ACTS = {
    "follow": (services.follow, gettext_lazy("You follow {name} now.")),
    "unfollow": (services.unfollow, gettext_lazy("You follow {name} no longer.")),
    "block": (services.block, gettext_lazy("You block {name} now.")),
    "unblock": (services.unblock, gettext_lazy("You block {name} no longer.")),
    "mute": (services.mute, gettext_lazy("What {name} writes is hidden from you now.")),
    "unmute": (services.unmute, gettext_lazy("You see again what {name} writes.")),
}


@never_cache
@members_only
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """Who is here of those I follow, my lists, and what ``q`` finds."""
    me, text = request.user, request.GET.get("q", "")
    context: dict[str, Any] = {
        "text": text[: selector.LONGEST],
        "following": selector.following(me),
        "blocked": selector.blocked(me),
        "muted": selector.muted(me),
    }
    if text.strip():
        context |= {"asked": True, "found": selector.search(text, me)}
    return render(request, "games/people.html", context)


@require_POST
@members_only
def tie(request: HttpRequest) -> HttpResponse:
    """Follow, block or mute the ``player`` of that id, or take it back: ``act`` says which."""
    act, said = ACTS.get(request.POST.get("act", ""), (None, ""))
    other = _named(request.POST.get("player", ""))
    if act is None or other is None:
        raise Http404
    try:
        act(request.user, other)
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        name = format_html("<bdi>{}</bdi>", other.shown_name)
        messages.success(request, format_html(str(said), name=name))
    return way_back(request, "games:people")


def _named(text: str) -> Player | None:
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_OF_AN_ID):
        return None
    return Player.objects.filter(pk=int(text)).first()
