"""The trail, searched: by who, whom, which act and when; by pages and as a whole. Newest first."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from games.models import FormerName, Player
from games.names import name_key
from ladder.models import Act, AuditEntry

PAGE = 50
AT_ONCE = 500  # entries of an export
DIGITS = 18


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for: ids of players, an act, and since ≤ at < until. What is None or empty
    restricts nothing."""

    by: int | None = None
    player: int | None = None
    act: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """An entry with the accounts that it names, where they are still there."""

    entry: AuditEntry
    by: Player | None
    player: Player | None

    @property
    def act(self) -> str:
        """The act in words; one that is known no longer as it was written."""
        return str(Act(self.entry.act).label) if self.entry.act in Act.values else self.entry.act


@dataclass(frozen=True, slots=True)
class Page:
    """``older``: the entry that the next page begins after, or None."""

    lines: list[Line]
    older: int | None
    is_first: bool


def whom(text: str) -> int | None:
    """The id of the player of that name, now or formerly, or of that number: "#17".

    None if there is none. A number finds an account that is there no longer.
    """
    text = text.strip()
    number = text.removeprefix("#")
    if text.startswith("#") and number.isascii() and number.isdigit() and len(number) <= DIGITS:
        return int(number)
    key = name_key(text)
    found = Player.objects.filter(name_key=key).values_list("pk", flat=True).first()
    former = FormerName.objects.filter(name_key=key).values_list("player", flat=True)
    return found or former.first()


def page(search: Search, before: str = "") -> Page:
    """A page of what is found, from the entry of the id ``before`` on. 2 queries."""
    rows = _found(search)
    is_first = not (before.isascii() and before.isdigit() and len(before) <= DIGITS)
    if not is_first:
        rows = rows.filter(pk__lt=int(before))
    found = list(rows[: PAGE + 1])
    older = found[PAGE - 1].pk if len(found) > PAGE else None
    return Page(_lines(found[:PAGE]), older, is_first)


def every(search: Search) -> Iterator[list[AuditEntry]]:
    """All that is found, in chunks of bounded size, 1 query each."""
    rows = _found(search)
    chunk = list(rows[:AT_ONCE])
    while chunk:
        yield chunk
        chunk = list(rows.filter(pk__lt=chunk[-1].pk)[:AT_ONCE])


def _found(search: Search) -> QuerySet[AuditEntry]:
    rows = AuditEntry.objects.order_by("-pk")
    if search.by is not None:
        rows = rows.filter(by=search.by)
    if search.player is not None:
        rows = rows.filter(player=search.player)
    if search.act:
        rows = rows.filter(act=search.act)
    if search.since:
        rows = rows.filter(at__gte=search.since)
    if search.until:
        rows = rows.filter(at__lt=search.until)
    return rows


def _lines(entries: list[AuditEntry]) -> list[Line]:
    named = {one.by for one in entries} | {one.player for one in entries if one.player}
    players = Player.objects.in_bulk(named)
    return [Line(one, players.get(one.by), players.get(one.player)) for one in entries]
