"""Appeals: those that wait, and the decision on one."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.services.errors import Refused
from ladder.models import Act, Appeal
from ladder.selectors import appeals as selector
from ladder.selectors import sanctions
from ladder.selectors.roles import acts
from ladder.services import appeals as services
from ladder.views.moderation import moderators

ANSWERS = {"grant": True, "reject": False}


@moderators(Act.DECIDE)
@require_safe
def appeals(request: HttpRequest) -> HttpResponse:
    """The appeals that wait, longest first."""
    page = selector.waiting(request.user, request.GET.get("page", ""))
    context = {"page": page, "acts": acts(request.user), "Act": Act}
    return render(request, "moderation/appeals.html", context)


@moderators(Act.DECIDE)
@require_http_methods(["GET", "POST"])
def appeal(request: HttpRequest, appeal_id: int) -> HttpResponse:
    """What was imposed and what is said against it; posted, the decision."""
    try:
        found = selector.one(request.user, appeal_id)
    except (Appeal.DoesNotExist, OverflowError) as error:
        raise Http404 from error
    if request.method == "GET":
        return _page(request, found)
    granted = ANSWERS.get(request.POST.get("decision", ""))
    if granted is None:
        return _page(request, found, 409, _("There is no such choice: take one of the list."))
    try:
        services.decide(found, request.user, granted, request.POST.get("answer", ""))
    except Refused as refused:
        return _page(request, found, 409, refused.message)
    messages.success(request, _("It is decided, and the player is told."))
    return redirect("ladder:moderation-appeals")


def _page(
    request: HttpRequest, found: Appeal, status: int = 200, refused: str = ""
) -> HttpResponse:
    context = {
        "appeal": found,
        "history": sanctions.history(found.sanction.player),
        "may_decide": selector.may_decide(found, request.user),
        "refused": refused,
        "answer": request.POST.get("answer", ""),
        "longest": services.LONGEST,
    }
    return render(request, "moderation/appeal.html", context, status=status)
