"""Finished matches as one player's list shows them, and those that are being played."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from games.models import Kind, Match, Player, Seat, Status
from games.selectors.matches import live_matches
from ladder.models import ChangeKind, RatingChange

OVER = (Status.FINISHED, Status.ABORTED)


@dataclass(frozen=True, slots=True)
class Line:
    """A match that is over, as ``player``'s list shows it; points are ``(own, the other's)``."""

    match: Match
    opponent: Player
    won: bool | None
    points: tuple[int, int]
    own: RatingChange | None
    other: RatingChange | None

    @property
    def unequal(self) -> bool:
        """Did winner and loser move by different amounts?"""
        return bool(self.own and self.other and self.own.change != -self.other.change)


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """A match under way; seen from a seat, ``opponent`` and ``my_turn`` are that seat's."""

    match: Match
    players: tuple[Player, ...]
    opponent: Player | None = None
    my_turn: bool | None = None


def finished(player: Player, kinds: Sequence[str], limit: int) -> list[Line]:
    """The last ``limit`` matches of these kinds that ``player`` has finished. 3 queries."""
    matches = _with_seats(
        Match.objects.filter(seats__player=player, status__in=OVER, kind__in=kinds)
    ).order_by("-finished_at", "-id")[:limit]
    found = list(matches)
    rows = RatingChange.objects.filter(match__in=found, kind=ChangeKind.RESULT)
    changes = {(row.match_id, row.player_id): row for row in rows}
    return [_line(match, player, changes) for match in found]


def own_live(player: Player) -> list[LiveMatch]:
    """The matches that ``player`` plays now, ranked first, then newest. 2 queries."""
    live = [_seen_from(match, player) for match in _with_seats(live_matches(player))]
    return sorted(live, key=lambda seen: seen.match.kind != Kind.RANKED)


def watchable(limit: int) -> tuple[int, list[LiveMatch]]:
    """How many ranked matches are being played, and the newest ``limit`` of them. 3 queries."""
    playing = Match.objects.filter(kind=Kind.RANKED, status=Status.PLAYING)
    newest = _with_seats(playing).order_by("-created_at")[:limit]
    return playing.count(), [LiveMatch(match, _players(match)) for match in newest]


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
