"""The puzzle of the day as a reader may see it: the position, and what has been answered.

A puzzle's day begins and ends at midnight UTC, for everybody. An answer counts for a streak until
the day after it has ended as well: so whoever comes once a day, by whatever clock, misses none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from games.ai.kinds import kind_of
from games.ai.reasons import Reasons, reasons
from games.engine import (
    Card,
    Malformed,
    Observation,
    Play,
    captures,
    choices,
    parse_card,
    write_cards,
)
from games.models import Player, Puzzle, PuzzleAnswer, clock

DAY = timedelta(days=1)
COUNTS_FOR = 2 * DAY  # from a puzzle's first moment on, for streaks
PAGE = 30
_CARDS = ("hand", "floor", "gone", "under")
_FACTS = ("stock", "batch", "dealer", "last")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a position: cards in hand and pile, and the basras made in the deal."""

    hand: int
    pile: int
    basras: int


@dataclass(frozen=True, slots=True)
class Position:
    """What the player at turn saw, and what they could remember: ``gone`` are the cards of this
    deal that lie in the piles. ``last`` is who captured last, and ``dealer`` who deals: "me",
    "opponent", "none"; ``latest`` is the opponent's last play, if there was one."""

    hand: tuple[Card, ...]
    floor: tuple[Card, ...]
    gone: tuple[Card, ...]
    under: tuple[Card, ...]
    stock: int
    batch: int
    dealer: str
    last: str
    me: Side
    opponent: Side
    latest: Play | None

    def ways(self, card: Card) -> tuple[frozenset[Card], ...]:
        """What ``card`` can take: one way, or several to choose from."""
        return choices(self.floor, card)


@dataclass(frozen=True, slots=True)
class Worth:
    """A play, what it is worth in points, how much less that is than the best, and what can be
    said about it."""

    play: Play
    points: float
    less: float
    why: Reasons

    @property
    def took(self) -> tuple[Card, ...]:
        """What it takes, in order."""
        return tuple(sorted(self.play.capture))


@dataclass(frozen=True, slots=True)
class Line:
    """A puzzle of the archive; ``solved`` is None if the reader has not answered it."""

    puzzle: Puzzle
    solved: bool | None


@dataclass(frozen=True, slots=True)
class Streak:
    """Puzzles solved on end: now, and at most; and how many of all were solved."""

    now: int = 0
    best: int = 0
    solved: int = 0
    answered: int = 0


def today() -> date:
    """The day by UTC."""
    return clock.now().astimezone(UTC).date()


def begins(day: date) -> datetime:
    """The first moment of a puzzle's day."""
    return datetime.combine(day, time.min, UTC)


def still_counts(day: date, moment: datetime) -> bool:
    """Does an answer at ``moment`` to the puzzle of ``day`` count for a streak?"""
    return begins(day) <= moment < begins(day) + COUNTS_FOR


def published() -> QuerySet[Puzzle]:
    """The puzzles that may be seen: none of a day to come."""
    return Puzzle.objects.filter(day__lte=today())


def puzzle_of(text: str) -> Puzzle:
    """The puzzle of the day written as "2026-11-30". Raises ``Puzzle.DoesNotExist``."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise Puzzle.DoesNotExist from error
    if day.isoformat() != text:  # week dates and the like are other writings of a day
        raise Puzzle.DoesNotExist
    return published().select_related("match").get(day=day)


def answer_of(puzzle: Puzzle, player: Player | None) -> PuzzleAnswer | None:
    """What ``player`` has answered. 1 query; none for who has no account."""
    if player is None or not player.is_person:
        return None
    return PuzzleAnswer.objects.filter(puzzle=puzzle, player=player).first()


def of_today(player: Player | None) -> Line | None:
    """Today's puzzle, and whether the reader has solved it; None if there is none. 1 query."""
    return next(iter(_lines(published().filter(day=today()), player)), None)


def has_earlier() -> bool:
    """Has there been a puzzle before today's?"""
    return Puzzle.objects.filter(day__lt=today()).exists()


def archive(player: Player | None, before: date | None = None) -> tuple[list[Line], date | None]:
    """A page of puzzles, newest first, with the day to go on before; None at the end. 1 query."""
    rows = published().order_by("-day")
    if before:
        rows = rows.filter(day__lt=before)
    lines = _lines(rows[: PAGE + 1], player)
    return lines[:PAGE], lines[PAGE - 1].puzzle.day if len(lines) > PAGE else None


def yesterdays(player: Player) -> Puzzle | None:
    """Yesterday's puzzle, if the player has not answered it: it still counts. 1 query."""
    rows = published().filter(day=today() - DAY).exclude(answers__player=player)
    return rows.first()


