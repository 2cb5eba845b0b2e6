"""Periodic looks at ranked matches for what is odd: evidence for moderators, never a penalty.

Each look reads the results of the last 14 days once, and gives findings; a finding about the same
players is renewed, and one that a moderator has cleared comes back only with more evidence than it
was cleared with.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import nlargest

from django.db import transaction
from django.db.models import Count, Max, Sum

from games.models import How, Kind, Match, Play, Player, Seat, Status, clock
from games.services.locks import lock
from ladder.models import Finding, FindingKind, Mark
from ladder.services import docket

WITHIN = timedelta(days=14)
SHORT_PLAYS = 16  # a third of a deal
SHORT_TIME = timedelta(seconds=60)
WON_LEAD = 40  # points: four basras, or the cards and one
FEWEST = 3  # matches that make a habit
TRADED = 6  # matches of a pair …
TRADED_SHARE = 0.6  # … that are so much of what both played
RING_MATCHES = 10  # of each in a ring
RING_SHARE = 0.8  # of them within it
RING_SIZES = range(3, 7)
MOST = max(RING_SIZES)
STALLED_BANK_MS = 5_000  # what is left of the bank of who sat it out
STALLED = 5  # matches
Met = dict[int, Counter[int]]  # how many matches of each player with each other


@dataclass(frozen=True, slots=True)
class Result:
    """A ranked match as the looks need it: players by seat, who won, how, by whose act, how many
    plays it had and how long it took, and the points."""

    match: str
    players: tuple[int, int]
    winner: int
    how: str
    ended_by: int | None
    plays: int
    lasted: timedelta
    points: tuple[int, int]
    banks: tuple[int, int]

    @property
    def pair(self) -> frozenset[int]:
        return frozenset(self.players)

    @property
    def is_short(self) -> bool:
        """Given away, after few plays or in little time?"""
        given = self.how in (How.RESIGNATION, How.TIME)
        return given and (self.plays < SHORT_PLAYS or self.lasted < SHORT_TIME)

    @property
    def loser(self) -> int:
        return self.players[1 - self.winner]

    @property
    def was_won(self) -> bool:
        """Did who resigned lead by far?"""
        by = self.ended_by
        return (
            self.how == How.RESIGNATION
            and by is not None
            and self.points[by] - self.points[1 - by] >= WON_LEAD
        )

    @property
    def was_sat_out(self) -> bool:
        """Did the loser let the bank run out, whether or not by a last play and a resignation?"""
        given = self.how in (How.RESIGNATION, How.TIME)
        return given and self.banks[1 - self.winner] <= STALLED_BANK_MS


@dataclass(frozen=True, slots=True)
class Found:
    """What a look has found: about whom, in which matches, and the facts."""

    kind: FindingKind
    players: tuple[int, ...]
    matches: tuple[str, ...]
    facts: dict[str, object] = field(default_factory=dict)
    severity: int = 1

    @property
    def key(self) -> str:
        """What it is about: the same players are the same finding."""
        return f"{self.kind}:{'-'.join(map(str, self.players))}"


def look() -> int:
    """Take every look, and write what is found: each hour. Returns how many findings."""
    results = list(results_since(clock.now() - WITHIN))
    found = [
        *short(results),
        *thrown(results),
        *stalling(results),
        *trading(results),
        *rings(results),
        *alike(results),
    ]
    for one in found:
        write(one)
    return len(found)


def write(found: Found) -> Finding | None:
    """Write a finding, or renew it; None if it was cleared with as much evidence as this.

    What is new in it goes into the cases of its players.
    """
    now = clock.now()
    with transaction.atomic():
        list(lock(Player.objects.filter(pk__in=found.players), no_key=True))
        row = Finding.objects.select_for_update().filter(key=found.key).first()
        if row is None:
            row = Finding(key=found.key, kind=found.kind, found_at=now)
        elif row.cleared_at and len(found.matches) <= row.evidence.get("matches", 0):
            return None
        is_news = row.pk is None or len(found.matches) > row.evidence.get("matches", 0)
        row.severity, row.renewed_at, row.cleared_at = found.severity, now, None
        row.evidence = {**found.facts, "matches": len(found.matches)}
        row.save()
        row.players.set(found.players)
        row.matches.set(found.matches)
        if is_news:
            docket.found(found.players, found.severity)
        return row


def results_since(moment: datetime) -> Iterator[Result]:
    """The ranked results since ``moment``, in the order of their ends."""
    matches = Match.objects.filter(
        kind=Kind.RANKED, status=Status.FINISHED, finished_at__gte=moment, simulated=False
    ).exclude(winner=None)
    rows = matches.order_by("finished_at").values_list(
        "pk", "winner", "how", "ended_by", "number", "created_at", "finished_at",
        "points_0", "points_1",
    )  # fmt: skip
    seats: dict[str, list[tuple[int, int]]] = defaultdict(list)
    held = Seat.objects.filter(match__in=matches).order_by("match", "seat")
    for match, player, bank in held.values_list("match", "player", "bank_ms").iterator():
        seats[match].append((player, bank))
    for key, winner, how, by, number, began, ended, points_0, points_1 in rows.iterator():
        if len(seats[key]) == 2:
            (one, bank_0), (two, bank_1) = seats[key]
            yield Result(
                key, (one, two), winner, how, by, number - 1, ended - began,
                (points_0, points_1), (bank_0, bank_1),
            )  # fmt: skip


def short(results: Iterable[Result]) -> list[Found]:
    """Who wins again and again by matches that the same opponent gives away at once."""
    given: dict[tuple[int, int], list[Result]] = defaultdict(list)
    for result in results:
        if result.is_short:
            given[result.players[result.winner], result.loser].append(result)
    return [
        Found(
            FindingKind.SHORT,
            pair,
            _keys(rows),
            {"plays": [row.plays for row in rows], "loser": pair[1]},
            severity=2,
        )
        for pair, rows in given.items()
        if len(rows) >= FEWEST
    ]


def thrown(results: Iterable[Result]) -> list[Found]:
    """Who resigns won positions again and again. The winners are named in the facts alone."""
    by: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        if result.was_won:
            by[result.loser].append(result)
    return [
        Found(
            FindingKind.THROWN,
            (player,),
            _keys(rows),
            {
                "leads": [abs(row.points[0] - row.points[1]) for row in rows],
                "winners": dict(Counter(str(row.players[row.winner]) for row in rows)),
            },
            severity=2,
        )
        for player, rows in by.items()
        if len(rows) >= FEWEST
    ]


def stalling(results: Iterable[Result]) -> list[Found]:
    """Who sits out the bank of lost matches, whether they end on time or by a late resignation."""
    by: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        if result.was_sat_out:
            by[result.loser].append(result)
    found = []
    for player, rows in by.items():
        if len(rows) >= STALLED:
            plays = Play.objects.filter(match__in=_keys(rows))
            longest = plays.aggregate(ms=Max("took_ms"), spent=Sum("spent_ms"))
            facts = {"longest_ms": longest["ms"] or 0, "spent_ms": longest["spent"] or 0}
            found.append(Found(FindingKind.STALLING, (player,), _keys(rows), facts))
    return found


def trading(results: Iterable[Result]) -> list[Found]:
    """Pairs that play each other most of the time and take turns in giving matches away."""
    rows = list(results)
    played = Counter(player for row in rows for player in row.players)
    pairs: dict[frozenset[int], list[Result]] = defaultdict(list)
    for row in rows:
        pairs[row.pair].append(row)
    found = []
    for pair, met in pairs.items():
        share = min(len(met) / played[player] for player in pair)
        given = Counter(row.loser for row in met if row.is_short)
        if len(met) >= TRADED and share >= TRADED_SHARE and len(given) == 2:
            facts = {"share": round(share, 2), "given_away": sum(given.values())}
            found.append(
                Found(FindingKind.TRADING, tuple(sorted(pair)), _keys(met), facts, severity=3)
            )
    return found


def rings(results: Iterable[Result]) -> list[Found]:
    """Groups of three to six who play hardly anybody else."""
    rows = list(results)
    played = Counter(player for row in rows for player in row.players)
    met: Met = defaultdict(Counter)
    for row in rows:
        one, two = row.players
        met[one][two] += 1
        met[two][one] += 1
    found = []
    for group in _rings(met, played):
        share = min(sum(met[player][other] for other in group) / played[player] for player in group)
        ring = tuple(sorted(group))
        inside = [row for row in rows if row.pair <= group]
        facts = {"share": round(share, 2)}
        found.append(Found(FindingKind.RING, ring, _keys(inside), facts, severity=2))
    return found


def alike(results: Iterable[Result]) -> list[Found]:
    """Accounts with the same mark that play each other; with how many others have that mark."""
    pairs: dict[frozenset[int], list[Result]] = defaultdict(list)
    for row in results:
        pairs[row.pair].append(row)
    marks = _shared_marks({player for pair in pairs for player in pair})
    found = []
    for pair, met in pairs.items():
        one, two = sorted(pair)
        common = marks.get(one, set()) & marks.get(two, set())
        if common:
            others = Mark.objects.filter(digest__in=common).exclude(player__in=pair)
            facts = {
                "marks": len(common),
                "others": others.values("player").distinct().count(),
                "won": [sum(row.players[row.winner] == player for row in met) for player in pair],
            }
            severity = 3 if len(met) >= FEWEST and not facts["others"] else 1
            found.append(Found(FindingKind.ALIKE, (one, two), _keys(met), facts, severity))
    return found


def _shared_marks(players: set[int]) -> dict[int, set[str]]:
    """The marks of these players that more than one account has, by id."""
    shared = (
        Mark.objects.values("digest").annotate(n=Count("player", distinct=True)).filter(n__gt=1)
    )
    rows = Mark.objects.filter(digest__in=shared.values("digest")).values_list("player", "digest")
    marks: dict[int, set[str]] = defaultdict(set)
    for player, digest in rows.iterator():
        if player in players:
            marks[player].add(digest)
    return marks


def _rings(met: Met, played: Counter[int]) -> Iterator[frozenset[int]]:
    """The rings among those who ``met`` each other. What hangs together and is too large comes
    apart where its players met least often, and each part must again be close by itself."""
    groups = [(frozenset(met), FEWEST)]
    while groups:
        group, least = groups.pop()
        for part in _parts(_close(group, met, played), met, least):
            if part != group:
                groups.append((part, least))
            elif len(part) in RING_SIZES:
                yield part
            elif len(part) > MOST:
                ties = (n for one in part for two, n in met[one].items() if two in part)
                groups.append((part, 1 + min(n for n in ties if n >= least)))


def _close(group: Iterable[int], met: Met, played: Counter[int]) -> set[int]:
    """``group`` without those who play too little, in all or in proportion, with the five of it
    whom they meet most: whoever is in a ring does."""
    close, unsure = set(group), list(group)
    while unsure:
        player = unsure.pop()
        if player in close:
            others = met[player].keys() & close
            own = sum(nlargest(MOST - 1, (met[player][other] for other in others)))
            if own < RING_MATCHES or own / played[player] < RING_SHARE:
                close.remove(player)
                unsure.extend(others)
    return close


def _parts(players: set[int], met: Met, least: int) -> Iterator[frozenset[int]]:
    """Who of ``players`` hangs together by pairs that met at least so often, part by part."""
    left = set(players)
    while left:
        edge = [left.pop()]
        part = set(edge)
        while edge:
            one = edge.pop()
            near = {two for two in met[one].keys() & left if met[one][two] >= least}
            left -= near
            part |= near
            edge.extend(near)
        yield frozenset(part)


def _keys(rows: Iterable[Result]) -> tuple[str, ...]:
    return tuple(row.match for row in rows)
