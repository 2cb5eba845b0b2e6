"""The puzzle of the day: choosing it by night, and taking answers.

A position comes from a finished ranked match, or, while there are few of them, from a game that
the house plays against itself. It is one where ``master`` finds one play clearly best.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from itertools import islice
from random import Random, SystemRandom

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from games import ai
from games.ai.search import Thought
from games.engine import PACK, Deal, Observation, Play, RulesError, observe, parse_card, parse_cards
from games.models import (
    Kind,
    Level,
    Match,
    MatchDeal,
    Player,
    Puzzle,
    PuzzleAnswer,
    Seat,
    Status,
    clock,
)
from games.models import Play as PlayRow
from games.selectors import puzzles
from games.services import thinking
from games.services.errors import Refused

log = logging.getLogger(__name__)

CLEARLY = 8.0  # points that the best play is worth more than the second at least
LEAST_PLAYS = 3  # that there are to choose from
FEW = 20  # matches: with fewer the house plays against itself
RECENT = 200  # matches to draw from
OF_ONE_MATCH = 12  # positions looked at
LOOKED_AT = 150  # positions before an easy one is good enough
AT_MOST = 1_500  # positions before it is given up for today
AHEAD = timedelta(hours=2)  # tomorrow's is chosen so long before midnight
QUICK, SURE = (500, 50), (6_000, 500)  # iterations of the search, and for each play at least


class FirstAnswerCounts(Refused):
    """Somebody who has answered a puzzle wanted to answer it otherwise."""

    def __init__(self) -> None:
        super().__init__(_("You have answered this puzzle already: the first answer counts."))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A position to look at; of a match, deal and place say where in it."""

    seen: Observation
    match: Match | None = None
    deal: int | None = None
    place: int | None = None


def choose_due(rng: Random | None = None) -> list[Puzzle]:
    """Choose today's puzzle, and late in the day tomorrow's, where there is none yet.

    Safe to run twice, also at once. Returns those that were chosen.
    """
    now = clock.now()
    days = sorted({puzzles.today(), (now + AHEAD).astimezone(UTC).date()})
    there = set(Puzzle.objects.filter(day__in=days).values_list("day", flat=True))
    chosen = [choose(day, rng or SystemRandom()) for day in days if day not in there]
    return [puzzle for puzzle in chosen if puzzle]


def choose(day: date, rng: Random) -> Puzzle | None:
    """Choose the puzzle of ``day``: the first position found that asks for more than taking what
    there is, or else an easier one. None if nothing was found, or somebody else was quicker."""
    known = set(Puzzle.objects.values_list("key", flat=True))
    easy: tuple[Candidate, Thought] | None = None
    for number, candidate in enumerate(islice(_candidates(rng), AT_MOST)):
        if easy and number >= LOOKED_AT:
            break
        if puzzles.key_of(candidate.seen) in known or not _has_choice(candidate.seen):
            continue
        thought = _clear_thought(candidate.seen, rng)
        if thought is None:
            continue
        if ai.choose(Level.REGULAR, candidate.seen, rng).card is not thought.play.card:
            return _keep(day, candidate, thought)
        easy = easy or (candidate, thought)
    return _keep(day, *easy) if easy else None


def answer(*, puzzle: Puzzle, player: Player, card: str, capture: str) -> PuzzleAnswer:
    """The first answer of a person to ``puzzle`` counts. Safe to repeat.

    Raises ``Malformed`` for what is no play of the position, and ``FirstAnswerCounts`` where
    another answer was given before.
    """
    moment = clock.now()
    given = {
        "choice": puzzles.choice_of(puzzle, card, capture),
        "in_time": puzzles.still_counts(puzzle.day, moment),
        "answered_at": moment,
    }
    first, is_new = PuzzleAnswer.objects.get_or_create(puzzle=puzzle, player=player, defaults=given)
    if not is_new and first.choice != given["choice"]:
        raise FirstAnswerCounts
    return first


