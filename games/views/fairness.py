"""How the shuffle is made fair, and the public list of commitments."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.models import Commitment
from games.selectors.commitments import commitments_page


@require_GET
def fairness(request: HttpRequest) -> HttpResponse:
    """How it works, what it does not do, and the newest commitments."""
    page = commitments_page(before=request.GET.get("before"))
    return render(request, "games/fairness.html", {"page": page})


@require_GET
def commitments(request: HttpRequest) -> HttpResponse:
    """The whole list as lines of number, time (UTC) and SHA-256, oldest first."""
    rows = Commitment.objects.order_by("number").iterator(chunk_size=2000)
    response = StreamingHttpResponse(_lines(rows), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="commitments.txt"'
    return response


def _lines(rows: Iterator[Commitment]) -> Iterator[str]:
    for row in rows:
        yield f"{row.number} {row.made_at:%Y-%m-%dT%H:%M:%S.%fZ} {row.sha256}\n"