def streak(player: Player) -> Streak:
    """The player's streak; what still counts and is not answered breaks nothing. 1 query."""
    moment = clock.now()
    own = PuzzleAnswer.objects.filter(player=player, puzzle=OuterRef("pk"))
    rows = (
        published()
        .order_by("day")
        .values_list("day", Subquery(own.values("choice")[:1]), Subquery(own.values("in_time")[:1]))
    )
    now = best = solved = answered = 0
    for day, choice, in_time in rows:
        answered += choice is not None
        solved += choice == 0
        if choice == 0 and in_time:
            now += 1
        elif choice is not None or not still_counts(day, moment):
            now = 0
        best = max(best, now)
    return Streak(now, best, solved, answered)


def position_of(puzzle: Puzzle) -> Position:
    """The position as it is drawn."""
    kept = puzzle.position
    sides = [Side(**kept[name]) for name in ("me", "opponent")]
    cards = {name: tuple(map(parse_card, kept[name])) for name in _CARDS}
    latest = Play.parse(kept["latest"]) if kept["latest"] else None
    return Position(
        **cards, me=sides[0], opponent=sides[1], latest=latest,
        **{name: kept[name] for name in _FACTS},
    )  # fmt: skip


def drawn(seen: Observation) -> dict[str, Any]:
    """A position as a puzzle keeps it, built up from what one player saw."""
    me = seen.seat if seen.seat is not None else 0
    names = {me: "me", 1 - me: "opponent", None: "none"}
    out = seen.opening.union(*({turn.play.card} for turn in seen.history))
    last = seen.last_plays[1 - me]
    return {
        "hand": [str(card) for card in sorted(seen.hand)],
        "floor": [str(card) for card in sorted(seen.floor)],
        "gone": [str(card) for card in sorted(out - seen.floor)],
        "under": [str(card) for card in seen.under],
        "stock": seen.stock_count,
        "batch": seen.batch,
        "dealer": names[seen.dealer],
        "last": names[seen.last_capture],
        "me": _side(seen, me),
        "opponent": _side(seen, 1 - me),
        "latest": str(last.play) if last else "",
    }


def key_of(seen: Observation) -> str:
    """What makes two positions the same: hand and floor, written."""
    return f"{write_cards(seen.hand)}|{write_cards(seen.floor)}"


def worths(puzzle: Puzzle) -> list[Worth]:
    """Every play that is different but for suits, the best first, with what it is worth."""
    best = puzzle.plays[0]["points"]
    return [
        Worth(Play.parse(row["play"]), row["points"], best - row["points"], _read(row["why"]))
        for row in puzzle.plays
    ]


def weighed(seen: Observation, play: Play, points: float) -> dict[str, Any]:
    """A play as a puzzle keeps it, with what its player can say about it."""
    why = reasons(seen, play)._asdict()
    kept = why | {"keeps": [str(card) for card in why["keeps"]]}
    return {"play": str(play), "points": round(points, 1), "why": kept}


def _read(why: dict[str, Any]) -> Reasons:
    return Reasons(**(why | {"keeps": tuple(map(parse_card, why["keeps"]))}))


def choice_of(puzzle: Puzzle, card: str, capture: str) -> int:
    """The place in ``puzzle.plays`` of what the reader wants to play.

    Raises ``Malformed`` for what is no card of the hand, or not what it takes.
    """
    position = position_of(puzzle)
    wanted = Play.parse(f"{card}:{capture}" if capture else card)
    if wanted.card not in position.hand:
        raise Malformed(f"{wanted.card} is not in the hand")
    if wanted.capture not in captures(position.floor, wanted.card):
        raise Malformed(f"{wanted.card} does not take that")
    kinds = _kinds(wanted)
    return next(at for at, worth in enumerate(worths(puzzle)) if _kinds(worth.play) == kinds)


def _side(seen: Observation, seat: int) -> dict[str, int]:
    made = seen.basras[seat] + seen.jack_basras[seat]
    return {"hand": seen.hand_counts[seat], "pile": seen.pile_counts[seat], "basras": made}


def _kinds(play: Play) -> tuple[int, list[int]]:
    """A play with suits left aside: those that differ in nothing else are one."""
    return kind_of(play.card), sorted(map(kind_of, play.capture))


def _lines(puzzles: QuerySet[Puzzle], player: Player | None) -> list[Line]:
    if player is None or not player.is_person:
        return [Line(puzzle, None) for puzzle in puzzles]
    own = PuzzleAnswer.objects.filter(player=player, puzzle=OuterRef("pk"))
    rows: Iterable[Any] = puzzles.annotate(choice=Subquery(own.values("choice")[:1]))
    return [Line(row, None if row.choice is None else row.choice == 0) for row in rows]
