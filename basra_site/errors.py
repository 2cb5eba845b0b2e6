"""Error pages: what happened, and what to do."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token has gone: the page is asked to renew itself, nothing was done."""
    response = render(request, "403_csrf.html", {"base": "base.html"}, status=403)
    response["HX-Refresh"] = "true"
    return response
