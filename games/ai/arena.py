"""The arena: two levels play each other, and how far one is ahead is told with its error.

A *pair* is a match to the target and the same packs and dealers again with the seats exchanged, so
that luck of the cards counts for both. A pack depends on seed, pair and deal alone: every level
meets the same packs. Nothing is drawn but from generators seeded by text, so a pair has the same
result on every machine; only its times differ.

>>> pair = play_pair("novice", "novice", seed=1, number=0, target=51)
>>> pair == play_pair("novice", "novice", seed=1, number=0, target=51)._replace(
...     plays_a=pair.plays_a, plays_b=pair.plays_b)
True
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import log, log10, sqrt
from multiprocessing import get_context
from random import Random
from time import process_time
from typing import Any, NamedTuple

from games.ai.levels import PLAYERS, choose
from games.ai.search import counted_master
from games.engine import PACK, Card, Deal, Observation, Play, Seat, Tally, count, observe

_ELO = 400  # points of difference that stand for odds of ten to one


class Plays(NamedTuple):
    """What one side's plays took: how many, seconds of the processor and positions looked at (for
    who does not search, the plays to choose from count), and for each play its seconds."""

    nodes: int
    most_nodes: int
    seconds: tuple[float, ...]


class Pair(NamedTuple):
    """The two matches of a pair: by how many points `a` was ahead over all their deals, how many
    deals there were, and how many of the matches `a` won."""

    number: int
    points: int
    deals: int
    won: int
    plays_a: Plays
    plays_b: Plays


class Measure(NamedTuple):
    """A mean and its standard error (0 where one pair is all there is)."""

    mean: float
    error: float


class Result(NamedTuple):
    """Where `a` stands against `b`: points a deal, the share of matches won, and the difference in
    Elo's points, None where one side won them all."""

    points: Measure
    won: Measure
    elo: Measure | None


def pack(seed: int, number: int, deal: int) -> tuple[Card, ...]:
    """The pack of a deal (1, 2, …) of a pair."""
    cards = list(PACK)
    Random(f"basra arena {seed} {number} {deal}").shuffle(cards)
    return tuple(cards)


def play_pair(a: str, b: str, seed: int, number: int, target: int = 101) -> Pair:
    """One pair between two levels. Raises `Malformed` for an unknown level or target."""
    points = deals = won = 0
    sides = _Side(a), _Side(b)
    seats: tuple[Seat, Seat] = (0, 1)
    for seat in seats:
        tally = Tally(target, seats[number % 2])
        rng = Random(f"basra arena {seed} {number} seat {seat}")
        at_table = sides if seat == 0 else sides[::-1]
        while tally.winner is None:
            deals += 1
            deal = Deal.start(pack(seed, number, len(tally.counts) + 1), tally.dealer)
            while deal.turn is not None:
                deal = deal.play(at_table[deal.turn].play(observe(deal, deal.turn), rng))
            made = count(deal)
            points += made[seat] - made[1 - seat]
            tally = tally.add(made)
        won += tally.winner == seat
    return Pair(number, points, deals, won, sides[0].plays(), sides[1].plays())


def play_all(
    a: str, b: str, seed: int, pairs: int, target: int = 101, processes: int | None = None
) -> Iterator[Pair]:
    """So many pairs in their order, played by so many processes (None: one for each core).

    >>> [pair.number for pair in play_all("novice", "novice", 1, pairs=2, target=51, processes=1)]
    [0, 1]
    """
    one = partial(play_pair, a, b, seed, target=target)
    if processes == 1:
        yield from map(one, range(pairs))
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        yield from pool.map(one, range(pairs))


class _Side:
    """A level at the table, and what its plays took."""

    def __init__(self, level: str) -> None:
        self.level = level
        self.nodes: list[int] = []
        self.seconds: list[float] = []

    def play(self, view: Observation, rng: Random) -> Play:
        began = process_time()
        if self.level == "master":
            chosen, nodes = counted_master(view, rng)
        else:
            chosen, nodes = choose(self.level, view, rng), len(view.hand)
        self.seconds.append(process_time() - began)
        self.nodes.append(nodes)
        return chosen

    def plays(self) -> Plays:
        return Plays(sum(self.nodes), max(self.nodes), tuple(self.seconds))


def result(pairs: Sequence[Pair]) -> Result:
    """What the pairs show, pair by pair: the two matches of a pair are one observation.

    >>> none = Plays(0, 0, ())
    >>> found = result([Pair(n, 10 * n, 8, 1 + n % 2, none, none) for n in range(4)])
    >>> found.points.mean, round(found.points.error, 2), found.won.mean, round(found.elo.mean)
    (1.875, 0.81, 0.75, 191)
    """
    deals = sum(pair.deals for pair in pairs)
    points = sum(pair.points for pair in pairs) / deals
    # The error of a ratio: of what each pair has beyond its share.
    beyond = [pair.points - points * pair.deals for pair in pairs]
    won = Measure(
        sum(pair.won for pair in pairs) / (2 * len(pairs)), _error([p.won / 2 for p in pairs])
    )
    elo = None
    if 0 < won.mean < 1:
        slope = _ELO / log(10) / (won.mean * (1 - won.mean))
        elo = Measure(_ELO * log10(won.mean / (1 - won.mean)), slope * won.error)
    return Result(Measure(points, _error(beyond) * len(pairs) / deals), won, elo)


def _error(values: Sequence[float]) -> float:
    """The standard error of the mean."""
    number = len(values)
    if number < 2:
        return 0.0
    mean = sum(values) / number
    return sqrt(sum((value - mean) ** 2 for value in values) / (number - 1) / number)


def report(a: str, b: str, seed: int, target: int, pairs: Sequence[Pair]) -> dict[str, Any]:
    """The result as plain data, for JSON. Times are milliseconds of the processor."""
    found = result(pairs)
    return {
        "a": a,
        "b": b,
        "seed": seed,
        "target": target,
        "pairs": len(pairs),
        "deals": sum(pair.deals for pair in pairs),
        "points_a_deal": _written(found.points),
        "matches_won": _written(found.won),
        "elo": _written(found.elo) if found.elo else None,
        "plays": {
            "a": _plays([pair.plays_a for pair in pairs]),
            "b": _plays([pair.plays_b for pair in pairs]),
        },
    }


def _written(measure: Measure) -> dict[str, float]:
    return {"mean": round(measure.mean, 4), "standard_error": round(measure.error, 4)}


def _plays(of: Iterable[Plays]) -> dict[str, float]:
    every = list(of)
    seconds = sorted(second for plays in every for second in plays.seconds)
    return {
        "count": len(seconds),
        "ms_mean": round(1000 * sum(seconds) / len(seconds), 3),
        "ms_95": round(1000 * seconds[int(0.95 * (len(seconds) - 1))], 3),
        "ms_most": round(1000 * seconds[-1], 3),
        "nodes_mean": round(sum(plays.nodes for plays in every) / len(seconds), 1),
        "nodes_most": max(plays.most_nodes for plays in every),
    }


def levels() -> list[tuple[str, str]]:
    """Every two levels, the stronger one first.

    >>> levels()[0], len(levels())
    (('casual', 'novice'), 10)
    """
    names = list(PLAYERS)
    return [(a, b) for place, a in enumerate(names) for b in names[:place]]
