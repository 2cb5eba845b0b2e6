"""Looking back at a match: each turn as its player saw it, and what a review says of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from games.engine import Deal, Observation, Play, observe, parse_card, parse_cards
from games.models import How, Match, Player, Review, Seat, Status

TURNING = 5  # turning points that are shown at most
MUCH = 2.0  # points given up by one at least


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A turn of a seat: where it was, what its player saw, and what they played. ``lead`` are the
    points by which they led the match then, those made in the deal so far included."""

    deal: int
    place: int
    number: int
    seen: Observation
    play: Play
    lead: int


@dataclass(frozen=True, slots=True)
class Looked:
    """A play that was looked at, place ``place`` (1, 2, …) of its deal.

    In points: ``less`` is what it gave up against ``best``, ``between`` how far the best and the
    worst play lay apart, ``score`` by how much the match could be expected to be led after the
    deal. ``basra`` is a better play that makes a basra which this one did not, ``capture`` a better
    one that wins ``cards`` cards more.
    """

    deal: int
    place: int
    play: Play
    best: Play
    less: float
    between: float
    score: float
    basra: Play | None = None
    capture: Play | None = None
    cards: int = 0
    options: int = 1

    @classmethod
    def parse(cls, kept: dict[str, Any]) -> "Looked":
        """A play as ``kept`` has it in the row."""
        plays = ("play", "best", "basra", "capture")
        return cls(**kept | {name: Play.parse(kept[name]) for name in plays if kept.get(name)})

    def kept(self) -> dict[str, Any]:
        """As it is kept in the row."""
        found = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: str(value) if isinstance(value, Play) else value for name, value in found.items()
        }


@dataclass(frozen=True, slots=True)
class DealReview:
    """The plays of one deal."""

    index: int
    plays: tuple[Looked, ...]

    @property
    def less(self) -> float:
        """Points given up in it."""
        return sum(play.less for play in self.plays)

    @property
    def accuracy(self) -> int:
        return accuracy(self.plays)


@dataclass(frozen=True, slots=True)
class Summary:
    """A review that is ready. ``end`` is by how many points the match was led when it ended on
    points; else None."""

    plays: tuple[Looked, ...]
    deals: tuple[DealReview, ...]
    end: int | None

    @property
    def accuracy(self) -> int:
        return accuracy(self.plays)

    @property
    def less(self) -> float:
        """Points given up in the match."""
        return sum(play.less for play in self.plays)

    @property
    def turning(self) -> list[Looked]:
        """The plays that gave up most, the worst first."""
        worst = sorted(self.plays, key=lambda play: -play.less)
        return [play for play in worst[:TURNING] if play.less >= MUCH]

    @property
    def basras(self) -> list[Looked]:
        """The plays that missed a basra."""
        return [play for play in self.plays if play.basra]

    @property
    def captures(self) -> list[Looked]:
        """The plays that missed cards, but no basra."""
        return [play for play in self.plays if play.capture and not play.basra]

    @property
    def scores(self) -> list[float]:
        """The expected score before each play, and what came of it."""
        return [play.score for play in self.plays] + ([] if self.end is None else [self.end])


def accuracy(plays: tuple[Looked, ...]) -> int:
    """Of the points that lay between the best and the worst play of each turn, the share that was
    kept, in percent: 100 × (1 − given up ÷ between). 100 where nothing could be given up."""
    between = sum(play.between for play in plays)
    return round(100 * (1 - sum(play.less for play in plays) / between)) if between else 100


def reviewable(match_id: str, player: Player) -> Seat:
    """The seat of ``player`` in a match that is over and was played. Raises ``Match.DoesNotExist``
    where there is none: nobody else has a review of it."""
    seats = Seat.objects.select_related("match")
    found = seats.filter(
        match=match_id, player=player, match__status=Status.FINISHED, match__simulated=False
    ).first()
    if found is None:
        raise Match.DoesNotExist
    return found


def review_of(seat: Seat) -> Review | None:
    """The review that the seat's player has asked for, if they have."""
    return Review.objects.filter(match=seat.match, seat=seat.seat, asked_at__isnull=False).first()


def summary_of(review: Review) -> Summary:
    """What a review that is ready says. No query if its match is there."""
    match = review.match
    plays = tuple(map(Looked.parse, review.plays))
    deals = tuple(
        DealReview(index, tuple(group)) for index, group in groupby(plays, lambda play: play.deal)
    )
    ahead = match.totals[review.seat] - match.totals[1 - review.seat]
    return Summary(plays, deals, ahead if match.how == How.POINTS else None)


def turns_of(match: Match, seat: int) -> Iterator[OwnTurn]:
    """Every turn of a seat in a match that is over, as its player saw it: nothing else. 2 queries.

    Raises ``ValueError`` for a match that runs.
    """
    if not match.is_over:
        raise ValueError("the match is not over")
    rows = {index: list(group) for index, group in groupby(match.plays.all(), lambda p: p.deal)}
    before = [0, 0]
    for row in match.deals.all():
        deal = Deal.start(map(parse_card, row.pack.split()), row.dealer)
        made = [0, 0]
        for place, played in enumerate(rows.get(row.index, []), 1):
            play = Play(parse_card(played.card), parse_cards(played.captured))
            if played.seat == seat:
                lead = before[seat] + made[seat] - before[1 - seat] - made[1 - seat]
                yield OwnTurn(row.index, place, played.number, observe(deal, seat), play, lead)
            deal = deal.play(play)
            made[played.seat] += deal.history[-1].basra.points
        if row.points_0 is not None:
            before = [before[0] + row.points_0, before[1] + row.points_1]
