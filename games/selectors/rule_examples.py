"""The worked examples of the rules page. A position is written here; what follows is computed.

The engine says what a card takes, whether that is a basra, and what a deal or match comes to.
"""

from dataclasses import dataclass
from typing import Any

from games.engine import (
    PACK,
    Basra,
    Breakdown,
    Card,
    Deal,
    Tally,
    basra,
    choices,
    parse_card,
)

# Name: the card played, and the floor in the order in which it is drawn.
POSITIONS = {
    # Playing a card
    "pair": ("9h", "9c 4s Kd"),
    "sums": ("8h", "3c 5d 2s 6h Kc"),
    "own_and_sums": ("Ts", "Th 6c 4d 2s"),
    "choice": ("6s", "As 2h 3c 5d"),
    "nothing": ("4h", "9c Qd 3s"),
    "queen": ("Qs", "Qc Kd 5h Qd"),
    "jack": ("Jh", "9c Kd 2s 5h"),
    "jack_alone": ("Jc", ""),
    "komi": ("7d", "9c 5d Kh"),
    "komi_on_floor": ("2c", "7d"),
    # Basra
    "basra_sum": ("6s", "2c 4d"),
    "basra_queens": ("Qh", "Qs"),
    "basra_of_komi": ("Kc", "7d"),
    "jack_basra": ("Js", "Jd"),
    "jack_over_cards": ("Jc", "5h 9d"),
    "jack_over_komi": ("Jh", "7d"),
    "komi_over_jack": ("7d", "Jc"),
    "komi_over_groups": ("7d", "8c 8h 3c 5d"),
    "komi_over_one_sum": ("7d", "2c 3d 5h"),
    "komi_over_kings": ("7d", "Kc Kh"),
    "komi_over_mixture": ("7d", "Qc Kc"),
    "komi_over_unequal": ("7d", "9c 5h"),
}

# The floor as it is dealt, and the cards on top of the stock that take the places of the misfits.
_DEALT, _NEXT = "5h Jd 9c 7d", "2c Ks"

# The counts of a match: for each deal cards, basras and jack basras of either player.
_MATCH = (
    ((30, 2, 0), (22, 1, 0)),
    ((24, 1, 0), (28, 3, 0)),
    ((26, 2, 0), (26, 1, 0)),
    ((31, 1, 0), (21, 2, 0)),
)
_JACK_BASRA_COUNT = ((23, 1, 1), (29, 2, 0))


@dataclass(frozen=True, slots=True)
class Way:
    """One way to play a card: what it takes of the floor, what stays, and the kind of basra."""

    card: Card
    floor: tuple[tuple[Card, bool], ...]
    kind: Basra

    @property
    def taken(self) -> tuple[Card, ...]:
        """What is taken, in the order drawn."""
        return tuple(card for card, taken in self.floor if taken)

    @property
    def empties(self) -> bool:
        """Whether it takes all there is."""
        return bool(self.floor) and all(taken for _card, taken in self.floor)


@dataclass(frozen=True, slots=True)
class SetUp:
    """Four cards dealt to the floor, the floor that becomes of them, what goes under the stock."""

    dealt: tuple[tuple[Card, bool], ...]
    floor: tuple[tuple[Card, bool], ...]
    under: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A deal of the worked match with the totals after it."""

    number: int
    lines: tuple[Breakdown, Breakdown]
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class WorkedMatch:
    """A match to ``target`` from its first count to its last."""

    target: int
    deals: tuple[CountedDeal, ...]
    winner: int | None


def rule_examples() -> dict[str, Any]:
    """All that the rules page draws, by name. A position is a tuple of its ``Way``s."""
    return {name: ways(*position) for name, position in POSITIONS.items()} | {
        "set_up": set_up(),
        "count": tuple(Breakdown(*numbers) for numbers in _JACK_BASRA_COUNT),
        "match": worked_match(),
    }


def ways(card: str, floor: str) -> tuple[Way, ...]:
    """Every way to play ``card`` on ``floor``, as the engine has them."""
    played, lying = parse_card(card), [parse_card(text) for text in floor.split()]
    return tuple(
        Way(played, tuple((c, c in taken) for c in lying), basra(lying, played, taken))
        for taken in choices(lying, played)
    )


def set_up() -> SetUp:
    """The set-up of a deal with two misfits on the floor."""
    deal = set_up_deal()
    lying = list(deal.pack[8:12])
    fresh = iter(card for card in deal.pack[12:] if card in deal.opening)
    after = tuple((card, False) if card in deal.opening else (next(fresh), True) for card in lying)
    return SetUp(tuple((card, card in deal.under) for card in lying), after, deal.under)


def set_up_deal() -> Deal:
    """The deal behind ``set_up``, by seat 0, from a pack that is otherwise in order."""
    named = [parse_card(text) for text in f"{_DEALT} {_NEXT}".split()]
    others = [card for card in PACK if card not in named]
    return Deal.start([*others[:8], *named, *others[8:]], dealer=0)


def worked_match() -> WorkedMatch:
    """A match to 101 with a tied deal in it."""
    tally, deals = Tally(101, first_dealer=0), []
    for number, counts in enumerate(_MATCH, 1):
        lines = Breakdown(*counts[0]), Breakdown(*counts[1])
        tally = tally.add((lines[0].points, lines[1].points))
        deals.append(CountedDeal(number, lines, tally.totals))
    return WorkedMatch(tally.target, tuple(deals), tally.winner)
