"""The last batch: the stock is empty, so whoever remembers the open cards knows the other hand, and
the rest of the deal is worked out exactly."""

from typing import NamedTuple

from games.ai.heuristic import Option, scores
from games.ai.kinds import ONE, SIZE, WAYS, held, packed
from games.ai.unseen import unseen
from games.engine import Observation

_MAJORITY = 30
_ENDLESS = 10_000  # more points than a deal has


class Solver:
    """Alpha-beta on the difference of points, most cards and leftover included; what has been
    worked out is remembered for the search of one position. `nodes` counts the positions looked
    at."""

    def __init__(self) -> None:
        self.nodes = 0
        self._known: dict[tuple[int, int, int, int, int], tuple[int, int]] = {}

    def value(
        self,
        floor: int,
        mine: int,
        his: int,
        lead: int,
        last: int,
        alpha: int = -_ENDLESS,
        beta: int = _ENDLESS,
    ) -> int:
        """The points that who is to play wins by from here on, both playing their best. `mine` and
        `his` are vectors, `mine` the hand of who is to play; `lead` is in cards; `last` is 1 if
        that side captured last, −1 if the other did, 0 if nobody.

        >>> Solver().value(ONE[9], mine=ONE[9], his=ONE[5], lead=1, last=-1)
        40
        """
        if not mine:
            lead += last * SIZE[floor]
            return _MAJORITY if lead > 0 else -_MAJORITY if lead < 0 else 0
        self.nodes += 1
        key = (floor, mine, his, lead, last)
        low, high = self._known.get(key, (-_ENDLESS, _ENDLESS))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        best, bound = -_ENDLESS, alpha
        for points, cards, kind, after in _moves(floor, mine):
            turned = -1 if cards else -last
            value = points - self.value(
                after, his, mine - ONE[kind], -lead - cards, turned, points - beta, points - bound
            )
            best = max(best, value)
            bound = max(bound, best)
            if best >= beta:
                break
        exact = (best, best)
        self._known[key] = (best, high) if best >= beta else (low, best) if best <= alpha else exact
        return best


def _moves(floor: int, hand: int) -> list[tuple[int, int, int, int]]:
    """(points, cards, kind, floor after), what makes most first."""
    found = [
        (way.points, way.cards, kind, way.floor)
        for kind, _count in held(hand)
        for way in WAYS[floor | kind]
    ]
    found.sort(reverse=True)
    return found


class Ending(NamedTuple):
    """What each play wins by from here on, in points; the place of the best one, and the positions
    looked at."""

    values: list[int]
    best: int
    nodes: int


def exact(observation: Observation, found: list[Option]) -> Ending:
    """The values of `found`, the viewer's options, in the last batch. Of equal ones the one that
    the heuristic holds for best.

    >>> from games.ai.heuristic import options
    >>> from games.engine import PACK, Deal, observe
    >>> deal = Deal.start(PACK, dealer=0)
    >>> while len(deal.history) < 46:
    ...     deal = deal.play(deal.legal()[0])
    >>> view = observe(deal, deal.turn)
    >>> exact(view, options(view)).values
    [-40]
    """
    seat = observation.seat or 0
    his, mine = packed(unseen(observation)), packed(observation.hand)
    piles = observation.pile_counts
    lead = piles[seat] - piles[1 - seat]
    captured = observation.last_capture
    last = 0 if captured is None else 1 if captured == seat else -1
    solver = Solver()
    values = []
    for option in found:
        floor, points, cards = option.way
        turned = -1 if cards else -last
        after = solver.value(floor, his, mine - ONE[option.kind], -lead - cards, turned)
        values.append(points - after)
    then = scores(observation, found)
    best = max(range(len(found)), key=lambda place: (values[place], then[place]))
    return Ending(values, best, solver.nodes)
