"""How moderation stands, in numbers: what the daily letter tells."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from ladder.models import Appeal, Case, Finding, Sanction

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Digest:
    """Open cases and the age of the oldest in whole days (None without one), findings of the last
    24 hours, appeals that nobody has decided, sanctions that end in the next 24 hours."""

    cases: int
    oldest_days: int | None
    findings: int
    appeals: int
    ending: int

    @property
    def is_empty(self) -> bool:
        return not (self.cases or self.findings or self.appeals or self.ending)


def digest(now: datetime) -> Digest:
    """How it stands at ``now``. 5 queries."""
    cases = Case.objects.filter(closed_at=None)
    oldest = cases.order_by("opened_at").values_list("opened_at", flat=True).first()
    return Digest(
        cases=cases.count(),
        oldest_days=None if oldest is None else (now - oldest).days,
        findings=Finding.objects.filter(found_at__gt=now - DAY, cleared_at=None).count(),
        appeals=Appeal.objects.filter(decided_at=None).count(),
        ending=Sanction.objects.filter(undone_at=None, until__gt=now, until__lte=now + DAY).count(),
    )
