"""The master: what each play is worth, looked at to the end of the batch.

Information-set search: the opponent holds one of the hands that his plays of this batch make more
or less likely, and answers as a model does that sees public cards only (`games.ai.opponent`); the
own plays are the best ones. At the end of the batch stands a static value. Where the tree is small
it is gone through whole, over every hand; elsewhere it is sampled, each iteration with one hand,
the own plays by upper confidence bounds. In the last batch the other hand is known, and
`games.ai.endgame` is exact.

The budget is a number of iterations, never a time, so the same observation and generator give the
same thought on every machine. Sources: `docs/house-players.md`.
"""

from collections.abc import Sequence
from itertools import accumulate
from math import log, sqrt
from random import Random
from typing import NamedTuple

from games.ai.endgame import exact
from games.ai.heuristic import HAND, Option, options
from games.ai.kinds import MOST_REMEMBERED, ONE, SIZE, WAYS, Way, held, kind_of, packed
from games.ai.opponent import GREED, SLIP, Hand, Table, hands, past_plays, table
from games.ai.unseen import possible, unseen
from games.ai.value import static_value
from games.engine import Observation, Play
from games.engine.deal import BATCHES

ITERATIONS = 2_000
_CURIOSITY = 0.7  # of the upper confidence bound, on values of about −1 to 1
_SCALE = 30  # points that stand for 1
_WHOLE = ((1, 4), (2, 2))  # own cards, his cards: up to there the tree is gone through whole


class Valued(NamedTuple):
    """A play and the points that the thinker may expect to win the deal by from here on if it is
    made (negative: to lose by); what both have made already is left out. `visits` is how often the
    search tried it, 0 where every hand was gone through."""

    play: Play
    value: float
    visits: int


class Thought(NamedTuple):
    """What a search found: the play to make; every play that is different but for suit, most worth
    first; and the positions looked at."""

    play: Play
    plays: tuple[Valued, ...]
    nodes: int


def think(
    observation: Observation, rng: Random, iterations: int = ITERATIONS, least: int = 0
) -> Thought:
    """What the plays of the viewer are worth; it must be its turn. `least`: how many iterations
    each play gets at least, for whoever wants to know what the worse ones are worth, too.

    >>> from games.engine import PACK, Deal, observe, parse_card
    >>> deal = Deal.start(PACK, dealer=0)
    >>> thought = think(observe(deal, seat=1), Random(1), iterations=50)
    >>> len(thought.plays), thought.play == thought.plays[0].play
    (1, True)
    """
    found = options(observation)
    none = [0] * len(found)
    if observation.batch == BATCHES:
        ending = exact(observation, found)
        return _thought(found, ending.best, ending.values, none, ending.nodes)
    batch = Batch(observation)
    if batch.is_small:
        whole = Whole(batch)
        best = max(range(len(found)), key=whole.values.__getitem__)
        return _thought(found, best, whole.values, none, whole.nodes)
    root = batch.search(rng, iterations, least)
    means = [_SCALE * root.sums[place] / max(1, visits) for place, visits in enumerate(root.counts)]
    best = max(range(len(found)), key=root.counts.__getitem__)
    return _thought(found, best, means, root.counts, batch.nodes)


def counted_master(observation: Observation, rng: Random) -> tuple[Play, int]:
    """The play that `think` would make, and the positions looked at; a single play is made without
    a thought.

    >>> from games.engine import PACK, Deal, observe
    >>> counted_master(observe(Deal.start(PACK, dealer=0), seat=1), Random(1))
    (Play('Ac'), 1)
    """
    found = options(observation)
    if len(found) == 1:
        return found[0].play, 1
    thought = think(observation, rng)
    return thought.play, thought.nodes


def master(observation: Observation, rng: Random) -> Play:
    """The play of `counted_master`."""
    return counted_master(observation, rng)[0]


def _thought(
    found: list[Option], best: int, values: Sequence[float], visits: list[int], nodes: int
) -> Thought:
    places = sorted(range(len(found)), key=lambda place: (place != best, -values[place]))
    valued = tuple(Valued(found[at].play, float(values[at]), visits[at]) for at in places)
    return Thought(found[best].play, valued, nodes)


