"""Where somebody is logged in, and the end of it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.selectors import logins
from games.services import sessions as service
from games.views.members import members_only

DIGITS_OF_A_KEY = 18


@require_safe
@never_cache
@members_only
def sessions(request: HttpRequest) -> HttpResponse:
    """The reader's sessions."""
    lines = logins.sessions_of(request.user, service.current(request))
    return render(request, "account/sessions.html", {"lines": lines})


@require_POST
@members_only
def end(request: HttpRequest) -> HttpResponse:
    """End one session, or without a key all but this."""
    asked = request.POST.get("session", "")
    if not asked:
        gone = service.end_all(request.user, but=request)
        text = ngettext("%(n)s other session has ended.", "%(n)s other sessions have ended.", gone)
        messages.success(request, text % {"n": gone})
    elif asked.isascii() and asked.isdigit() and len(asked) <= DIGITS_OF_A_KEY:
        service.end_one(request.user, int(asked))
        messages.success(request, _("That session has ended."))
    return redirect("account_sessions")
