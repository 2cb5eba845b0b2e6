"""What the lobby shows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.models import Kind, Level, Match, Player, PlayerKind, clock
from games.selectors.matches import match_to_go_to
from ladder.models import QueueEntry
from ladder.selectors import history, leaderboard, pauses

TOP = 5
RECENT = 5
WATCH = 5


@dataclass(frozen=True, slots=True)
class Waiting:
    """The state of the ranked button at ``moment``: a match to go to, or waiting, or neither; then
    ``conduct`` says whether ranked play is paused.

    ``others`` counts the people waiting besides the reader.
    """

    moment: datetime
    match: Match | None
    entry: QueueEntry | None
    others: int
    conduct: pauses.Conduct

    @property
    def seconds(self) -> int:
        """How long the reader has waited."""
        return int(self.entry.waited(self.moment).total_seconds()) if self.entry else 0

    @property
    def clock(self) -> str:
        """The same as minutes and seconds, "1:05"."""
        return f"{self.seconds // 60}:{self.seconds % 60:02}"

    @property
    def width(self) -> int | None:
        """How many rating points away an opponent may be; None: any number."""
        return self.entry.width(self.moment) if self.entry else None

    @property
    def reason(self) -> str:
        """Why ranked play is paused."""
        return pauses.reason(self.conduct.pause)

    @property
    def look_again_seconds(self) -> int:
        """When a page that shows a pause asks again: at its end, and every hour before."""
        left = int((self.conduct.pause.until - self.moment).total_seconds()) + 1
        return min(left, 3600)


def waiting(me: Player | None, match: Match | None) -> Waiting:
    """The reader's place in the queue. ``match``: the ranked match to go to.

    A query each for the queue and, where nobody waits, for the lapses.
    """
    moment = clock.now()
    people = QueueEntry.objects.filter(player__kind=PlayerKind.PERSON)
    entries = list(people.select_related("failed_by"))
    entry = next((e for e in entries if me is not None and e.player_id == me.pk), None)
    others = sum(e is not entry and not e.is_gone(moment) for e in entries)
    free = me is not None and entry is None and match is None
    conduct = pauses.conduct(me, moment) if free else pauses.Conduct()
    return Waiting(moment, match, entry, others, conduct)


def queue(me: Player | None) -> dict[str, Any]:
    """The queue alone: what a page that waits asks again and again."""
    return {"waiting": waiting(me, match_to_go_to(me) if me else None)}


def lobby(me: Player | None) -> dict[str, Any]:
    """The whole page. The number of queries grows with nothing."""
    live = history.own_live(me) if me else []
    ranked = next((seen.match for seen in live if seen.match.kind == Kind.RANKED), None)
    under_way, watch = history.watchable(WATCH)
    return {
        "waiting": waiting(me, ranked),
        "live": live,
        "levels": [(level, place) for place, level in enumerate(Level, start=1)],
        "recent": history.finished(me, Kind.values, RECENT) if me else [],
        "top": leaderboard.top(TOP, me),
        "under_way": under_way,
        "watch": watch,
    }
