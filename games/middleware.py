"""Each page in the language, the digits and the time zone of its reader, and kept by no browser."""

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin

from games import browsers, digits, languages, zones
from games.services import guests, sessions


class ReaderMiddleware(MiddlewareMixin):
    """What is kept in the account goes before cookie and browser, which ``LocaleMiddleware`` has
    asked already; and the cookie follows the account, so that a log-in brings its language along.
    """

    def process_request(self, request: HttpRequest) -> None:
        timezone.activate(zones.of_browser(request.COOKIES))
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return  # nobody is logged in, and nothing need be asked
        _follow_guest(request)
        if getattr(request.user, "is_person", False):
            sessions.is_seen(request)
        if code := languages.of_account(request.user):
            translation.activate(code)
            request.LANGUAGE_CODE = code

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if getattr(request, "logged_out", False):
            browsers.leave_nothing(request, response)
        reader = _known(request)
        if reader is None:
            return response
        browsers.keep_no_page(response)
        cookie = settings.LANGUAGE_COOKIE_NAME
        code = languages.of_account(reader)
        if code and request.COOKIES.get(cookie) != code and cookie not in response.cookies:
            languages.remember(response, code)
        is_html = response.get("Content-Type", "").startswith("text/html")
        if is_html and not response.streaming and digits.are_wanted(reader):
            response.content = digits.in_page(response.content.decode()).encode()
            if "Content-Length" in response:
                response["Content-Length"] = str(len(response.content))
        return response


def _follow_guest(request: HttpRequest) -> None:
    """A guest who asks for a page is still here, and the session with it."""
    guest = request.user
    if not getattr(guest, "is_guest", False) or not guests.is_due(guest):
        return
    if guests.note(guest):
        request.session.set_expiry(guests.SESSION)
    else:
        logout(request)


def _known(request: HttpRequest) -> object | None:
    """Who is logged in, where that has been asked anyway."""
    asked = settings.SESSION_COOKIE_NAME in request.COOKIES or hasattr(request, "_cached_user")
    reader = getattr(request, "user", None) if asked else None
    return reader if reader is not None and reader.is_authenticated else None
