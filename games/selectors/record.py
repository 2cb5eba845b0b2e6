"""The record of a match that is over: all that anybody needs to check it and to replay it."""

from typing import Any

from games.engine.record import FORMAT
from games.models import Match, Player, Status
from games.selectors.access import may_look

WITH_RECORD = Match.objects.prefetch_related("seats__player", "deals", "plays")
"""Matches with all that ``record_of`` reads, so that many cost no more queries than one."""


def record_for(match_id: str, viewer: Player | None) -> dict[str, Any]:
    """The record as plain values (docs/record.md).

    Raises ``Match.DoesNotExist`` while the match runs, for a simulated result, and where the viewer
    may not look.
    """
    over = [Status.FINISHED, Status.ABORTED]
    match = WITH_RECORD.get(pk=match_id, status__in=over, simulated=False)
    if not may_look(match, [seat.player_id for seat in match.seats.all()], viewer):
        raise Match.DoesNotExist
    return record_of(match)


def record_of(match: Match) -> dict[str, Any]:
    """The record of a match that is over, whoever asks."""
    seats = list(match.seats.all())
    return {
        "format": FORMAT,
        "match": match.id,
        "rules_version": match.rules_version,
        "target": match.target,
        "players": [_name(seat.player) for seat in seats],
        "client_seeds": [s.client_seed or None for s in seats],
        "server_seed": match.server_seed,
        "commitment": match.commitment,
        "first_dealer": match.first_dealer,
        "time_given_back_ms": match.given_back_ms,
        "deals": _deals(match),
        "result": {"winner": match.winner, "how": match.how, "totals": list(match.totals)},
    }


def _name(player: Player) -> str | None:
    """A name in the record; a closed account, a guest and who has to take another one have none."""
    return None if player.is_closed or player.is_guest or player.mask else player.name


def _deals(match: Match) -> list[dict[str, Any]]:
    plays: dict[int, list[Any]] = {}
    for play in match.plays.all():
        taken = play.captured.split(",") if play.captured else []
        plays.setdefault(play.deal, []).append([play.card, taken])
    return [
        {
            "dealer": deal.dealer,
            "pack": deal.pack.split(),
            "plays": plays.get(deal.index, []),
            "count": None if deal.points_0 is None else [deal.points_0, deal.points_1],
        }
        for deal in match.deals.all()
    ]
