"""Error pages: what happened, and what to do."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.template import loader
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme

# For when even the template of the error page cannot be rendered.
LAST_RESORT = (
    "<!doctype html><html lang=en><meta charset=utf-8>"
    "<meta name=viewport content='width=device-width, initial-scale=1'><title>Basra</title>"
    "<main><h1>Something broke</h1><p>The fault is the site's, and it has been written to the log. "
    "Reload the page in a moment.<div lang=ar dir=rtl><h2>حدث عطل</h2><p>الخطأ من الموقع، وقد سُجّل. "
    "أعد تحميل الصفحة بعد لحظة.</div></main>"
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The request cannot be read. What was wrong with it is in the log, not on the page."""
    return render(request, "400.html", status=400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The viewer may not see this or do that."""
    return render(request, "403.html", status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is nothing at this address, or nothing that the viewer may know of."""
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something broke. Needs no context, no session and no database: they may be what broke."""
    try:
        page = loader.get_template("500.html").render()
    except Exception:  # whatever it is, the answer must go out
        page = LAST_RESORT
    return HttpResponse(page, status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token has gone: the page is asked to renew itself, nothing was done."""
    came_from = request.headers.get("referer", "")
    ours = url_has_allowed_host_and_scheme(came_from, {request.get_host()}, settings.HTTPS)
    response = render(request, "403_csrf.html", {"back": came_from if ours else ""}, status=403)
    response["HX-Refresh"] = "true"
    return response


class NotAllowedMiddleware(MiddlewareMixin):
    """A page for whoever opens an address that only forms are sent to: a tab that is restored, or
    the way back from a log-in that came between. Django's own answer is blank.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if not isinstance(response, HttpResponseNotAllowed) or request.method != "GET":
            return response
        page = render(request, "405.html", status=response.status_code)
        page["Allow"] = response["Allow"]
        return page
