"""Whoever is held by a moderator's measure is led to where it is read, from wherever they are."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRedirect

from games.models import Player, Seat
from games.selectors.matches import LIVE
from games.views.members import SeeOther
from ladder.selectors.sanctions import State, state_of

# Open to everybody, always: what is to be read, the ways out, and the parts that stand on any page.
ALWAYS = {
    "ladder:sanctions",
    "ladder:acknowledge",
    "ladder:appeal",
    "ladder:waiting-bar",
    "games:bell",
    "games:newest",
    "games:worker",
    "games:records",
    "games:language",
    "games:privacy",
    "games:terms",
    "games:fair-play",
    "games:contact",
    "account_close",
    "account_closed",
    "account_logout",
    "account_reauthenticate",
    "account_export",
    "account_export_file",
    "mfa_reauthenticate",
    "healthz",
    "readyz",
}
# What a running match needs, so that nobody loses time by a page that comes between.
TABLE = {"games:table", "games:seed", "games:leave", "games:resign"}
BESIDE_THE_TABLE = {"games:talk", "games:talk-mute"}
RENAMING = {"account_name"}


class SanctionMiddleware(MiddlewareMixin):
    """Asks the database nothing for whom no measure stands against, and one thing otherwise.

    ``request.held`` is what a bar at the table tells of.
    """

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> HttpResponse | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return None
        player = request.user
        name = request.resolver_match.view_name
        if not getattr(player, "is_held", False) or name in ALWAYS:
            return None
        request.held = state = state_of(player)
        if _is_open(name, player, state, kwargs.get("match_id", "")):
            return None
        return _lead(request, state)


def _is_open(name: str, player: Player, state: State, match_id: str) -> bool:
    """May ``player`` go on to the page of that name?"""
    if not (state.is_shut_out or state.to_acknowledge or state.must_rename):
        return True
    at_table = name in TABLE if state.is_shut_out else name in TABLE | BESIDE_THE_TABLE
    if at_table and _plays(player, match_id):
        return True
    return name in RENAMING and not state.is_shut_out and not state.to_acknowledge


def _plays(player: Player, match_id: str) -> bool:
    seats = Seat.objects.filter(player=player, match=match_id, match__status__in=LIVE)
    return seats.exists()


def _lead(request: HttpRequest, state: State) -> HttpResponse:
    """To what is to be read; to another name, once it has been."""
    rename = state.must_rename and not state.to_acknowledge and not state.is_shut_out
    address = reverse("account_name" if rename else "ladder:sanctions")
    return HttpResponseClientRedirect(address) if request.htmx else SeeOther(address)
