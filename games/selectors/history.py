"""A player's own matches: filtered, by pages that cost the same however many there are; and all
their records, in chunks.

A page begins at a place, not at a number: ``before`` or ``after`` a match, in the order in which
matches ended. So nothing is seen twice when matches are added, and no page is slower than another.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games import ports
from games.models import Match, Player, Seat, Status
from games.selectors.matches import LIVE
from games.selectors.record import WITH_RECORD, record_of

PAGE = 20
MOST_LIVE = 50
RECORDS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Filters:
    """What to show: by result (won, lost or aborted), opponent, kind, and when it ended
    (``since`` ≤ … < ``until``). What is empty filters nothing."""

    result: str = ""
    opponent: Player | None = None
    kind: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A match as its player sees it; points are ``(own, the other's)``.

    ``result``: won, lost, aborted, or none; empty while it runs. ``waits_for``: whose turn or seed
    it is, ``me`` or ``opponent``; empty when it is over. ``annulled``: it counts for nothing any
    more.
    """

    match: Match
    opponent: Player
    result: str
    points: tuple[int, int]
    waits_for: str = ""
    annulled: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Matches that are over, newest first. ``newer`` and ``older`` are the ids of the matches that
    the neighbouring pages begin after and before; None where there is nothing more.

    ``lost`` says that the place asked for is no match of this player's: this is the first page.
    ``beyond`` says that nothing is older than the place asked for.
    """

    lines: list[Line]
    newer: str | None = None
    older: str | None = None
    lost: bool = False
    beyond: bool = False


def opponent_called(name: str) -> Player:
    """The player of that name, in any spelling. Raises ``Player.DoesNotExist``, also for a closed
    account, whose name is shown no longer."""
    return Player.objects.called(name)


def running(player: Player, filters: Filters | None = None) -> list[Line]:
    """The matches of ``player`` that are not over, where it is their turn first. 2 queries."""
    live = _own(player).filter(finished_at=None, match__status__in=LIVE)
    found = _filtered(live, filters or Filters()).order_by("-match__created_at")[:MOST_LIVE]
    return sorted(_lines(player, list(found)), key=lambda line: line.waits_for != "me")


def finished(
    player: Player, filters: Filters | None = None, before: str = "", after: str = ""
) -> Page:
    """A page of the matches of ``player`` that are over. 2 queries, 3 with a place to begin at."""
    rows = _filtered(_own(player).filter(finished_at__isnull=False), filters or Filters())
    asked = before or after
    place = _place(player, asked)
    if place and before:
        older = list(_newest(rows.filter(_earlier(place)))[: PAGE + 1])
        return _page(player, older, newer=True)
    if place:
        newer = list(rows.filter(_later(place)).order_by("finished_at", "id")[: PAGE + 1])
        if newer:
            return _page(player, newer[:PAGE][::-1], newer=len(newer) > PAGE, older=True)
    first = _page(player, list(_newest(rows)[: PAGE + 1]))
    return replace(first, lost=bool(asked and not place))


def records(player: Player) -> Iterator[list[dict[str, Any]]]:
    """The record of every finished match that ``player`` played, oldest first, in chunks: of
    bounded size, 6 queries each."""
    over = Q(match__status=Status.FINISHED, finished_at__isnull=False)
    rows = _own(player).filter(over, match__simulated=False)
    rows = rows.order_by("finished_at", "id")
    chunk = list(rows[:RECORDS_AT_ONCE])
    while chunk:
        matches = WITH_RECORD.in_bulk([seat.match_id for seat in chunk])
        yield [record_of(matches[seat.match_id]) for seat in chunk]
        chunk = list(rows.filter(_later(chunk[-1]))[:RECORDS_AT_ONCE])


def _own(player: Player) -> QuerySet[Seat]:
    """The seats of ``player`` with their matches; what is hidden of a match isn't even read."""
    seats = Seat.objects.filter(player=player).select_related("match")
    return seats.defer("match__sealed", "match__server_seed")


def _place(player: Player, match_id: str) -> Seat | None:
    """Where in the list a match stands; None for what is no match there."""
    if not (match_id.isascii() and match_id.isalnum()):
        return None
    return Seat.objects.filter(player=player, match_id=match_id, finished_at__isnull=False).first()


def _newest(rows: QuerySet[Seat]) -> QuerySet[Seat]:
    return rows.order_by("-finished_at", "-id")


def _earlier(place: Seat) -> Q:
    """What ended before; the first half lets the index find the place."""
    at = place.finished_at
    return Q(finished_at__lte=at) & (Q(finished_at__lt=at) | Q(id__lt=place.pk))


def _later(place: Seat) -> Q:
    at = place.finished_at
    return Q(finished_at__gte=at) & (Q(finished_at__gt=at) | Q(id__gt=place.pk))


def _filtered(rows: QuerySet[Seat], filters: Filters) -> QuerySet[Seat]:
    if filters.result == "won":
        rows = rows.filter(match__winner=F("seat"))
    elif filters.result == "lost":
        rows = rows.filter(match__winner=1 - F("seat"))
    elif filters.result == "aborted":
        rows = rows.filter(match__status=Status.ABORTED)
    if filters.kind:
        rows = rows.filter(match__kind=filters.kind)
    if filters.since:
        rows = rows.filter(finished_at__gte=filters.since)
    if filters.until:
        rows = rows.filter(finished_at__lt=filters.until)
    if filters.opponent:
        other = Seat.objects.filter(match=OuterRef("match"), seat=1 - OuterRef("seat"))
        rows = rows.filter(Exists(other.filter(player=filters.opponent)))
    return rows


def _page(player: Player, rows: list[Seat], *, newer: bool = False, older: bool = False) -> Page:
    """A page of the first ``PAGE`` of ``rows``, newest first; one row more tells of older ones."""
    older = older or len(rows) > PAGE
    rows = rows[:PAGE]
    lines = _lines(player, rows)
    annulled = ports.annulled([row.match_id for row in rows]) if rows else set()
    return Page(
        [replace(line, annulled=line.match.pk in annulled) for line in lines],
        newer=rows[0].match_id if rows and newer else None,
        older=rows[-1].match_id if rows and older else None,
        beyond=newer and not rows,
    )


def _lines(player: Player, rows: list[Seat]) -> list[Line]:
    others = Seat.objects.filter(match_id__in=[row.match_id for row in rows]).exclude(player=player)
    opponents = {seat.match_id: seat for seat in others.select_related("player")}
    return [_line(row, opponents[row.match_id]) for row in rows]


def _line(own: Seat, other: Seat) -> Line:
    match, side = own.match, own.seat
    return Line(
        match=match,
        opponent=other.player,
        result=_result(match, side),
        points=(match.totals[side], match.totals[1 - side]),
        waits_for=_waits_for(match, own),
    )


def _result(match: Match, side: int) -> str:
    if match.status == Status.ABORTED:
        return "aborted"
    if match.status != Status.FINISHED:
        return ""
    if match.winner is None:
        return "none"
    return "won" if match.winner == side else "lost"


def _waits_for(match: Match, own: Seat) -> str:
    if match.status == Status.STARTING:
        return "opponent" if own.client_seed else "me"
    if match.status == Status.PLAYING:
        return "me" if match.turn == own.seat else "opponent"
    return ""
