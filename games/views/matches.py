"""Sitting down to a match."""

from dataclasses import asdict

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import languages
from games.learning import progress_of
from games.look import look_of
from games.models import Match, Player
from games.services import guests, house
from games.services.errors import Refused

EVERYWHERE = "guest"  # the key of the limit that all addresses share


@require_POST
def practice(request: HttpRequest) -> HttpResponse:
    """A practice match with a house player: the running one against it, or a new one."""
    level = request.POST.get("level", "")
    try:
        if request.user.is_authenticated:
            match = house.practise(player=request.user, level=level)
        else:
            match = _as_guest(request, level)
    except Player.DoesNotExist:
        messages.error(request, _("There is no house player of that level."))
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        return redirect(match)
    return redirect("ladder:lobby")


def _as_guest(request: HttpRequest, level: str) -> Match:
    """Let a stranger play: as a guest, who reads and sees the site as the stranger did.

    Raises ``Refused`` when there have been too many guests of late.
    """
    if not ratelimit.consume(request, action="guest", key=EVERYWHERE):
        raise Refused(
            _("Many people began as guests just now. Wait a few minutes, or sign up, and play.")
        )
    language = languages.supported(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))
    own = asdict(look_of(request)) | {"learned": progress_of(request).written}
    guest, match = guests.practise(level=level, language=language, **own)
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    request.session.set_expiry(guests.SESSION)
    return match
