"""The fast inner representation of strong players: suits left aside, floors as integers.

Two cards of one *kind* play alike: the 13 ranks, and the komi, which is a kind of its own. A kind
is a number, 1 to 10 for the values, then jack, queen, king and komi. A *vector* holds how many
cards of each kind there are, packed into an int, four bits for each; the values lie where
`games.engine.sums` has them, and the lowest four bits are free, so that a floor and a kind are one
key. A floor is a vector, and what a kind can take from a floor is worked out once and remembered.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from games.engine import KOMI as KOMI_CARD
from games.engine import Card
from games.engine.sums import TEN, maximal, splits

JACK, QUEEN, KING, KOMI = 11, 12, 13, 14
KINDS = range(1, KOMI + 1)
_HONOURS = {"J": JACK, "Q": QUEEN, "K": KING}
_SHIFT = tuple(4 * kind for kind in range(KOMI + 1))
ONE = tuple(1 << shift for shift in _SHIFT)
_NUMBERS = (1 << 4 * (TEN + 1)) - 1
MOST_REMEMBERED = 1 << 17  # entries of one memory; a full one is emptied


class Way(NamedTuple):
    """One way to play a kind: the floor after it, the points that it makes at once, and the cards
    that it wins, the played one included (0 if it stays)."""

    floor: int
    points: int
    cards: int


def kind_of(card: Card) -> int:
    """The kind of a card.

    >>> from games.engine import parse_card
    >>> [kind_of(parse_card(text)) for text in ("As", "7c", "7d", "Qh")]
    [1, 7, 14, 12]
    """
    if card is KOMI_CARD:
        return KOMI
    return card.value or _HONOURS[card.rank]


def packed(cards: Iterable[Card]) -> int:
    """The vector of some cards."""
    return sum(ONE[kind_of(card)] for card in cards)


def held(vector: int) -> Iterator[tuple[int, int]]:
    """The (kind, how many) pairs of a vector, lowest kind first.

    >>> list(held(ONE[3] + ONE[3] + ONE[KOMI]))
    [(3, 2), (14, 1)]
    """
    kind = 0
    while vector:
        if vector & 15:
            yield kind, vector & 15
        vector >>= 4
        kind += 1


class _Sizes(dict[int, int]):
    def __missing__(self, vector: int) -> int:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        count = self[vector] = sum(count for _kind, count in held(vector))
        return count


SIZE = _Sizes()
"""How many cards each vector holds: `SIZE[vector]`, worked out when it is asked for.

>>> SIZE[ONE[3] + ONE[3] + ONE[KOMI]]
3
"""


class _Ways(dict[int, tuple[Way, ...]]):
    def __missing__(self, key: int) -> tuple[Way, ...]:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        kind = key & 15
        found = self[key] = _work_out(key - kind, kind)
        return found


WAYS = _Ways()
"""Every way to play a kind on a floor, in the order of `games.engine.choices`:
`WAYS[floor | kind]`, worked out when it is asked for.

>>> WAYS[0 | 5]
(Way(floor=1048576, points=0, cards=0),)
>>> [way.points for way in WAYS[ONE[2] + ONE[4] | 6]]
[10]
"""


def _work_out(floor: int, kind: int) -> tuple[Way, ...]:
    if not floor:
        return (Way(ONE[kind], 0, 0),)
    if kind in (JACK, KOMI):
        return (Way(0, _sweeping(floor, kind), SIZE[floor] + 1),)
    always = floor & (15 << _SHIFT[kind] | 15 << _SHIFT[KOMI])
    unions: tuple[int, ...] = (0,)
    if 1 < kind <= TEN:
        unions = maximal(floor & (1 << _SHIFT[kind]) - 1, kind)
    found = [_taking(floor, always + union, kind) for union in unions]
    if len(found) > 1:
        found.sort(key=lambda way: (-way.cards, _order(floor - way.floor)))
    return tuple(found)


def _taking(floor: int, taken: int, kind: int) -> Way:
    if not taken:
        return Way(floor + ONE[kind], 0, 0)
    after = floor - taken
    return Way(after, 0 if after else 10, SIZE[taken] + 1)


def _order(taken: int) -> list[int]:
    return [kind for kind, count in held(taken) for _card in range(count)]


def _sweeping(floor: int, kind: int) -> int:
    """The points of a jack or the komi that takes the whole of a floor (rules, Basra)."""
    if floor == ONE[JACK]:
        return 30
    return 10 if kind == KOMI and _one_rank_takes_all(floor) else 0


def _one_rank_takes_all(floor: int) -> bool:
    numbers = floor & _NUMBERS
    if numbers != floor:
        return any(not floor & ~(15 << _SHIFT[kind]) for kind in (QUEEN, KING))
    values = [kind for kind, _count in held(numbers)]
    total = sum(kind * count for kind, count in held(numbers))
    return any(total % v == 0 and splits(numbers, v) for v in range(values[-1], TEN + 1))
