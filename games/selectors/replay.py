"""A match that is over, looked through play by play with both hands open."""

from dataclasses import dataclass

from games.engine import Card, Deal, Play, parse_card, parse_cards
from games.models import Match, MatchDeal
from games.models import Play as PlayRow


@dataclass(frozen=True, slots=True)
class Moment:
    """A play as it was made: its place in the deal (1, 2, …) and its number in the match, what it
    took, its basra, and its clock: how long the turn took and what came off the bank, in ms."""

    place: int
    number: int
    seat: int
    card: Card
    took: tuple[Card, ...]
    basra: str
    took_ms: int
    spent_ms: int


@dataclass(frozen=True, slots=True)
class SeatView:
    """One side of a position: the open hand, and what lies in its pile."""

    seat: int
    hand: tuple[Card, ...]
    pile_count: int
    basras: int
    crosswise: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A deal after ``place`` of its plays; ``place`` 0 is before the first.

    ``moment`` is the play that led here, ``moments`` are all of the deal. Points are by seat, and
    those of the deal itself are None if it was not counted.
    """

    deal: int
    deals: int
    dealer: int
    place: int
    batch: int
    stock: int
    under: tuple[Card, ...]
    floor: tuple[Card, ...]
    sides: tuple[SeatView, SeatView]
    moment: Moment | None
    moments: tuple[Moment, ...]
    points: tuple[int, int] | None
    before: tuple[int, int]

    @property
    def last(self) -> int:
        """The place after the last play of the deal."""
        return len(self.moments)

    @property
    def steps(self) -> dict[str, tuple[int, int]]:
        """Where else to go, as (deal, place): first and last of the whole match, back and
        on. What leads nowhere is left out."""
        back = (self.deal, self.place - 1) if self.place else (self.deal - 1, LAST)
        on = (self.deal, self.place + 1) if self.place < self.last else (self.deal + 1, 0)
        steps = {}
        if back[0] >= 1:
            steps |= {"first": (1, 0), "back": back}
        if on[0] <= self.deals:
            steps |= {"on": on, "last": (self.deals, LAST)}
        return steps


LAST = 99  # a place beyond the last one: where a deal ends


def replay_of(match: Match, deal: int = 1, place: int = 0) -> Position | None:
    """The position of a match that is over; None if nothing was dealt.

    ``deal`` and ``place`` beyond what there is mean the nearest that there is. Raises ValueError
    for a match that runs: its hands are shut.
    """
    if not match.is_over:
        raise ValueError("the match is not over")
    rows = list(match.deals.all())
    if not rows:
        return None
    row = rows[min(max(deal, 1), len(rows)) - 1]
    plays = list(match.plays.filter(deal=row.index))
    dealt = Deal.start(map(parse_card, row.pack.split()), row.dealer)
    place = min(max(place, 0), len(plays))
    moments, at, now = [], dealt, dealt
    for index, play in enumerate(plays, 1):
        at = at.play(Play(parse_card(play.card), parse_cards(play.captured)))
        moments.append(_moment(index, play))
        now = at if index == place else now
    return Position(
        deal=row.index,
        deals=len(rows),
        dealer=row.dealer,
        place=place,
        batch=now.batch,
        stock=len(now.stock),
        under=now.under,
        floor=tuple(sorted(now.floor)),
        sides=(_side(now, 0), _side(now, 1)),
        moment=moments[place - 1] if place else None,
        moments=tuple(moments),
        points=_points(row),
        before=tuple(
            sum(points[seat] for r in rows if r.index < row.index and (points := _points(r)))
            for seat in (0, 1)
        ),
    )


def _points(row: MatchDeal) -> tuple[int, int] | None:
    return None if row.points_0 is None else (row.points_0, row.points_1)


def _moment(place: int, row: PlayRow) -> Moment:
    took = tuple(sorted(parse_cards(row.captured)))
    card = parse_card(row.card)
    return Moment(place, row.number, row.seat, card, took, row.kind, row.took_ms, row.spent_ms)


def _side(deal: Deal, seat: int) -> SeatView:
    basras = deal.basras[seat] + deal.jack_basras[seat]
    hand = tuple(sorted(deal.hands[seat]))
    return SeatView(seat, hand, len(deal.piles[seat]), basras, deal.crosswise[seat])
