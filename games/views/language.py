"""The switch of languages that stands on every page."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from games import languages
from games.services import accounts


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the language in cookie and account, and go back to the page that was open."""
    onward = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(onward, {request.get_host()}, request.is_secure()):
        onward = resolve_url("ladder:lobby")
    response = HttpResponseRedirect(onward)
    if code := languages.supported(request.POST.get("language", "")):
        languages.remember(response, code)
        if request.user.is_authenticated:
            accounts.choose_language(request.user, code)
    return response
