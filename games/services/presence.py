"""Presence: told to the other seat, and never part of the table or its version."""

from datetime import timedelta

from games.models import Lease, Online, clock
from games.services.publish import publish

RENEW_SECONDS = 10
LEASE = timedelta(seconds=25)
ONLINE = timedelta(seconds=45)


def arrive(*, channel: str, match_id: str, seat: int) -> None:
    """A socket of a seat has opened."""
    until = clock.now() + LEASE
    Lease.objects.update_or_create(
        channel=channel, defaults={"match_id": match_id, "seat": seat, "until": until}
    )
    _tell(match_id)


def renew(*, channel: str, match_id: str, seat: int) -> None:
    """The socket is still open. A lease that was swept meanwhile is taken anew."""
    if not Lease.objects.filter(channel=channel).update(until=clock.now() + LEASE):
        arrive(channel=channel, match_id=match_id, seat=seat)


def leave(*, channel: str, match_id: str) -> None:
    """The socket has closed."""
    if Lease.objects.filter(channel=channel).delete()[0]:
        _tell(match_id)


def show_online(player_id: int) -> None:
    """A page of the player is open. Written when the last word has less than a lease to go."""
    now = clock.now()
    if not Online.objects.filter(player=player_id, until__gt=now + LEASE).exists():
        Online.objects.update_or_create(player_id=player_id, defaults={"until": now + ONLINE})


def sweep() -> int:
    """End the leases that nobody renewed; how many there were."""
    Online.objects.filter(until__lt=clock.now()).delete()
    lapsed = list(Lease.objects.filter(until__lt=clock.now()).values_list("channel", "match_id"))
    Lease.objects.filter(channel__in=[channel for channel, _match in lapsed]).delete()
    for match_id in {match for _channel, match in lapsed}:
        _tell(match_id)
    return len(lapsed)


def _tell(match_id: str) -> None:
    publish(f"match.{match_id}", {"type": "presence.changed", "match": match_id})
