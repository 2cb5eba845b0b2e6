"""Entering and leaving the queue for ranked play, and the bar of who waits."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games.models import Player
from games.selectors.matches import match_to_go_to
from games.services.errors import Refused
from games.views.members import SeeOther, to_sign_up
from ladder.selectors.waiting import place_of
from ladder.services import pairing
from ladder.views.reader import reader

BAR = "waiting-bar"


@require_POST
def ranked(request: HttpRequest) -> HttpResponse:
    """Wait for a ranked match, or go to the one there is. Strangers and guests are asked to sign
    up."""
    me = reader(request)
    if me is None or me.is_guest:
        return to_sign_up(request)
    try:
        match = pairing.enter_queue(me)
    except Refused as refused:
        messages.error(request, refused.message)
        match = None
    return _go(request, match.get_absolute_url() if match else reverse("ladder:lobby"))


@require_POST
def accept(request: HttpRequest) -> HttpResponse:
    """Play whom the queue has found."""
    me = reader(request)
    if me is None:
        return to_sign_up(request)
    try:
        match, said = pairing.accept_found(me), ""
    except Refused as refused:
        match, said = None, refused.message
    return _go(request, match.get_absolute_url()) if match else _stay(request, me, said)


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Stop waiting, also for whom the queue has found; or have read why one waits no longer."""
    me = reader(request)
    if me is None:
        return _go(request, reverse("ladder:lobby"))
    left = pairing.leave_queue(me)
    return _stay(request, me, _("You have stopped waiting.") if left else "")


@require_safe
@never_cache
def bar(request: HttpRequest) -> HttpResponse:
    """The bar of who waits, who shows by asking that a page is still open; once a match has begun,
    the way to its table."""
    me = reader(request)
    if me is None:
        return HttpResponse(status=204)
    pairing.still_here(me)
    place = place_of(me)
    if "waits" in request.GET and not place.entry and (match := match_to_go_to(me)):
        return _go(request, match.get_absolute_url())
    return render(request, "ladder/waiting/bar.html", {"place": place})


def _stay(request: HttpRequest, me: Player, said: str) -> HttpResponse:
    """The bar alone for who pressed in it, the lobby for everybody else; with what there is to
    say."""
    if request.htmx and request.htmx.target == BAR:
        return render(request, "ladder/waiting/bar.html", {"place": place_of(me), "said": said})
    if said:
        messages.info(request, said)
    return _go(request, reverse("ladder:lobby"))


def _go(request: HttpRequest, address: str) -> HttpResponse:
    """See other; htmx, which would follow a redirect by itself, is told to load the page."""
    if request.htmx:
        return HttpResponseClientRedirect(address)
    return SeeOther(address)
