"""The table: look, give a seed, play, resign."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.engine import Illegal, Malformed, NotNow
from games.models import Match, Player
from games.rendering import table_context
from games.selectors.record import record_for
from games.selectors.table import Table, table_for
from games.selectors.talk import Talk, pair_of, talk_of
from games.services import play, turns
from games.services.errors import ChoiceNeeded, Refused, TooLate
from games.views.fragments import wants_fragment


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """The table as it is; a post makes a play and is answered with the table as it then is."""
    if request.method != "POST":
        play.expire_if_overdue(match_id=match_id)
        if (me := viewer(request)) is not None:
            turns.is_at_table(match_id, me)
        return show(request, match_id)
    form = request.POST
    if "cancel" in form:
        return show(request, match_id)
    if unconfirmed(request, match_id):
        return show(request, match_id, choosing=form["card"])
    return act(
        request,
        match_id,
        play.play_card,
        number=_number(form.get("number")),
        card=form.get("card", ""),
        capture=form.get("capture"),
    )


@never_cache
@require_POST
def seed(request: HttpRequest, match_id: str) -> HttpResponse:
    """Give the viewer's client seed."""
    return act(request, match_id, play.give_seed, client_seed=request.POST.get("client_seed", ""))


@never_cache
@require_POST
def resign(request: HttpRequest, match_id: str) -> HttpResponse:
    """Resign the match."""
    return act(request, match_id, play.resign)


@never_cache
@require_POST
def leave(request: HttpRequest, match_id: str) -> HttpResponse:
    """Leave a match in which nothing is dealt yet."""
    return act(request, match_id, play.abort)


@require_safe
def record(request: HttpRequest, match_id: str) -> HttpResponse:
    """The record of a match that is over."""
    try:
        found = record_for(match_id, viewer(request))
    except Match.DoesNotExist as error:
        raise Http404 from error
    return JsonResponse(found, json_dumps_params={"indent": 1, "ensure_ascii": False})


def viewer(request: HttpRequest) -> Player | None:
    """Who is looking: the player who is logged in, or None."""
    return request.user if request.user.is_authenticated else None


def unconfirmed(request: HttpRequest, match_id: str) -> bool:
    """Is this the first tap on a card that could be played now, by a player who wants two?"""
    form, player = request.POST, viewer(request)
    card = form.get("card", "")
    if player is None or not player.confirm_play or "capture" in form:
        return False
    try:
        found = table_for(match_id, player, choosing=card)
    except Match.DoesNotExist as error:
        raise Http404 from error
    may_play = found.turn == "me" and found.match.number == _number(form.get("number"))
    return bool(may_play and found.choosing and form.get("confirmed") != card)


def act(request: HttpRequest, match_id: str, door: Any, **what: Any) -> HttpResponse:
    """Go through ``door`` as the viewer; answer with the table, and with a sentence if refused.

    A plain form that succeeded is sent on to the table, so that a reload repeats nothing.
    """
    if viewer(request) is None:
        return show(request, match_id, _("Log in to play."), status=403)
    try:
        door(match_id=match_id, player=request.user, **what)
    except Match.DoesNotExist as error:
        raise Http404 from error
    except ChoiceNeeded as needed:
        return show(request, match_id, choosing=needed.card)
    except Refused as refused:
        return show(request, match_id, refused.message, status=409)
    except Malformed:
        return show(request, match_id, _("That is no card or no play: nothing was done."), 400)
    except Illegal:
        return show(request, match_id, _("The rules do not allow that play."), status=409)
    except TooLate as late:
        return show(request, match_id, str(late), status=409)
    except NotNow:
        return show(request, match_id, _("It is not your turn."), status=409)
    return show(request, match_id) if request.htmx else redirect("games:table", match_id)


def show(
    request: HttpRequest,
    match_id: str,
    notice: str = "",
    status: int = 200,
    choosing: str = "",
    **beside: Any,
) -> HttpResponse:
    """The table for whoever is looking; 404 where they may not. A fragment is answered as 200:
    htmx swaps it in, with ``notice`` in it. What stands ``beside`` it is for the whole page."""
    try:
        found = table_for(match_id, viewer(request), choosing)
    except Match.DoesNotExist as error:
        raise Http404 from error
    deal, place = (_number(request.GET.get(name)) for name in ("deal", "play"))
    hinted = request.POST.get(f"hint-{choosing}")  # what the hint of this turn would take with it
    context = table_context(found, deal, place) | {"notice": notice, "hinted": hinted} | beside
    if not wants_fragment(request):
        context["talk"] = _talk(found, viewer(request))
    return render(request, "games/table.html", context, status=200 if request.htmx else status)


def _talk(found: Table, player: Player | None) -> Talk | None:
    """What is said at the table, for who talks there and as long as there is talk."""
    pair = pair_of(found.match, [side.player for side in found.sides], player)
    talk = talk_of(pair) if pair else None
    return None if talk is None or talk.closed else talk


def _number(text: str | None) -> int:
    """The number of a play; 0, which no play has, for what is none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else 0