class Node:
    """A turn of the thinker in the tree: its moves, and for each how often it was tried, what it
    made in sum, and the nodes that follow it by the kind that the opponent answered with."""

    __slots__ = ("counts", "moves", "next", "sums", "tried")

    def __init__(self, floor: int, hand: list[int]) -> None:
        self.moves = [(kind, way) for kind in sorted(set(hand)) for way in WAYS[floor | kind]]
        self.counts = [0] * len(self.moves)
        self.sums = [0.0] * len(self.moves)
        self.next: list[dict[int, Node]] = [{} for _move in self.moves]
        self.tried = 0

    def pick(self) -> int:
        """The move to try now: an untried one first, then the one of the highest bound."""
        counts, tried = self.counts, self.tried
        if tried < len(counts):
            return tried
        if len(counts) == 1:
            return 0
        spread = _CURIOSITY * sqrt(log(tried))
        best, chosen = -1e9, 0
        for place, total in enumerate(self.sums):
            count = counts[place]
            bound = total / count + spread / sqrt(count)
            if bound > best:
                best, chosen = bound, place
        return chosen

    def learn(self, move: int, value: float) -> None:
        self.counts[move] += 1
        self.sums[move] += value
        self.tried += 1


class _Rollout(dict[int, tuple[int, Way]]):
    """By floor and kind, as in `WAYS`: the way that makes a basra or takes most, and its rank."""

    def __missing__(self, key: int) -> tuple[int, Way]:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        way = max(WAYS[key], key=lambda way: (way.points, way.cards))
        found = self[key] = (100 * way.points + way.cards, way)
        return found


_ROLLOUT = _Rollout()


class Batch:
    """What is the same for every hand that the opponent may hold. `nodes` counts the turns that
    were looked at."""

    def __init__(self, observation: Observation) -> None:
        seat = observation.seat or 0
        self.floor = packed(observation.floor)
        self.hand = [kind_of(card) for card in sorted(observation.hand)]
        self.his_count = observation.hand_counts[1 - seat]
        self.sign = 1 if seat != observation.dealer else -1  # who leads leads the next batch, too
        self.lead = observation.pile_counts[seat] - observation.pile_counts[1 - seat]
        self.number = observation.batch
        hidden = packed(unseen(observation))
        self.public = hidden + packed(observation.hand)  # what the public does not see
        self.pool = packed(possible(observation))  # what he may hold
        # What whoever leads draws the next hand from: the stock but for what lies under it.
        self.fresh = SIZE[self.pool] - self.his_count
        self.past = past_plays(observation)
        self.nodes = 0
        self._tables: list[dict[int, Table]] = [{} for _answer in range(HAND + 1)]

    @property
    def is_small(self) -> bool:
        return any(len(self.hand) <= own and self.his_count <= his for own, his in _WHOLE)

    def model(self, floor: int, left: int) -> Table:
        """The opponent's model on a floor, when the thinker has `left` cards."""
        tables = self._tables[left]
        found = tables.get(floor)
        if found is None:
            found = tables[floor] = table(floor, self.public, left or HAND)
        return found

    def worth(self, floor: int, lead: int, hand: int) -> float:
        """The static value for the thinker; `hand` is the vector of what the opponent held."""
        sign = self.sign
        return sign * static_value(self.number, floor, sign * lead, self.pool - hand, self.fresh)

    def search(self, rng: Random, iterations: int, least: int = 0) -> Node:
        """The root of the tree after so many iterations."""
        root = Node(self.floor, self.hand)
        forced = [move for move in range(len(root.moves)) for _time in range(least)]
        forced = forced[:iterations] if len(forced) > iterations else forced
        for number, hand in enumerate(self._draw(rng, iterations)):
            self._iterate(root, hand, rng, forced[number] if number < len(forced) else None)
        return root

    def _draw(self, rng: Random, iterations: int) -> list[Hand]:
        """The opponent's hand for each iteration, in proportion to how likely it is."""
        if self.past:
            found = hands(self.pool, self.his_count, self.past)
            weights = list(accumulate([weight for _hand, weight in found]))
            return rng.choices([hand for hand, _weight in found], cum_weights=weights, k=iterations)
        cards = [kind for kind, count in held(self.pool) for _card in range(count)]
        drawn, random = [], rng.random
        for _iteration in range(iterations):
            for place in range(self.his_count):
                other = place + int(random() * (len(cards) - place))
                cards[place], cards[other] = cards[other], cards[place]
            drawn.append(tuple(cards[: self.his_count]))
        return drawn

    def _iterate(self, root: Node, hand: Hand, rng: Random, forced: int | None) -> None:
        """One iteration: the opponent holds these kinds."""
        node: Node | None = root
        floor, lead, points, move = self.floor, self.lead, 0, 0
        mine, his = self.hand[:], list(hand)
        twins = len(set(his)) < len(his)
        path: list[tuple[Node, int]] = []
        while mine:
            if node is not None:
                move = node.pick() if forced is None else forced
                forced = None
                path.append((node, move))
                kind, (floor, made, won) = node.moves[move]
            else:
                kind, (floor, made, won) = _roll(floor, mine)
            mine.remove(kind)
            points += made
            lead += won
            if not his:
                break
            if node is not None:
                left = len(mine)
                model = self._tables[left].get(floor) or self.model(floor, left)
                kind = his[0]
                if len(his) > 1:
                    kind = _answer(model, list(dict.fromkeys(his)) if twins else his, rng)
                way = model.ways[kind]
                assert way is not None  # noqa: S101  (he holds it, so the public has not seen it)
                floor, made, won = way
                branches = node.next[move]
                node = branches.get(kind)
                if node is None and mine:
                    branches[kind] = Node(floor, mine)  # tried from the next iteration on
            else:
                kind, (floor, made, won) = _roll(floor, his)
            his.remove(kind)
            points -= made
            lead -= won
        held_vector = 0
        for kind in hand:
            held_vector += ONE[kind]
        value = (points + self.worth(floor, lead, held_vector)) / _SCALE
        for node, move in path:
            node.learn(move, value)
        self.nodes += len(path)


