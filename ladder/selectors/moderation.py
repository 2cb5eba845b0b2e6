"""The queue of cases, and all that is shown of one. Bounded, however many there are.

Nothing here looks into a match: of one that runs it is said who plays, when and how it ended.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from games.models import Kind, Match, Phrase, Player, Utterance, clock
from games.selectors.matches import match_to_go_to
from ladder.models import (
    Act,
    AuditEntry,
    Case,
    Finding,
    Mark,
    Note,
    Rating,
    Reason,
    Report,
    Sanction,
)
from ladder.selectors import history
from ladder.selectors.course import Course, course_of
from ladder.selectors.roles import may, out_of_reach
from ladder.selectors.standing import annulled

PAGE = 30
SHOWN = 20  # rows of each part of a case
REPORTS = 50  # of a case, those that are open first
LINES = 200  # of the talk of a match
LOOK = timedelta(hours=1)  # into a match, from the entry in the trail on
TABS = ("open", "mine", "closed")
# What the facts of a finding are called; those that name players are told in their own way.
FACTS = {
    "matches": _("matches"),
    "plays": _("plays in each"),
    "leads": _("points ahead in each"),
    "longest_ms": _("longest turn, in ms"),
    "spent_ms": _("bank used, in ms"),
    "share": _("share of all that they played"),
    "given_away": _("given away"),
    "marks": _("marks in common"),
    "others": _("other accounts with them"),
    "won": _("won by each"),
    "agreed": _("share of the turns played as the strongest house player would"),
    "turns": _("turns with a choice"),
    "given_up": _("points given up a deal"),
    "pace_ms": _("time of a turn, in ms: quickest tenth, middle, slowest tenth"),
}
LOSER, WINNERS = "loser", "winners"


@dataclass(frozen=True, slots=True)
class Row:
    """A case in the queue: for what, how often, and who works on it."""

    case: Case
    reasons: list[tuple[str, int]]
    holder: Player | None


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of cases. ``after``: the case that the next page begins after, or None; ``open``: how
    many there are in all that the reader may work on."""

    rows: list[Row]
    after: int | None
    open: int
    is_first: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """A match in a case. ``way``: how the reader gets to see it: ``page``, ``look`` (which the
    trail keeps), or empty."""

    match: Match
    way: str


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over, in the list of a case. ``annulled``: its rating has been given back."""

    line: history.Line
    fact: Fact
    annulled: bool


@dataclass(frozen=True, slots=True)
class Complaint:
    """A report as a case shows it: with the line that is complained of, and how the reporter's
    former reports fared."""

    report: Report
    said: str
    fact: Fact | None
    upheld: int
    answered: int


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, with the other players in it, its matches, and its facts: what, how much.

    ``loser`` gave the matches away; ``winners`` are who won them, and how many.
    """

    finding: Finding
    others: list[Player]
    matches: list[Fact]
    facts: list[tuple[str, str]]
    loser: Player | None
    winners: list[tuple[Player, int]]


@dataclass(frozen=True, slots=True)
class Alike:
    """Another account that was used from a device like one of the player's: how many marks they
    have in common, and how many accounts beside these two have the rarest of them."""

    player: Player
    marks: int
    others: int
    sanctions: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of talk as moderators read it."""

    by: Player | None
    said: str
    at: datetime | None
    is_reported: bool


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said at a table. ``is_copy``: the talk itself is gone, this is what reports kept."""

    match: Match
    lines: list[Line]
    is_copy: bool


@dataclass(frozen=True, slots=True)
class Dossier:
    """All about the player of a case. ``names``: former ones that are kept; ``marks``: how many."""

    case: Case
    holder: Player | None
    rating: Rating | None
    course: Course | None
    playing: Match | None
    open: list[Complaint]
    past: list[Complaint]
    found: list[Found]
    played: list[Played]
    alike: list[Alike]
    sanctions: list[Sanction]
    notes: list[Note]
    names: int
    marks: int

    @property
    def unshown(self) -> int:
        """Open reports for which there was no room."""
        return max(0, self.case.reports_open - len(self.open))


