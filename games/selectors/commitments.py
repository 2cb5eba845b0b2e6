"""The public list of commitments, by pages."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.models import Commitment

PAGE = 50
CHUNK = 2000


@dataclass(frozen=True, slots=True)
class CommitmentsPage:
    """Some lines of the list, newest first; ``before`` is where older ones begin, if there are."""

    lines: list[Commitment]
    before: int | None


def commitments_page(before: str | None) -> CommitmentsPage:
    """The lines whose number is below ``before``; the newest ones if that is no number."""
    rows = Commitment.objects.order_by("-number")
    if before and before.isascii() and before.isdigit() and len(before) < 19:
        rows = rows.filter(number__lt=int(before))
    lines = list(rows[: PAGE + 1])
    return CommitmentsPage(lines[:PAGE], lines[PAGE - 1].number if len(lines) > PAGE else None)


def commitments_in_chunks() -> Iterator[list[Commitment]]:
    """The whole list, oldest first: in bounded memory, a query a chunk."""
    rows, last = Commitment.objects.order_by("number"), 0
    while chunk := list(rows.filter(number__gt=last)[:CHUNK]):
        yield chunk
        last = chunk[-1].number
