"""Presence: told to the other seat, and never part of the table or its version."""

from datetime import timedelta

from games.models import Audience, Lease, Online, clock
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


def show_audience(match_id: str, process: str, watchers: int) -> None:
    """So many watch a match through this web process. Written when that has changed, or when the
    last word has less than half of its time to go."""
    now, mine = clock.now(), Audience.objects.filter(match=match_id, process=process)
    row = mine.first()
    if watchers == 0:
        mine.delete()
    elif row is None or row.watchers != watchers or row.until < now + LEASE / 2:
        Audience.objects.update_or_create(
            match_id=match_id,
            process=process,
            defaults={"watchers": watchers, "until": now + LEASE},
        )
    if watchers != (row.watchers if row else 0):
        _tell(match_id)


def sweep() -> int:
    """End the leases and audiences that nobody renewed; at how many tables that was so."""
    now = clock.now()
    Online.objects.filter(until__lt=now).delete()
    tables = set()
    for lapsed in (Lease.objects.filter(until__lt=now), Audience.objects.filter(until__lt=now)):
        rows = list(lapsed.values_list("pk", "match_id"))
        lapsed.filter(pk__in=[key for key, _match in rows]).delete()
        tables |= {match_id for _key, match_id in rows}
    for match_id in tables:
        _tell(match_id)
    return len(tables)


def _tell(match_id: str) -> None:
    publish(f"match.{match_id}", {"type": "presence.changed", "match": match_id})