def queue(reader: Player, tab: str = "open", after: str = "") -> Queue:
    """A page of the cases that ``reader`` may work on, in the order of their weight; of closed
    ones the newest. ``after``: the id of the case before the page. 6 queries at most."""
    rows = _within_reach(reader)
    count = rows.filter(closed_at=None).count()
    place = Case.objects.filter(pk=int(after)).first() if _is_key(after) else None
    if tab == "closed":
        rows = rows.filter(closed_at__isnull=False).order_by("-pk")
        beyond = Q(pk__lt=place.pk) if place else Q()
    else:
        rows = rows.filter(closed_at=None).order_by("-weight", "opened_at", "pk")
        beyond = _behind(place) if place else Q()
    if tab == "mine":
        rows = rows.filter(claimed_by=reader, claimed_until__gt=clock.now())
    found = list(rows.filter(beyond)[: PAGE + 1])
    more = found[PAGE - 1].pk if len(found) > PAGE else None
    return Queue(_rows(found[:PAGE]), more, count, is_first=place is None)


def case_for(reader: Player, case_id: int) -> Case:
    """The case of that id. Raises ``Case.DoesNotExist`` also for one out of the reader's reach:
    nobody reads what is said of oneself, an equal or a superior."""
    return _within_reach(reader).get(pk=case_id)


def dossier(case: Case, reader: Player) -> Dossier:
    """All that a moderator is shown of ``case``. The number of queries grows with nothing."""
    player = case.player
    reports = _reports(case)
    findings = list(
        Finding.objects.filter(players=player, cleared_at=None).prefetch_related("players")[:SHOWN]
    )
    lines = history.finished(player, Kind.values, SHOWN)
    named_there = _matches_of(findings)
    matches = [line.match for line in lines] + [r.match for r in reports if r.match]
    matches += [match for found in named_there.values() for match in found]
    ways = _ways(matches, reader)
    complaints = _complaints(reports, ways)
    return Dossier(
        case=case,
        holder=_holder(case),
        rating=Rating.objects.filter(player=player, pool="ranked").first(),
        course=course_of(player),
        playing=match_to_go_to(player),
        open=[one for one in complaints if one.report.answered_at is None],
        past=[one for one in complaints if one.report.answered_at is not None],
        found=_found(findings, player, named_there, ways),
        played=_played(lines, ways),
        alike=alike(player),
        sanctions=list(Sanction.objects.filter(player=player).select_related("by")[:SHOWN]),
        notes=list(Note.objects.filter(player=player).select_related("by").order_by("-pk")[:SHOWN]),
        names=player.former_names.count(),
        marks=Mark.objects.filter(player=player).count(),
    )


def alike(player: Player) -> list[Alike]:
    """Accounts that share a mark with ``player``, most marks in common first. 3 queries."""
    own = list(
        Mark.objects.filter(player=player).order_by("-last_at").values_list("digest", flat=True)
    )[:SHOWN]
    if not own:
        return []
    having = Mark.objects.filter(digest__in=own)
    sizes = Counter(dict(having.values_list("digest").annotate(n=Count("player", distinct=True))))
    shared = [digest for digest in own if sizes[digest] > 1]
    nearest = (
        Mark.objects.filter(digest__in=shared)
        .exclude(player=player)
        .values_list("player")
        .annotate(n=Count("digest", distinct=True))
        .order_by("-n", "player")[:SHOWN]
    )
    common = dict(nearest)
    rarest: dict[int, int] = {}
    pairs = Mark.objects.filter(digest__in=shared, player__in=common)
    for other, digest in pairs.values_list("player", "digest"):
        rarest[other] = min(sizes[digest] - 2, rarest.get(other, sizes[digest]))
    sanctioned = Count("sanctions", filter=Q(sanctions__undone_at=None))
    players = Player.objects.annotate(n_sanctions=sanctioned).in_bulk(list(common))
    return [
        Alike(players[pk], marks, rarest[pk], players[pk].n_sanctions)
        for pk, marks in common.items()
    ]


