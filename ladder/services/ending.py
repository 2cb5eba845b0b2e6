"""What the ladder does when a match ends, inside the transaction that ends it."""

from games.models import Kind, Match, Seat, Status
from games.models.clock import SEED_LIMIT
from ladder.services import pairing, rating


def on_finished(match: Match) -> None:
    """Rate a ranked match, once; put back in the queue whom the other seat left waiting for a seed.

    Anything but a ranked match changes nothing. Locks: queue, then ratings by id.
    """
    if match.kind != Kind.RANKED or rating.is_rated(match):
        return
    if match.status == Status.ABORTED:
        for seat in _left_waiting(match):
            pairing.enter_again(seat.player, since=match.created_at)
        return
    pairing.clear([seat.player_id for seat in match.seats.all()])
    rating.rate(match)


def _left_waiting(match: Match) -> list[Seat]:
    """The seat that gave its seed in time while the other gave none until the limit.

    A match that was left sooner doesn't tell who left it: there nobody is put back unasked.
    """
    if match.deal or match.finished_at - match.created_at < SEED_LIMIT:
        return []
    seats = list(match.seats.select_related("player"))
    ready = [seat for seat in seats if seat.client_seed]
    return ready if len(ready) < len(seats) else []
