"""A match that is over, play by play with both hands open."""

from dataclasses import dataclass

from games.engine import Card, Deal, Play, parse_card, parse_cards
from games.models import Match, MatchDeal


@dataclass(frozen=True, slots=True)
class Moment:
    """A play as it was made: the hands and the floor before it, what it took, its basra."""

    number: int
    seat: int
    card: Card
    took: tuple[Card, ...]
    basra: str
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    floor: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A deal of the replay. ``moments`` are its plays in order."""

    index: int
    dealer: int
    under: tuple[Card, ...]
    moments: tuple[Moment, ...]
    points: tuple[int, int] | None


def replay_of(match: Match) -> list[ReplayedDeal]:
    """Every deal of a match that is over, from the packs and plays as stored.

    Raises ValueError for a match that runs: its hands are shut.
    """
    if not match.is_over:
        raise ValueError("the match is not over")
    plays: dict[int, list[tuple[int, Play]]] = {}
    for row in match.plays.all():
        play = Play(parse_card(row.card), parse_cards(row.captured))
        plays.setdefault(row.deal, []).append((row.number, play))
    return [_replayed(row, plays.get(row.index, [])) for row in match.deals.all()]


def _replayed(row: MatchDeal, plays: list[tuple[int, Play]]) -> ReplayedDeal:
    deal = Deal.start(map(parse_card, row.pack.split()), row.dealer)
    under, moments = deal.under, []
    for number, play in plays:
        seat, before = deal.turn, deal
        deal = deal.play(play)
        hands = tuple(tuple(sorted(hand)) for hand in before.hands)
        took = tuple(sorted(play.capture))
        kind = deal.history[-1].basra.value
        floor = tuple(sorted(before.floor))
        moments.append(Moment(number, seat, play.card, took, kind, hands, floor))
    points = None if row.points_0 is None else (row.points_0, row.points_1)
    return ReplayedDeal(row.index, row.dealer, under, tuple(moments), points)
