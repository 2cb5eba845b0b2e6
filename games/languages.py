"""In which language somebody reads: the account's, else the cookie's, else the browser's wish."""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from games.models import Player

YEAR = 60 * 60 * 24 * 365


def supported(code: str) -> str:
    """The language that the site has for ``code``; empty if none."""
    try:
        return translation.get_supported_language_variant(code)
    except LookupError:
        return ""


def of_account(player: object) -> str:
    """The language that ``player`` has chosen, if any and if the site still has it."""
    return supported(getattr(player, "language", ""))


def of_reader(player: Player | None, cookies: Mapping[str, str], wish: str) -> str:
    """The language for somebody with these cookies, whose browser wishes for ``wish``: what a page
    would have, for whoever reads no page."""
    request = HttpRequest()
    request.COOKIES = dict(cookies)
    request.META["HTTP_ACCEPT_LANGUAGE"] = wish
    return of_account(player) or translation.get_language_from_request(request)


def remember(response: HttpResponse, code: str) -> None:
    """Keep ``code`` in the browser for a year; nothing is kept for an empty one."""
    if not code:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=YEAR,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
