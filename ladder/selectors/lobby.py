"""What the lobby shows."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from games.models import Kind, Level, Match, Player, PlayerKind, clock
from ladder.models import QueueEntry
from ladder.selectors import history, leaderboard

TOP = 5
RECENT = 5
WATCH = 5


@dataclass(frozen=True, slots=True)
class Waiting:
    """The state of the ranked button: a match to go to, or waiting, or neither.

    ``others`` counts the people waiting besides the reader.
    """

    match: Match | None
    entry: QueueEntry | None
    others: int

    @property
    def minutes(self) -> int:
        """How long the reader has waited, in whole minutes."""
        return (clock.now() - self.entry.entered_at) // timedelta(minutes=1) if self.entry else 0


def waiting(me: Player | None, live: list[history.LiveMatch]) -> Waiting:
    """The reader's place in the queue. ``live``: the reader's matches under way. 1 query."""
    entries = list(QueueEntry.objects.filter(player__kind=PlayerKind.PERSON))
    entry = next((e for e in entries if me is not None and e.player_id == me.pk), None)
    ranked = next((seen.match for seen in live if seen.match.kind == Kind.RANKED), None)
    return Waiting(ranked, entry, len(entries) - (entry is not None))


def queue(me: Player | None) -> dict[str, Any]:
    """The queue alone: what a page that waits asks again and again."""
    live = history.own_live(me) if me else []
    return {"waiting": waiting(me, live), "live": live}


def lobby(me: Player | None) -> dict[str, Any]:
    """The whole page. The number of queries grows with nothing."""
    under_way, watch = history.watchable(WATCH)
    return queue(me) | {
        "levels": [(level, place) for place, level in enumerate(Level, start=1)],
        "recent": history.finished(me, Kind.values, RECENT) if me else [],
        "top": leaderboard.top(TOP, me),
        "under_way": under_way,
        "watch": watch,
    }
