"""The sums in a capture: which number cards go with a played one, suits left aside.

Cards of one value are alike here, so a floor is a *vector* of how many it holds of each value,
packed into an int, four bits for each. That is what keeps the search small: its nodes are
different vectors, not the ways to choose or to group cards (the two ways to group the same cards
are one capture: rules, Playing a card).
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

TEN = 10
_MOST_ALIKE = 4  # four suits
# The high bit of each value's four: counts are at most 4, so it stays free for comparing.
_GUARD = sum(8 << 4 * value for value in range(1, TEN + 1))


class Search(NamedTuple):
    """What a search found: the maximal vectors, and how many nodes it looked at: groups that fit,
    unions made and unions kept. More cards on a floor never make fewer."""

    maximal: tuple[int, ...]
    nodes: int


def vector(values: Iterable[int]) -> int:
    """The values as a packed vector: four bits for each value, holding how often it stands.

    >>> hex(vector([1, 1, 3]))
    '0x1020'
    """
    return sum(1 << 4 * value for value in values)


def counts(packed: int) -> Iterator[tuple[int, int]]:
    """The (value, how often) pairs of a packed vector, lowest value first.

    >>> list(counts(vector([3, 1, 1])))
    [(1, 2), (3, 1)]
    """
    value = 0
    while packed:
        if packed & 15:
            yield value, packed & 15
        packed >>= 4
        value += 1


def _groups(total: int, highest: int) -> Iterator[int]:
    """The packed multisets of values up to `highest` that add up to `total`."""
    if total == 0:
        yield 0
    elif highest:
        for times in range(min(_MOST_ALIKE, total // highest) + 1):
            for rest in _groups(total - times * highest, highest - 1):
                yield rest + (times << 4 * highest)


_GROUPS = {value: tuple(_groups(value, value - 1)) for value in range(1, TEN + 1)}


def search(available: int, value: int) -> Search:
    """Every maximal union of disjoint groups of `available` that each add up to `value`.

    `available` is a packed vector of values below `value`. Exhaustive: grows the unions group by
    group, each vector once, then drops those that another one contains. A union that no single
    group extends may still lie inside another (`3 3 4` in `3 7, 3 7, 4 6` for a ten), so they are
    compared as wholes. `((0,), …)` if nothing adds up.

    >>> found = search(vector([1, 2, 3, 5]), 6)
    >>> [list(counts(union)) for union in found.maximal]
    [[(1, 1), (2, 1), (3, 1)], [(1, 1), (5, 1)]]
    >>> found.nodes
    7
    """
    room = available | _GUARD
    groups = [g for g in _GROUPS[value] if (room - g) & _GUARD == _GUARD]
    nodes = len(groups)
    reached = {0: 0}  # union -> how many groups it is made of
    for group in groups:
        for union, made_of in list(reached.items()):
            grown = union + group
            while (room - grown) & _GUARD == _GUARD:
                nodes += 1
                made_of += 1
                reached[grown] = made_of
                grown += group
    ends = [
        union
        for union in reached
        if not any((room - union - group) & _GUARD == _GUARD for group in groups)
    ]
    ends.sort(key=lambda union: (-reached[union], union))
    maximal: list[int] = []
    for union in ends:
        if not any(((whole | _GUARD) - union) & _GUARD == _GUARD for whole in maximal):
            maximal.append(union)
    return Search(tuple(sorted(maximal)), nodes + len(reached))


@lru_cache(maxsize=1 << 16)
def maximal(available: int, value: int) -> tuple[int, ...]:
    """The maximal vectors that `search` finds, remembered: few different ones occur in play.

    >>> maximal(vector([2, 2]), 5)
    (0,)
    """
    return search(available, value).maximal


@lru_cache(maxsize=1 << 16)
def splits(whole: int, value: int) -> bool:
    """Whether all of `whole` splits into groups of `value` each; a group may be one card.

    >>> splits(vector([4, 3, 1, 8]), 8), splits(vector([5, 5, 6]), 8)
    (True, False)
    """
    below = whole & ((1 << 4 * value) - 1)
    return whole >> 4 * (value + 1) == 0 and below in maximal(below, value)
