"""Two people's matches against each other."""

from dataclasses import dataclass

from django.db.models import Count, F, Sum

from games.models import Match, Player
from ladder.models import Pool, RatingChange

LAST = 5


@dataclass(frozen=True, slots=True)
class Meeting:
    """A match from one side: points are ``(own, the other's)``."""

    match: Match
    won: bool
    points: tuple[int, int]
    change: int


@dataclass(frozen=True, slots=True)
class Meetings:
    """Rated matches of ``me`` against another, and the last of them, newest first."""

    matches: int = 0
    won: int = 0
    last: tuple[Meeting, ...] = ()

    @property
    def lost(self) -> int:
        return self.matches - self.won


def meetings_of(me: Player, other: Player) -> Meetings:
    """What the ledger has of ``me`` against ``other``. 2 queries, 1 if they have not met."""
    rows = RatingChange.objects.that_stand().filter(player=me, opponent=other, pool=Pool.RANKED)
    sums = rows.aggregate(matches=Count("pk"), won=Sum("score"))
    if not sums["matches"]:
        return Meetings()
    newest = (
        rows.filter(match__seats__player=me)
        .annotate(seat=F("match__seats__seat"))
        .select_related("match")
        .defer("match__sealed", "match__server_seed")
        .order_by("-id")[:LAST]
    )
    return Meetings(sums["matches"], sums["won"], tuple(_meeting(row) for row in newest))


def _meeting(row: RatingChange) -> Meeting:
    totals = row.match.totals
    points = (totals[row.seat], totals[1 - row.seat])
    return Meeting(row.match, row.score == 1, points, row.change)
