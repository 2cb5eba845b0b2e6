"""Entering and leaving the queue for ranked play."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.services.errors import Refused
from ladder.services import pairing
from ladder.views.reader import reader


class SeeOther(HttpResponseRedirect):
    """Done; get the next page."""

    status_code = 303


@require_POST
def ranked(request: HttpRequest) -> HttpResponse:
    """Wait for a ranked match, or go to the one there is. Strangers are asked to sign up."""
    me = reader(request)
    if me is None:
        sign_up = reverse("account_signup")
        return _go(request, f"{sign_up}?{urlencode({'next': reverse('ladder:lobby')})}")
    try:
        match = pairing.enter_queue(me)
    except Refused as refused:
        messages.error(request, refused.message)
        match = None
    return _go(request, match.get_absolute_url() if match else reverse("ladder:lobby"))


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """Stop waiting."""
    if me := reader(request):
        pairing.leave_queue(me)
    return _go(request, reverse("ladder:lobby"))


def _go(request: HttpRequest, address: str) -> HttpResponse:
    """See other; htmx, which would follow a redirect by itself, is told to load the page."""
    if request.htmx:
        return HttpResponseClientRedirect(address)
    return SeeOther(address)