def marks_of(player: Player) -> list[Mark]:
    """The newest marks of ``player``: for ``services.looks`` alone."""
    return list(Mark.objects.filter(player=player).order_by("-last_at")[:SHOWN])


def match_of(case: Case, match_id: str) -> Match:
    """A match of the player of ``case``. Raises ``Match.DoesNotExist``."""
    matches = Match.objects.defer("sealed", "server_seed").filter(seats__player=case.player_id)
    return matches.get(pk=match_id)


def named_matches(match_ids: Collection[str]) -> set[str]:
    """Which of these matches a report or a finding names. 2 queries."""
    reports = Report.objects.filter(match__in=match_ids).values_list("match", flat=True)
    findings = Finding.matches.through.objects.filter(match__in=match_ids)
    return {*reports, *findings.values_list("match", flat=True)}


def may_inspect(match_id: str, viewer: Player | None) -> bool:
    """May ``viewer`` look into a match that is not public, because the trail says that they do?

    For an hour after the entry, once the match is over, and while their role allows it.
    """
    if viewer is None or not viewer.is_staff:
        return False
    since = clock.now() - LOOK
    entry = AuditEntry.objects.filter(by=viewer.pk, act=Act.SEE_MATCH, match=match_id, at__gt=since)
    over = Match.objects.filter(pk=match_id, finished_at__isnull=False)
    return entry.exists() and over.exists() and may(viewer, Act.SEE_MATCH)


def talk(case: Case, match: Match) -> Talk:
    """What was said at the table of ``match``: for ``services.looks`` alone. 3 queries."""
    reports = Report.objects.filter(case=case, match=match)
    kept = [row.evidence for row in reports.order_by("-pk")[:SHOWN]]
    reported = {evidence.get("line") for evidence in kept}
    said = list(
        Utterance.objects.filter(match=match).select_related("player").order_by("-pk")[:LINES]
    )
    if said:
        lines = [
            Line(one.player, words(one.phrase, one.text), one.said_at, one.pk in reported)
            for one in reversed(said)
        ]
        return Talk(match, lines, is_copy=False)
    copies = {line["line"]: line for evidence in kept for line in evidence.get("talk", [])}
    players = Player.objects.in_bulk({line["by"] for line in copies.values()})
    lines = [
        Line(
            players.get(line["by"]),
            words(line["phrase"], line["text"]),
            parse_datetime(line["at"]),
            key in reported,
        )
        for key, line in sorted(copies.items())
    ]
    return Talk(match, lines, is_copy=True)


def words(phrase: str, text: str) -> str:
    """What was said, a phrase in the reader's language."""
    return text or (str(Phrase(phrase).label) if phrase in Phrase.values else "")


def _within_reach(reader: Player) -> QuerySet[Case]:
    cases = Case.objects.select_related("player", "claimed_by", "closed_by")
    return cases.exclude(player__in=out_of_reach(reader))


def _behind(place: Case) -> Q:
    """What comes after ``place`` in the queue; the first part lets the index find it."""
    later = Q(opened_at__gt=place.opened_at) | Q(opened_at=place.opened_at, pk__gt=place.pk)
    return Q(weight__lte=place.weight) & (Q(weight__lt=place.weight) | later)


def _rows(cases: list[Case]) -> list[Row]:
    by_case: dict[int, Counter[str]] = {case.pk: Counter() for case in cases}
    is_open = {case.pk: case.closed_at is None for case in cases}
    grouped = (
        Report.objects.filter(case__in=cases)
        .annotate(done=Q(answered_at__isnull=False))
        .values_list("case", "reason", "done")
        .annotate(n=Count("pk"))
        .order_by()
    )
    for case, reason, done, n in grouped:
        if not (is_open[case] and done):
            by_case[case][str(Reason(reason).label)] += n
    return [Row(case, by_case[case.pk].most_common(), _holder(case)) for case in cases]


def _holder(case: Case) -> Player | None:
    """Who works on it now: a claim lapses by itself."""
    is_held = case.claimed_until is not None and case.claimed_until > clock.now()
    return case.claimed_by if is_held else None


