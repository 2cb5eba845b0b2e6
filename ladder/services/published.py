"""The monthly files of ranked matches that everybody may have.

A line is a match as its record has it, without what would tell whose it was: numbers for names,
drawn anew for each month, and no ids, seeds, times or commitment. Who has opted out is in none.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from random import SystemRandom
from tempfile import TemporaryFile
from typing import IO, Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.models import Kind, Match, Seat, Status, clock
from games.selectors.record import WITH_RECORD, record_of
from ladder.models import PublishedFile, RatingChange

FORMAT = "basra-matches/1"
FOLDER = "published"
KEPT = ("rules_version", "target", "first_dealer", "deals", "result")
_AT_ONCE = 100
_HIGHEST_NUMBER = 10**9


def publish_months() -> list[PublishedFile]:
    """Make the file of every month that is over and has none: each hour. Safe to run twice."""
    first = _matches().order_by("finished_at").values_list("finished_at", flat=True).first()
    if first is None:
        return []
    there = set(PublishedFile.objects.values_list("month", flat=True))
    months = _months(first.astimezone(UTC).date().replace(day=1), clock.now().date())
    return [made for month in months if month not in there and (made := publish(month))]


def publish(month: date) -> PublishedFile | None:
    """Make the file of ``month``, its first day; None where another process has been quicker."""
    name = f"basra-{month:%Y-%m}.jsonl.gz"
    with TemporaryFile() as draft:
        matches = _write(draft, month)
        sha256, size = _digest(draft), draft.tell()
        draft.seek(0)
        try:
            with transaction.atomic():
                made = PublishedFile.objects.create(
                    month=month, name=name, sha256=sha256, size=size, matches=matches,
                    made_at=clock.now(),
                )  # fmt: skip
                if default_storage.exists(path_of(made)):  # of a run that was cut off
                    default_storage.delete(path_of(made))
                default_storage.save(path_of(made), File(draft))
        except IntegrityError:
            return None
    return made


def path_of(file: PublishedFile) -> str:
    """Where a file lies in the storage."""
    return f"{FOLDER}/{file.name}"


def lines(month: date) -> Iterator[dict[str, Any]]:
    """The matches of a month, in the order of their ends."""
    numbers: dict[int, int] = {}
    drawn: set[int] = set()
    keys = list(_of_month(month).order_by("finished_at", "id").values_list("pk", flat=True))
    for at in range(0, len(keys), _AT_ONCE):
        chunk = keys[at : at + _AT_ONCE]
        found = WITH_RECORD.in_bulk(chunk)
        changes = RatingChange.objects.that_stand().filter(match__in=chunk)
        before = {(row.match_id, row.player_id): row.before for row in changes}
        for key in chunk:
            match = found[key]
            seats = [seat.player_id for seat in match.seats.all()]
            for player in seats:
                if player not in numbers:
                    numbers[player] = _draw(drawn)
            yield {
                "format": FORMAT,
                "players": [numbers[player] for player in seats],
                "ratings": [before.get((key, player)) for player in seats],
                "clock": match.clock,
                **{name: value for name, value in record_of(match).items() if name in KEPT},
            }


def _draw(drawn: set[int]) -> int:
    """A number that nobody has yet; from one month to the next it says nothing."""
    random = SystemRandom()
    while (number := random.randrange(1, _HIGHEST_NUMBER)) in drawn:
        pass
    drawn.add(number)
    return number


def _matches() -> QuerySet[Match]:
    """The ranked matches that may be in a file."""
    opted_out = Seat.objects.filter(match=OuterRef("pk"), player__publishes=False)
    finished = Match.objects.filter(kind=Kind.RANKED, status=Status.FINISHED, simulated=False)
    return finished.filter(~Exists(opted_out))


def _of_month(month: date) -> QuerySet[Match]:
    begin, end = (datetime(day.year, day.month, 1, tzinfo=UTC) for day in (month, _after(month)))
    return _matches().filter(finished_at__gte=begin, finished_at__lt=end)


def _months(first: date, today: date) -> Iterator[date]:
    """The months that are over, from the first on."""
    month = first
    while _after(month) <= today:
        yield month
        month = _after(month)


def _after(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def _write(draft: IO[bytes], month: date) -> int:
    count = 0
    with gzip.GzipFile(fileobj=draft, mode="wb", mtime=0) as packed:
        for line in lines(month):
            packed.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            count += 1
    return count


def _digest(draft: IO[bytes]) -> str:
    draft.seek(0)
    return hashlib.file_digest(draft, "sha256").hexdigest()
