"""The leaderboards."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ladder import elo
from ladder.models import Season
from ladder.models.rating import LISTED_FOR, LISTED_OPPONENTS
from ladder.selectors import leaderboard as selector
from ladder.selectors import seasons
from ladder.views.reader import reader


@require_safe
def leaderboard(request: HttpRequest) -> HttpResponse:
    """All time: who has a rank, and below who has none yet; or what a search has found."""
    me, asked = reader(request), request.GET
    query = asked.get("q", "").strip()
    ranked = selector.around(me) if me and "me" in asked else None
    context = {
        "tab": "all",
        "query": query,
        "found": selector.search(query, me) if query else None,
        "ranked": ranked or selector.ranked_section(me, **_place(request)),
        "others": selector.others_section(me, **_place(request, "others-")),
        "counted_at": selector.counted_at(),
        "matches": elo.PROVISIONAL_UNDER,
        "opponents": LISTED_OPPONENTS,
        "days": LISTED_FOR.days,
    }
    return render(request, "ladder/leaderboard.html", context)


@require_safe
def season(request: HttpRequest) -> HttpResponse:
    """The table of the running season as it stands, and the way to those before."""
    context = {
        "tab": "season",
        "season": seasons.running(),
        "section": selector.season_section(reader(request), **_place(request)),
        "past": seasons.past(),
        "matches": elo.PROVISIONAL_UNDER,
    }
    return render(request, "ladder/season.html", context)


@require_safe
def past_season(request: HttpRequest, year: str, quarter: str) -> HttpResponse:
    """The final table of a season."""
    number = 4 * int(year) + int(quarter) - 1
    try:
        table = seasons.table(number, reader(request), **_place(request))
    except Season.DoesNotExist:
        raise Http404(_("There is no table of such a season.")) from None
    return render(request, "ladder/past_season.html", {"tab": "season", "table": table})


@require_safe
def following(request: HttpRequest) -> HttpResponse:
    """The people whom the reader follows; a stranger is shown how to sign up."""
    me = reader(request)
    if me is None or not me.is_person:
        return redirect("account_signup")
    context = {"tab": "following", "rows": selector.followed(me)}
    return render(request, "ladder/following.html", context)


def _place(request: HttpRequest, prefix: str = "") -> dict[str, str]:
    """Where the page begins: after or before a key."""
    return {name: request.GET.get(prefix + name, "") for name in ("after", "before")}
