"""Who is at the table now, how many watch it, and who is on the site."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Sum

from games.models import Audience, Kind, Lease, Online, Player, Seat, clock
from games.selectors.matches import LIVE


def seats_present(match_id: str) -> set[int]:
    """The seats that have an open socket: any one lease that has not lapsed."""
    leases = Lease.objects.filter(match_id=match_id, until__gte=clock.now())
    return set(leases.values_list("seat", flat=True))


def watchers(match_id: str) -> int:
    """How many watch a match."""
    return watchers_of([match_id]).get(match_id, 0)


def watchers_of(match_ids: Iterable[str]) -> dict[str, int]:
    """How many watch each of these matches; those that nobody watches are left out. 1 query."""
    rows = Audience.objects.filter(match__in=list(match_ids), until__gte=clock.now())
    return dict(rows.values_list("match").annotate(Sum("watchers")))


def people_online() -> int:
    """How many people have a page open."""
    return Online.objects.filter(until__gte=clock.now()).count()


def is_online(player_id: int) -> bool:
    """Has this person a page open?"""
    return Online.objects.filter(player=player_id, until__gte=clock.now()).exists()


def is_seen_online(player: Player) -> bool:
    """Has this person a page open, and lets others know?"""
    return player.shows_online and is_online(player.pk)


def is_seen_away(player: Player) -> bool:
    """Has this person no page open, and lets others know?"""
    return player.shows_online and not is_online(player.pk)


def at_other_tables(player_ids: Iterable[int]) -> set[int]:
    """Who of these players sits at the open table of a live match that is not ranked. 1 query."""
    leases = Lease.objects.filter(
        match=OuterRef("match"), seat=OuterRef("seat"), until__gte=clock.now()
    )
    seats = Seat.objects.filter(player__in=list(player_ids), match__status__in=LIVE)
    return set(
        seats.exclude(match__kind=Kind.RANKED)
        .filter(Exists(leases))
        .values_list("player", flat=True)
    )
