"""How the shuffle is made fair: the page, the public list of commitments, and the statistics."""

import csv
import io

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.engine import PACK
from games.selectors.commitments import commitments_in_chunks, commitments_page
from games.selectors.statistics import shuffle
from games.views.streaming import download

A_MINUTE = cache_control(max_age=60)  # the statistics are renewed no more often


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    """How it works, what it does not do, the statistics, and the newest commitments."""
    page = commitments_page(before=request.GET.get("before"))
    return render(request, "games/fairness.html", {"page": page, "shuffle": shuffle()})


@require_safe
def commitments(request: HttpRequest) -> HttpResponseBase:
    """The whole list as lines of number, time (UTC) and SHA-256, oldest first."""
    pieces = (
        "".join(f"{row.number} {row.made_at:%Y-%m-%dT%H:%M:%S.%fZ} {row.sha256}\n" for row in rows)
        for rows in commitments_in_chunks()
    )
    return download(request, pieces, "commitments.txt", "text/plain")


@require_safe
@A_MINUTE
def positions_svg(request: HttpRequest) -> HttpResponse:
    """How often each card lay at each place, as a picture; ``?on=dark`` for dark pages."""
    context = {"shuffle": shuffle(), "dark": request.GET.get("on") == "dark"}
    return render(request, "games/positions.svg", context, content_type="image/svg+xml")


@require_safe
@A_MINUTE
def positions_csv(request: HttpRequest) -> HttpResponse:
    """The same counts as a table: a line for each place, 0 the top, a column for each card."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["place", *map(str, PACK)])
    table.writerows([place, *row] for place, row in enumerate(shuffle().counts))
    response = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="positions.csv"'
    return response
