"""What a spoiled ranked match costs: the only place that writes ``Lapse`` and ``RankedPause``."""

from collections.abc import Iterable

from games.models import How, Match, Outage, Seat
from ladder.models import Lapse, RankedPause, What
from ladder.models.pauses import AFTER_OUTAGE, FREE_LAPSES, length
from ladder.selectors.pauses import conduct


def at_fault(match: Match, seats: Iterable[Seat]) -> dict[int, What]:
    """The seats that let a ranked match down, and how. Honest ends, resigning too, have none."""
    if match.how == How.TIME:
        return {match.ended_by: What.TIME}
    if match.how != How.ABORT:
        return {}
    if match.ended_by is not None:
        return {match.ended_by: What.LEFT}
    return {seat.seat: What.NO_SEED for seat in seats if not seat.client_seed}


def count(match: Match, seats: Iterable[Seat], faults: dict[int, What]) -> None:
    """Write down whose fault it was, with the pause that follows from it.

    Joins the transaction that ends ``match``. Soon after an outage nothing is counted. A player
    has one live ranked match at most, so no two lapses of one player are counted at once.
    """
    if not faults or _soon_after_an_outage(match):
        return
    for seat in seats:
        if seat.seat in faults:
            _one(match, seat, faults[seat.seat])


def _one(match: Match, seat: Seat, what: What) -> None:
    lapse = Lapse.objects.create(
        player_id=seat.player_id, match=match, what=what, at=match.finished_at
    )
    nth = len(conduct(seat.player, lapse.at).lapses) - FREE_LAPSES
    if nth > 0:
        RankedPause.objects.create(
            player_id=seat.player_id,
            lapse=lapse,
            nth=nth,
            began_at=lapse.at,
            until=lapse.at + length(nth),
        )


def _soon_after_an_outage(match: Match) -> bool:
    return Outage.objects.filter(ended_at__gt=match.finished_at - AFTER_OUTAGE).exists()
