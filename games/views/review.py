"""Looking back at an own match."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.models import Match, ReviewState
from games.selectors.reviews import review_of, reviewable, summary_of
from games.services import reviews
from games.services.errors import Refused
from games.views.table import viewer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, match_id: str) -> HttpResponse:
    """The review of the reader's plays, or how far it is; a post asks for it."""
    if (player := viewer(request)) is None:
        raise Http404
    try:
        seat = reviewable(match_id, player)
        if request.method == "POST":
            reviews.ask(match_id=match_id, player=player)
            return redirect("games:review", match_id)
    except Match.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        messages.warning(request, refused.message)
        return redirect("games:review", match_id)
    found = review_of(seat)
    context = {"match": seat.match, "review": found}
    if found is not None and found.state == ReviewState.READY:
        context["summary"] = summary_of(found)
    return render(request, "games/review.html", context)
