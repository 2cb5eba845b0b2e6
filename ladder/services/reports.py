"""Reports: the only place that writes ``Report``. What one says of another goes into the other's
case; the reporter is told what came of it, and the suspect never who it was."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match, Player, Topic, Utterance, clock
from games.ports import TextKind
from games.services import free_text, texts
from games.services.errors import Refused
from games.services.locks import lock
from games.services.notifications import notify
from ladder.models import Act, Reason, Report
from ladder.selectors.reporting import evidence as evidence_of
from ladder.selectors.reporting import unanswered
from ladder.services import audit, docket, switches
from ladder.services.roles import require

WITHIN = timedelta(days=1)
KEPT = timedelta(days=90)  # what was said at a table, from the answer on: as long as talk itself
SAID = {"talk", "before", "found"}  # parts of the evidence
LONGEST = Report._meta.get_field("text").max_length


def report(
    reporter: Player,
    suspect: Player,
    reason: str,
    text: str = "",
    match: Match | None = None,
    utterance: Utterance | None = None,
) -> Report:
    """Report ``suspect`` for ``reason`` (a ``Reason``), with a line of ``text``.

    What the report is about is attached by itself. ``match`` and ``utterance`` are those that
    ``selectors.reporting.subject`` gave the reporter. Raises ``Refused`` for who cannot report or
    be reported, while an earlier report of the same player is open, and for more than 10 a day.
    """
    if not reporter.is_person:
        raise Refused(_("Reports need an account."))
    if not suspect.is_person or suspect == reporter:
        raise Refused(_("Only other people with an account can be reported."))
    if reason not in Reason.values:
        raise Refused(_("Choose what the report is about."))
    words = _words(text)
    if reason == Reason.OTHER and not words:
        raise Refused(_("Say in a few words what it is about."))
    attached = evidence_of(suspect, match, utterance)
    with transaction.atomic():
        list(lock(Player.objects.filter(pk__in=[reporter.pk, suspect.pk]), no_key=True))
        _check_number(reporter, suspect)
        texts.written(reporter, TextKind.REPORT, words)
        return _write(suspect, reason, words, attached, reporter, match, utterance)


def queue_hit(
    suspect: Player,
    reason: str,
    text: str,
    evidence: dict[str, Any] | None = None,
    utterance: Utterance | None = None,
) -> Report | None:
    """Queue what a filter has found in ``text`` of ``suspect``; nobody is punished for it.

    The same text is queued once for a reason while it is open, and never again once it has been
    found harmless: then None. Guests and house players have no case.
    """
    if not suspect.is_person:
        return None
    words = free_text.visible(text)[:LONGEST]
    with transaction.atomic():
        lock(Player.objects.filter(pk=suspect.pk), no_key=True).get()
        same = Report.objects.filter(reporter=None, suspect=suspect, reason=reason, text=words)
        if same.exclude(upheld=True).exists():
            return None
        match = utterance.match if utterance else None
        attached = evidence_of(suspect, match, utterance) | (evidence or {})
        return _write(suspect, reason, words, attached, None, match, utterance)


def answer(report: Report, by: Player, upheld: bool) -> Report:
    """Answer a report of a case that ``by`` has claimed; the reporter is told. The same answer
    again is a success.

    Raises ``Refused`` for who may not, for one's own report, and for one answered otherwise.
    """
    with transaction.atomic():
        case = docket.hold(report.case_id, by)
        row = lock(Report.objects.select_related("suspect").filter(pk=report.pk)).get()
        require(by, Act.ANSWER, row.suspect)
        if row.answered_at is not None:
            if row.upheld == upheld:
                return row
            raise Refused(_("This report has been answered already."))
        settle(row, by, upheld)
        docket.weigh(case)
        audit.record(
            by,
            Act.ANSWER,
            player=row.suspect_id,
            match=row.match_id,
            before={"report": row.pk, "upheld": None},
            after={"report": row.pk, "upheld": upheld},
        )
        return row


def settle(row: Report, by: Player, upheld: bool) -> None:
    """Write the answer to a locked report, and tell the reporter.

    Raises ``Refused`` for ``by``'s own: nobody is judge of what they complain of.
    """
    if row.reporter_id == by.pk:
        raise Refused(_("Somebody else has to answer what you have reported yourself."))
    row.upheld, row.answered_at, row.answered_by = upheld, clock.now(), by
    row.save(update_fields=["upheld", "answered_at", "answered_by"])
    if row.reporter_id is not None:
        notify(
            row.reporter_id,
            Topic.REPORT,
            tag=f"report-{row.pk}",
            answer="upheld" if upheld else "dismissed",
            address=reverse("ladder:my-reports"),
        )


def forget_talk() -> int:
    """Delete what reports have kept of talk, 90 days after their answer: until then somebody may
    have to look at it again. Returns how many reports."""
    due = Report.objects.filter(answered_at__lt=clock.now() - KEPT, evidence__has_key="talk")
    with transaction.atomic():
        rows = list(lock(due))
        for row in rows:
            row.evidence = {name: fact for name, fact in row.evidence.items() if name not in SAID}
            if row.reporter_id is None:  # what a filter has found is a line of talk
                row.text = ""
            row.save(update_fields=["evidence", "text"])
    return len(rows)


def _words(text: str) -> str:
    words = free_text.visible(text[: 4 * LONGEST])
    over = len(words) - LONGEST
    if over > 0:
        raise Refused(
            ngettext(
                "That is %(n)s character too long: 500 can be sent.",
                "That is %(n)s characters too long: 500 can be sent.",
                over,
            )
            % {"n": over}
        )
    return words


def _check_number(reporter: Player, suspect: Player) -> None:
    """Of two at once the second waits before this, and finds the first."""
    if unanswered(reporter, suspect):
        raise Refused(_("You have reported this player already: a moderator looks at it."))
    of_late = Report.objects.filter(reporter=reporter, made_at__gt=clock.now() - WITHIN)
    if of_late.count() >= switches.value("reports_a_day"):
        raise Refused(_("You have reported as much as can be in a day. Send this one tomorrow."))


def _write(
    suspect: Player,
    reason: str,
    text: str,
    evidence: dict[str, Any],
    reporter: Player | None = None,
    match: Match | None = None,
    utterance: Utterance | None = None,
) -> Report:
    case = docket.case_of(suspect)
    made = Report.objects.create(
        case=case,
        reporter=reporter,
        suspect=suspect,
        reason=reason,
        text=text,
        match=match,
        utterance=utterance,
        evidence=evidence,
        made_at=clock.now(),
    )
    docket.weigh(case)
    return made