def _candidates(rng: Random) -> Iterator[Candidate]:
    """Positions in a random order: of real matches if there are enough of them."""
    recent = list(_matches().order_by("-finished_at").values_list("pk", flat=True)[:RECENT])
    if len(recent) < FEW:
        yield from _of_the_house(rng)
        return
    rng.shuffle(recent)
    for match_id in recent:
        positions = list(_of_match(match_id))
        yield from rng.sample(positions, min(OF_ONE_MATCH, len(positions)))


def _matches() -> QuerySet[Match]:
    """The ranked matches that are over and may be shown, and were not in a puzzle yet."""
    opted_out = Seat.objects.filter(match=OuterRef("pk"), player__publishes=False)
    finished = Match.objects.filter(kind=Kind.RANKED, status=Status.FINISHED, simulated=False)
    return finished.filter(~Exists(opted_out), puzzles=None)


def _of_match(match_id: str) -> Iterator[Candidate]:
    """Every position of a match that is over, as the player at turn saw it."""
    match = _matches().filter(pk=match_id).first()
    if match is None:
        return
    rows: dict[int, list[PlayRow]] = {}
    for row in match.plays.order_by("number"):
        rows.setdefault(row.deal, []).append(row)
    for dealt in MatchDeal.objects.filter(match=match).exclude(pack=""):
        try:
            deal = Deal.start(map(parse_card, dealt.pack.split()), dealt.dealer)
            for place, row in enumerate(rows.get(dealt.index, [])):
                yield Candidate(observe(deal, deal.turn), match, dealt.index, place)
                deal = deal.play(Play(parse_card(row.card), parse_cards(row.captured)))
        except RulesError:
            log.exception("deal %s of %s gives no puzzle", dealt.index, match_id)


def _of_the_house(rng: Random) -> Iterator[Candidate]:
    """Positions of deals that two house players play for this alone."""
    while True:
        pack = list(PACK)
        rng.shuffle(pack)
        deal = Deal.start(pack, rng.randrange(2))
        while not deal.over:
            seen = observe(deal, deal.turn)
            if rng.random() < OF_ONE_MATCH / len(PACK):
                yield Candidate(seen)
            deal = deal.play(ai.choose(Level.EXPERT, seen, rng))


def _has_choice(seen: Observation) -> bool:
    return len({card.rank for card in seen.hand}) >= LEAST_PLAYS


def _clear_thought(seen: Observation, rng: Random) -> Thought | None:
    """What ``master`` thinks, if one play is clearly best, at the first look and at a longer one;
    else None."""
    quick = _think(seen, rng, QUICK)
    if quick is None or _lead(quick) < CLEARLY:
        return None
    sure = _think(seen, rng, SURE)
    agrees = sure is not None and sure.play == quick.play and _lead(sure) >= CLEARLY
    return sure if agrees else None


def _think(seen: Observation, rng: Random, how_long: tuple[int, int]) -> Thought | None:
    try:
        return thinking.think(seen, rng.getrandbits(32), *how_long)
    except thinking.NoAnswer as error:
        log.warning("no thought for a puzzle: %s", error)
        return None


def _lead(thought: Thought) -> float:
    """Points by which the best play is better than every other; 0 where there are too few."""
    if len(thought.plays) < LEAST_PLAYS:
        return 0.0
    return thought.plays[0].value - max(other.value for other in thought.plays[1:])


def _keep(day: date, candidate: Candidate, thought: Thought) -> Puzzle | None:
    seen = candidate.seen
    others = sorted(thought.plays[1:], key=lambda valued: -valued.value)
    try:
        with transaction.atomic():
            return Puzzle.objects.create(
                day=day,
                key=puzzles.key_of(seen),
                match=candidate.match,
                deal=candidate.deal,
                place=candidate.place,
                position=puzzles.drawn(seen),
                plays=[
                    puzzles.weighed(seen, valued.play, valued.value)
                    for valued in (thought.plays[0], *others)
                ],
                chosen_at=clock.now(),
            )
    except IntegrityError:
        return None
