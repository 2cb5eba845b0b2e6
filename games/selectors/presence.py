"""Who is at the table now."""

from games.models import Lease, clock


def seats_present(match_id: str) -> set[int]:
    """The seats that have an open socket: any one lease that has not lapsed."""
    leases = Lease.objects.filter(match_id=match_id, until__gte=clock.now())
    return set(leases.values_list("seat", flat=True))
