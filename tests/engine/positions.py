"""Packs, floors and deals for the tests of the rules, and a slow second opinion on captures."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from games.engine import KOMI, PACK, Card, Deal, Play

quick = settings(deadline=None, max_examples=60, database=None)
"""What the property tests run under: a machine may be slow, and nothing is written to disk."""

seeds = st.integers(0, 2**32)
seats = st.sampled_from([0, 1])
cards = st.sampled_from(PACK)
number_cards = st.sampled_from([card for card in PACK if card.value is not None])


def floors(most: int, of: st.SearchStrategy[Card] = cards) -> st.SearchStrategy[frozenset[Card]]:
    """Sets of up to so many cards, in no order a deal need reach; the komi is not among them."""
    return st.frozensets(of.filter(lambda card: card is not KOMI), max_size=most)


def shuffled(seed: int) -> tuple[Card, ...]:
    """A pack that depends on the seed alone."""
    pack = list(PACK)
    Random(seed).shuffle(pack)
    return tuple(pack)


def states(seed: int, dealer: int, stalling: bool = False) -> Iterator[Deal]:
    """Every state of one deal; a stalling deal throws where it can, so that the floor grows."""
    rng = Random(seed)
    deal = Deal.start(shuffled(seed), dealer)
    yield deal
    while not deal.over:
        plays: tuple[Play, ...] = deal.legal()
        if stalling:
            plays = tuple(play for play in plays if not play.capture) or plays
        deal = deal.play(rng.choice(plays))
        yield deal


@st.composite
def deals(draw: st.DrawFn, last: int = 48) -> Deal:
    """A deal somewhere between the set-up and its play number `last`."""
    plays = draw(st.integers(0, last))
    every = states(draw(seeds), draw(seats), draw(st.booleans()))
    return next(deal for deal in every if len(deal.history) == plays)


def splits(cards: tuple[Card, ...], total: int) -> bool:
    """Whether all the cards split into groups that add up to `total` each."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            if sum(card.value for card in (first, *others)) == total:
                left = tuple(card for card in rest if card not in others)
                if splits(left, total):
                    return True
    return False


def captures_by_trying(floor: Iterable[Card], card: Card) -> set[frozenset[Card]]:
    """Every maximal capture, found by trying each subset of the floor."""
    on_floor = tuple(floor)
    if card.rank == "J" or card is KOMI:
        return {frozenset(on_floor)}
    alike = frozenset(c for c in on_floor if c.rank == card.rank)
    if card.value is None:
        return {alike}
    lower = [c for c in on_floor if c.value is not None and c.value < card.value]
    found = [
        alike.union(subset)
        for size in range(len(lower) + 1)
        for subset in combinations(lower, size)
        if splits(subset, card.value)
    ]
    return {taken for taken in found if not any(taken < other for other in found)}
