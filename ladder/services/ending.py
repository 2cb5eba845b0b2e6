"""What the ladder does when a match ends, inside the transaction that ends it."""

from games.models import How, Kind, Match, Seat, Status, Unrated
from ladder.models import Pairing, What
from ladder.selectors import sanctions
from ladder.services import pairing, pauses, rating


def on_finished(match: Match) -> str:
    """Rate a match, once, and count whose fault it was if a ranked one was let down.

    Who sat down in vain, because of the other, goes back to the old place in the queue. Returns a
    reason (``Unrated``) that has come up since the match began, for the match to keep: it is not
    rated then. Locks: queue, then ratings by id.
    """
    if rating.is_rated(match):
        return ""
    seats = list(match.seats.select_related("player"))
    if match.kind == Kind.RANKED:
        faults = pauses.at_fault(match, seats)
        pauses.count(match, seats, faults)
        if match.status == Status.ABORTED:
            _put_back(match, seats, faults)
            return ""
        if match.how == How.SANCTION and match.winner is None:  # before the deal
            _put_back(match, seats, {match.ended_by: What.LEFT})
            return ""
        pairing.clear([seat.player_id for seat in seats])
        if any(sanctions.holds(seat.player, *sanctions.UNRATED) for seat in seats):
            return Unrated.SANCTION
        if any(seat.player.is_staff for seat in seats):
            return Unrated.STAFF
    rating.rate(match, seats)
    return ""


def _put_back(match: Match, seats: list[Seat], faults: dict[int, What]) -> None:
    """The queue knows since when each had waited; a match made otherwise began the wait."""
    made = Pairing.objects.filter(match=match).first()
    for seat in seats:
        if seat.seat in faults:
            continue
        other = seats[1 - seat.seat]
        pairing.enter_again(
            seat.player,
            made.since(seat.seat) if made else match.created_at,
            # A seed is a sign of life; without one the last was the pairing.
            seen=match.finished_at if seat.client_seed else match.created_at,
            failed_by=other.player,
            failed_how=faults[other.seat],
        )
