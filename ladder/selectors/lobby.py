"""What the lobby shows."""

from typing import Any

from games.models import Kind, Player, clock
from games.selectors import house, people
from games.selectors.matches import match_to_go_to
from games.selectors.presence import people_online
from ladder.models import QueueEntry
from ladder.models.queue import GONE_AFTER
from ladder.selectors import history, leaderboard
from ladder.selectors.waiting import waiting

TOP = 5
RECENT = 5
WATCH = 5
FRIENDS = 8


def queue(me: Player | None) -> dict[str, Any]:
    """The queue alone: what a page that waits asks again and again."""
    return {"waiting": waiting(me, match_to_go_to(me) if me else None)}


def live() -> dict[str, Any]:
    """What all see alike and what changes by itself: the matches to watch, and how many people are
    here and wait. 6 queries."""
    under_way, watch = history.watchable(WATCH)
    here = QueueEntry.objects.filter(seen_at__gte=clock.now() - GONE_AFTER)
    return {
        "under_way": under_way,
        "watch": watch,
        "online": people_online(),
        "queueing": here.count(),
    }


def mine(me: Player) -> dict[str, Any]:
    """What is the reader's own and changes by itself: the matches that go on, and whom they follow
    and who is here. 4 queries."""
    friends = people.following(me, only_online=True)
    return {"mine": history.own_live(me), "friends": friends[:FRIENDS]}


def lobby(me: Player | None) -> dict[str, Any]:
    """The whole page. The number of queries grows with nothing."""
    own = mine(me) if me else {"mine": []}
    ranked = next((seen.match for seen in own["mine"] if seen.match.kind == Kind.RANKED), None)
    return {
        **own,
        **live(),
        "waiting": waiting(me, ranked),
        "house": house.players(),
        "recent": history.finished(me, Kind.values, RECENT) if me else [],
        "top": leaderboard.top(TOP, me),
    }