def _answer(model: Table, kinds: list[int], rng: Random) -> int:
    """What the opponent plays out of these different kinds, drawn from the model."""
    draw = rng.random()
    if draw < SLIP:
        return kinds[int(draw / SLIP * len(kinds))]
    draw = (draw - SLIP) / (1 - SLIP)
    if draw < GREED:
        weights, draw = model.greedy, draw / GREED
    else:
        weights, draw = model.careful, (draw - GREED) / (1 - GREED)
    total = 0.0
    for kind in kinds:
        total += weights[kind]
    draw *= total
    for kind in kinds:
        draw -= weights[kind]
        if draw < 0:
            return kind
    return kinds[-1]


def _roll(floor: int, hand: list[int]) -> tuple[int, Way]:
    """The play of a roll-out: a basra first, then most cards, then the first of the hand."""
    best, chosen, found = -1, 0, None
    for kind in hand:
        rank, way = _ROLLOUT[floor | kind]
        if rank > best:
            best, chosen, found = rank, kind, way
    assert found is not None  # noqa: S101  (a hand that plays is not empty)
    return chosen, found


class Whole:
    """The whole tree of a batch over every hand: `values` of the root's moves, in points."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.nodes = 0
        group = [
            (hand, packed_hand, weight)
            for hand, weight in hands(batch.pool, batch.his_count, batch.past)
            for packed_hand in (sum(ONE[kind] for kind in hand),)
        ]
        total = sum(weight for _hand, _packed, weight in group)
        root = Node(batch.floor, batch.hand)
        self.values = [
            self._move(kind, way, batch.hand, group, batch.lead) / total for kind, way in root.moves
        ]

    def _move(
        self,
        kind: int,
        way: Way,
        mine: list[int],
        group: list[tuple[Hand, int, float]],
        lead: int,
    ) -> float:
        """The sum over the hands of a group, weighed, of what a move of the thinker makes."""
        left = mine[:]
        left.remove(kind)
        made = way.points * sum([weight for _hand, _packed, weight in group])
        return made + self._answers(way.floor, left, group, lead + way.cards)

    def _answers(
        self, floor: int, mine: list[int], group: list[tuple[Hand, int, float]], lead: int
    ) -> float:
        self.nodes += 1
        batch = self.batch
        if not group[0][0]:
            return sum([w * batch.worth(floor, lead, whole) for _hand, whole, w in group])
        model = batch.model(floor, len(mine))
        branches: dict[int, list[tuple[Hand, int, float]]] = {}
        for hand, whole, weight in group:
            kinds = sorted(set(hand))
            for kind in kinds:
                chance = model.chance(kind, kinds) if len(kinds) > 1 else 1.0
                place = hand.index(kind)
                rest = hand[:place] + hand[place + 1 :]
                branches.setdefault(kind, []).append((rest, whole, weight * chance))
        total = 0.0
        for kind, branch in branches.items():
            way = model.ways[kind]
            assert way is not None  # noqa: S101  (he holds it, so the public has not seen it)
            total -= way.points * sum([weight for _hand, _packed, weight in branch])
            if mine:
                moves = Node(way.floor, mine).moves
                total += max(
                    self._move(own, how, mine, branch, lead - way.cards) for own, how in moves
                )
            else:
                total += sum(
                    [w * batch.worth(way.floor, lead - way.cards, whole) for _h, whole, w in branch]
                )
        return total
