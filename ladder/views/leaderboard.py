"""The leaderboard."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder import elo
from ladder.selectors import leaderboard as selector
from ladder.views.reader import reader


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    """Both sections, each at its own page."""
    me = reader(request)
    context = {
        "ranked": selector.ranked_section(request.GET.get("page", 1), me),
        "provisional": selector.provisional_section(request.GET.get("provisional", 1), me),
        "provisional_under": elo.PROVISIONAL_UNDER,
    }
    return render(request, "ladder/leaderboard.html", context)
