"""What a card captures from a floor, and whether that makes a basra; no hands, no turns.

Rules, Playing a card and Basra.
"""

from collections.abc import Iterable
from enum import StrEnum
from itertools import combinations, product

from games.engine.cards import KOMI, Card
from games.engine.errors import Malformed
from games.engine.sums import TEN, Search, counts, maximal, search, splits, vector

STAYS: tuple[frozenset[Card], ...] = (frozenset(),)


class Basra(StrEnum):
    """The kind of basra that a play makes; `points` is what it adds to the count.

    >>> [f"{kind}: {kind.points}" for kind in Basra]
    ['none: 0', 'basra: 10', 'jack basra: 30']
    """

    NONE = "none"
    BASRA = "basra"
    JACK = "jack basra"

    @property
    def points(self) -> int:
        """Points in the count (rules, The count)."""
        return _POINTS[self]


_POINTS = {Basra.NONE: 0, Basra.BASRA: 10, Basra.JACK: 30}


def captures(floor: Iterable[Card], card: Card) -> tuple[frozenset[Card], ...]:
    """Every maximal capture of `card` from `floor`, in display order (rules, Playing a card).

    Most points first, then most cards, then card order. `(frozenset(),)` if the card stays.
    Captures that differ only in suit are all there; `choices` has one for each set of ranks.
    Raises `Malformed` if the card lies on the floor itself.

    >>> from games.engine.cards import parse_card, parse_cards, write_cards
    >>> six = parse_card("6s")
    >>> [write_cards(taken) for taken in captures(parse_cards("As,2h,3c,5d"), six)]
    ['As,2h,3c', 'As,5d']
    >>> captures(parse_cards("9h"), six)
    (frozenset(),)
    """
    always, by_value, unions = _parts(floor, card)
    if len(unions) == 1 and unions[0] == 0:
        return (always,)
    found = [
        always.union(*chosen)
        for union in unions
        for chosen in product(*(combinations(by_value[v], n) for v, n in counts(union)))
    ]
    # No key for points: a capture that empties the floor contains every other, so it is alone.
    found.sort(key=lambda taken: (-len(taken), sorted(card.index for card in taken)))
    return tuple(found)


def choices(floor: Iterable[Card], card: Card) -> tuple[frozenset[Card], ...]:
    """One capture for each different set of ranks that `card` can take, in display order.

    Captures that differ only in suit are worth the same for ever, so a player need not choose
    between them: this has the one that comes first in card order. A part of `captures`.

    >>> from games.engine.cards import parse_card, parse_cards, write_cards
    >>> floor = parse_cards("4c,Ac,Ad,Ah,As")
    >>> len(captures(floor, parse_card("6s")))
    6
    >>> [write_cards(taken) for taken in choices(floor, parse_card("6s"))]
    ['Ac,Ad,4c']
    """
    always, by_value, unions = _parts(floor, card)
    if len(unions) == 1 and unions[0] == 0:
        return (always,)
    found = [always.union(*(by_value[v][:n] for v, n in counts(union))) for union in unions]
    found.sort(key=lambda taken: (-len(taken), sorted(card.index for card in taken)))
    return tuple(found)


def basra(floor: Iterable[Card], card: Card, capture: Iterable[Card]) -> Basra:
    """The kind of basra that `card` makes by taking `capture`, one of its `captures`, from `floor`.

    Rules, Basra: nothing that leaves a card on the floor, and nothing on an empty floor, is one.
    The jack makes one over a lone jack only; the komi also where some one rank other than the
    jack could have taken the floor in whole.

    >>> from games.engine.cards import parse_card, parse_cards
    >>> def kind(floor, card):
    ...     return str(basra(parse_cards(floor), parse_card(card), parse_cards(floor)))
    >>> kind("2c,4d", "6s"), kind("2c,4d", "Js"), kind("Jd", "Js"), kind("7d", "Js")
    ('basra', 'none', 'jack basra', 'none')
    >>> kind("8c,8h,3c,5d", "7d"), kind("Qc,Kc", "7d"), kind("Jc", "7d")
    ('basra', 'none', 'jack basra')
    """
    cards = frozenset(floor)
    if not cards or frozenset(capture) != cards:
        return Basra.NONE
    if card.rank == "J" or card is KOMI:
        if len(cards) == 1 and next(iter(cards)).rank == "J":
            return Basra.JACK
        return Basra.BASRA if card is KOMI and _one_rank_takes_all(cards) else Basra.NONE
    return Basra.BASRA


def search_for(floor: Iterable[Card], card: Card) -> Search:
    """The search behind `captures`, with the number of its nodes, and not remembered.

    For a card that takes without searching there are none.

    >>> from games.engine.cards import parse_card, parse_cards
    >>> search_for(parse_cards("As,2h,3c,5d"), parse_card("6s")).nodes
    7
    >>> search_for(parse_cards("As,2h,3c,5d"), parse_card("Js")).nodes
    0
    """
    if card.value is None or card is KOMI:
        return Search((0,), 0)
    values = (c.value for c in floor if c.value is not None and c is not KOMI)
    return search(vector(v for v in values if v < card.value), card.value)


def _parts(
    floor: Iterable[Card], card: Card
) -> tuple[frozenset[Card], dict[int, list[Card]], tuple[int, ...]]:
    """What `card` takes in any case; what may be in sums, by value; the maximal sums."""
    cards = frozenset(floor)
    if card in cards:
        raise Malformed(f"{card} lies on the floor already")
    if card.rank == "J" or card is KOMI:
        return cards, {}, (0,)
    # In play the komi lies alone, so that it is taken by itself; were there more, it would go with
    # whatever else is taken, and in no sum.
    always = frozenset(c for c in cards if c.rank == card.rank or c is KOMI)
    value = card.value
    if value is None or value == 1:
        return always, {}, (0,)
    by_value: dict[int, list[Card]] = {}
    for c in sorted(cards - always, key=_index):
        if c.value is not None and c.value < value:
            by_value.setdefault(c.value, []).append(c)
    available = sum(len(alike) << 4 * v for v, alike in by_value.items())
    return always, by_value, maximal(available, value)


def _index(card: Card) -> int:
    return card.index


def _one_rank_takes_all(cards: frozenset[Card]) -> bool:
    """Whether some one rank other than the jack takes all of `cards` (rules, Basra, the komi)."""
    values = [c.value for c in cards if c.value is not None]
    if not values:
        ranks = {c.rank for c in cards}
        return ranks in ({"Q"}, {"K"})
    if len(values) < len(cards):
        return False
    whole, total = vector(values), sum(values)
    return any(total % value == 0 and splits(whole, value) for value in range(max(values), TEN + 1))
