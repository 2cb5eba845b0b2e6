"""Finished matches as one player's list shows them, and those that are being played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from games.models import Kind, Match, Player, Seat, Status
from games.selectors.matches import live_matches
from games.selectors.presence import watchers_of
from ladder.models import ChangeKind, Pool, RatingChange

OVER = (Status.FINISHED, Status.ABORTED)


@dataclass(frozen=True, slots=True)
class Line:
    """A match that is over, as ``player``'s list shows it; points are ``(own, the other's)``.

    ``annulled``: what it moved has been moved back. Only ``entries`` knows.
    """

    match: Match
    opponent: Player
    won: bool | None
    points: tuple[int, int]
    own: RatingChange | None
    other: RatingChange | None
    annulled: bool = False

    @property
    def unequal(self) -> bool:
        """Did winner and loser move by different amounts?"""
        return bool(self.own and self.other and self.own.change != -self.other.change)


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A match under way; seen from a seat, ``opponent`` and ``my_turn`` are that seat's, and seen
    from outside ``watchers`` is how many watch it."""

    match: Match
    players: tuple[Player, ...]
    opponent: Player | None = None
    my_turn: bool | None = None
    watchers: int = 0


def finished(player: Player, kinds: Sequence[str], limit: int) -> list[Line]:
    """The last ``limit`` matches of these kinds that ``player`` has finished. 3 queries."""
    both = Prefetch("match__seats", Seat.objects.select_related("player").order_by("seat"))
    seats = (
        Seat.objects.filter(player=player, finished_at__isnull=False, match__kind__in=kinds)
        .select_related("match")
        .defer("match__sealed", "match__server_seed")
        .prefetch_related(both)
        .order_by("-finished_at", "-id")[:limit]
    )
    found = [seat.match for seat in seats]
    rows = RatingChange.objects.filter(match__in=found, pool=Pool.RANKED, kind=ChangeKind.RESULT)
    changes = {(row.match_id, row.player_id): row for row in rows}
    return [_line(match, player, changes) for match in found]


def entries(player: Player, kinds: Sequence[str], limit: int) -> list[Line | RatingChange]:
    """``finished``, and among them the annulments, refunds and reversals since then: each rating
    begins where the one below it ended. 4 queries."""
    lines = finished(player, kinds, limit)
    acts = _acts(player, lines[-1].match.finished_at, limit) if lines else []
    undone = {act.refers_to_id for act in acts if act.kind == ChangeKind.REVERSAL}
    annulled = {
        act.refers_to_id
        for act in acts
        if act.kind == ChangeKind.ANNULMENT and act.pk not in undone
    }
    told = [replace(line, annulled=_ledger_id(line) in annulled) for line in lines]
    by_time = sorted([*told, *acts], key=_when, reverse=True)
    in_ledger = iter(sorted(filter(_ledger_id, by_time), key=_ledger_id, reverse=True))
    return [next(in_ledger) if _ledger_id(entry) else entry for entry in by_time][:limit]


def own_live(player: Player) -> list[LiveMatch]:
    """The matches that ``player`` plays now, ranked first, then newest. 2 queries."""
    live = [_seen_from(match, player) for match in _with_seats(live_matches(player))]
    return sorted(live, key=lambda seen: seen.match.kind != Kind.RANKED)


def watchable(limit: int) -> tuple[int, list[LiveMatch]]:
    """How many ranked matches are being played, and the newest ``limit`` of them. 4 queries."""
    playing = Match.objects.filter(kind=Kind.RANKED, status=Status.PLAYING)
    newest = list(_with_seats(playing).order_by("-created_at")[:limit])
    watching = watchers_of([match.pk for match in newest])
    return playing.count(), [
        LiveMatch(match, _players(match), watchers=watching.get(match.pk, 0)) for match in newest
    ]


def _acts(player: Player, since: datetime, limit: int) -> list[RatingChange]:
    """The newest rows of the ledger that are no results."""
    rows = RatingChange.objects.filter(player=player, pool=Pool.RANKED, created_at__gte=since)
    acts = rows.exclude(kind=ChangeKind.RESULT).select_related("opponent", "match")
    return list(acts.defer("match__sealed", "match__server_seed").order_by("-id")[:limit])


def _when(entry: Line | RatingChange) -> datetime:
    return entry.match.finished_at if isinstance(entry, Line) else entry.created_at


def _ledger_id(entry: Line | RatingChange) -> int:
    """Its place in the ledger; 0 for a match that moved nothing."""
    row = entry.own if isinstance(entry, Line) else entry
    return row.pk if row else 0


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Their seats and players too; what is hidden of a match isn't even read."""
    seats = Seat.objects.select_related("player").order_by("seat")
    return matches.defer("sealed", "server_seed").prefetch_related(Prefetch("seats", seats))


def _players(match: Match) -> tuple[Player, ...]:
    return tuple(seat.player for seat in match.seats.all())


def _side(match: Match, player: Player) -> int:
    return next(seat.seat for seat in match.seats.all() if seat.player_id == player.pk)


def _line(match: Match, player: Player, changes: dict[tuple[str, int], RatingChange]) -> Line:
    side = _side(match, player)
    opponent = _players(match)[1 - side]
    return Line(
        match=match,
        opponent=opponent,
        won=None if match.winner is None else match.winner == side,
        points=(match.totals[side], match.totals[1 - side]),
        own=changes.get((match.id, player.pk)),
        other=changes.get((match.id, opponent.pk)),
    )


def _seen_from(match: Match, player: Player) -> LiveMatch:
    side = _side(match, player)
    players = _players(match)
    my_turn = None if match.turn is None else match.turn == side
    return LiveMatch(match, players, players[1 - side], my_turn)
