"""Where a reader stands who waits for a ranked match: in the lobby, and in the bar of each page."""

import math
from dataclasses import dataclass
from datetime import datetime

from games.models import Match, Player, PlayerKind, clock
from ladder.models import Found, Missed, QueueEntry
from ladder.models.queue import TOLD_FOR
from ladder.selectors import pauses

_WITH_FOUND = ("found_as_one__two__player", "found_as_two__one__player", "failed_by")


@dataclass(frozen=True, slots=True)
class Place:
    """The place in the queue of one reader at ``moment``, if any.

    ``missed``: an opponent was found of late, and as no answer came the place was lost.
    """

    moment: datetime
    reader: Player
    entry: QueueEntry | None
    missed: bool

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
    def found(self) -> Found | None:
        """Who has been found for each other, the reader and somebody."""
        return self.entry.found if self.entry else None

    @property
    def opponent(self) -> QueueEntry | None:
        """The place of who has been found for the reader."""
        return self.found.other(self.reader.pk) if self.found else None

    @property
    def is_ready(self) -> bool:
        """Is it the other one alone who is asked?"""
        return self.found is not None and self.found.is_ready(self.reader.pk)

    @property
    def seconds_left(self) -> int:
        """How many seconds there are to answer; one begun counts whole."""
        return math.ceil(self.found.left(self.moment).total_seconds()) if self.found else 0

    @property
    def state(self) -> str:
        """waiting, found (the reader is asked), ready (the other one is), missed, or none."""
        if self.found:
            return "ready" if self.is_ready else "found"
        return "waiting" if self.entry else "missed" if self.missed else "none"


@dataclass(frozen=True, slots=True)
class Waiting:
    """The state of the ranked button: a match to go to, or a place in the queue, or neither; then
    ``conduct`` says whether ranked play is paused.

    ``others`` counts the people waiting besides the reader. A stranger has no place.
    """

    moment: datetime
    match: Match | None
    place: Place | None
    others: int
    conduct: pauses.Conduct

    @property
    def entry(self) -> QueueEntry | None:
        """The reader's entry in the queue."""
        return self.place.entry if self.place else None

    @property
    def reason(self) -> str:
        """Why ranked play is paused."""
        return pauses.reason(self.conduct.pause)

    @property
    def look_again_seconds(self) -> int:
        """When a page that shows a pause asks again: at its end, and every hour before."""
        left = int((self.conduct.pause.until - self.moment).total_seconds()) + 1
        return min(left, 3600)


def place_of(reader: Player) -> Place:
    """The place of ``reader`` alone. 1 query."""
    related = [f"queue_entry__{name}" for name in _WITH_FOUND]
    row = Player.objects.select_related("missed", *related).get(pk=reader.pk)
    entry, missed = getattr(row, "queue_entry", None), getattr(row, "missed", None)
    return _place(clock.now(), reader, entry, missed)


def is_waiting(player: Player) -> bool:
    """Has ``player`` a place in the queue? 1 query."""
    return QueueEntry.objects.filter(player=player).exists()


def waiting(reader: Player | None, match: Match | None) -> Waiting:
    """The queue as ``reader`` sees it. ``match``: the ranked match to go to.

    A query for the queue; for who does not wait another, and one for the lapses.
    """
    moment = clock.now()
    people = QueueEntry.objects.filter(player__kind=PlayerKind.PERSON)
    entries = list(people.select_related(*_WITH_FOUND))
    entry = next((e for e in entries if reader is not None and e.player_id == reader.pk), None)
    others = sum(e is not entry and not e.is_gone(moment) for e in entries)
    free = reader is not None and entry is None and match is None
    missed = getattr(reader, "missed", None) if free else None
    place = _place(moment, reader, entry, missed) if reader else None
    conduct = pauses.conduct(reader, moment) if free else pauses.Conduct()
    return Waiting(moment, match, place, others, conduct)


def _place(
    moment: datetime, reader: Player, entry: QueueEntry | None, missed: Missed | None
) -> Place:
    told = missed is not None and missed.at > moment - TOLD_FOR
    return Place(moment, reader, entry, told)
