"""What only people with an account may do, the way to one, and the way back from a form."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

View = Callable[..., HttpResponse]


class SeeOther(HttpResponseRedirect):
    """Done; get the next page."""

    status_code = 303


def members_only(view: View) -> View:
    """Strangers are led to the log-in, and guests to sign-up."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return _lead(request, settings.LOGIN_URL, HttpResponseRedirect)
        if not request.user.is_person:
            return to_sign_up(request)
        return view(request, *args, **kwargs)

    return guarded


def to_sign_up(request: HttpRequest) -> HttpResponse:
    """To sign-up, told why, and from there on to the page that was asked for."""
    messages.info(
        request,
        _("This needs an account. A name and a password are enough for one."),
    )
    return _lead(request, "account_signup", SeeOther)


def _lead(request: HttpRequest, name: str, redirect: type[HttpResponseRedirect]) -> HttpResponse:
    """There, and then on to the page that was asked for; a form that was sent is sent no more."""
    asked = request.get_full_path() if request.method in ("GET", "HEAD") else ""
    if request.htmx:  # a part of a page asks: its page is meant
        asked = request.htmx.current_url_abs_path
    address = reverse(name, query={"next": asked or resolve_url("ladder:lobby")})
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def way_back(request: HttpRequest, otherwise: str) -> HttpResponse:
    """To the page that the form names as ``next``, if it is one of ours."""
    there = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return SeeOther(there if ours and there.startswith("/") else resolve_url(otherwise))