def _reports(case: Case) -> list[Report]:
    """The open reports of the case, and of earlier ones of its player: newest first."""
    rows = (
        Report.objects.filter(suspect=case.player_id)
        .select_related("reporter", "match", "answered_by")
        .defer("match__sealed", "match__server_seed")
    )
    unanswered = rows.filter(case=case, answered_at=None).order_by("-pk")[:REPORTS]
    answered = rows.filter(answered_at__isnull=False).order_by("-answered_at", "-pk")[:SHOWN]
    return [*unanswered, *answered]


def _played(lines: Sequence[history.Line], ways: dict[str, Fact]) -> list[Played]:
    gone = annulled([line.match.pk for line in lines])
    return [Played(line, ways[line.match.pk], line.match.pk in gone) for line in lines]


def _complaints(reports: Sequence[Report], ways: dict[str, Fact]) -> list[Complaint]:
    reporters = {row.reporter_id for row in reports if row.reporter_id}
    answered = Report.objects.filter(reporter__in=reporters, answered_at__isnull=False)
    fared = {
        reporter: (right, n)
        for reporter, right, n in answered.values_list("reporter").annotate(
            right=Count("pk", filter=Q(upheld=True)), n=Count("pk")
        )
    }
    return [
        Complaint(
            row,
            _reported_line(row.evidence),
            ways.get(row.match_id or ""),
            *fared.get(row.reporter_id, (0, 0)),
        )
        for row in reports
    ]


def _reported_line(evidence: dict[str, Any]) -> str:
    """The line that is complained of, which the reporter handed over; not what stood around it."""
    lines = (line for line in evidence.get("talk", []) if line["line"] == evidence.get("line"))
    return next((words(line["phrase"], line["text"]) for line in lines), "")


def _matches_of(findings: Sequence[Finding]) -> dict[int, list[Match]]:
    """The newest matches of each finding. 2 queries."""
    rows = Finding.matches.through.objects.filter(finding__in=findings).order_by("-pk")
    ids: dict[int, list[str]] = {finding.pk: [] for finding in findings}
    for finding, match in rows.values_list("finding", "match")[: SHOWN * SHOWN]:
        if len(ids[finding]) < SHOWN:
            ids[finding].append(match)
    wanted = {match for some in ids.values() for match in some}
    matches = Match.objects.defer("sealed", "server_seed").in_bulk(wanted)
    return {finding: [matches[match] for match in some] for finding, some in ids.items()}


def _ways(matches: Sequence[Match], reader: Player) -> dict[str, Fact]:
    """How ``reader`` gets to see each of these matches. 2 queries."""
    closed = [match.pk for match in matches if match.kind != Kind.RANKED and match.is_over]
    named = named_matches(closed) if closed and may(reader, Act.SEE_MATCH) else set()
    return {
        match.pk: Fact(
            match, "page" if match.kind == Kind.RANKED else "look" if match.pk in named else ""
        )
        for match in matches
    }


def _found(
    findings: Sequence[Finding],
    player: Player,
    matches: dict[int, list[Match]],
    ways: dict[str, Fact],
) -> list[Found]:
    """The findings about ``player``. 1 query."""
    told = [one.evidence for one in findings]
    ids = {int(key) for facts in told for key in facts.get(WINNERS, {})}
    names = Player.objects.in_bulk(ids | {facts[LOSER] for facts in told if LOSER in facts})
    return [
        Found(
            finding=one,
            others=[other for other in one.players.all() if other != player],
            matches=[ways[match.pk] for match in matches[one.pk]],
            facts=[(str(FACTS[k]), _plain(v)) for k, v in one.evidence.items() if k in FACTS],
            loser=names.get(one.evidence.get(LOSER)),
            winners=[
                (names[int(key)], n)
                for key, n in one.evidence.get(WINNERS, {}).items()
                if int(key) in names
            ],
        )
        for one in findings
    ]


def _plain(value: Any) -> str:
    return ", ".join(map(str, value[:SHOWN])) if isinstance(value, list) else str(value)


def _is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18
