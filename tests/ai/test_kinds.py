"""The fast inner representation says what the engine says: on every golden vector, on random
floors, and through whole deals."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from games.ai.endgame import exact
from games.ai.heuristic import options
from games.ai.kinds import KOMI, ONE, SIZE, WAYS, Way, kind_of, packed
from games.ai.unseen import unseen
from games.engine import KOMI as KOMI_CARD
from games.engine import PACK, Card, Deal, Play, basra, choices, count, observe, parse_card
from tests.engine.positions import deals, quick, states
from tests.engine.test_golden import GOLDEN

SIZES = (0, 1, 1, 2, 2, 3, 4, 5, 6, 9, 12, 15)  # of floors: basras are made on small ones


def by_the_engine(floor: frozenset[Card], card: Card) -> list[Way]:
    """The ways to play a card, out of the engine's own answers."""
    found = []
    for taken in choices(floor, card):
        if taken:
            points = basra(floor, card, taken).points
            found.append(Way(packed(floor - taken), points, len(taken) + 1))
        else:
            found.append(Way(packed(floor | {card}), 0, 0))
    return found


def ways(floor: Iterable[Card], card: Card) -> list[Way]:
    return list(WAYS[packed(floor) | kind_of(card)])


def test_the_golden_captures() -> None:
    cases = json.loads((Path(GOLDEN) / "captures.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        floor, card = frozenset(map(parse_card, case["floor"])), parse_card(case["card"])
        golden = {
            (packed(floor.difference(map(parse_card, taken))), kind)
            for taken, kind in zip(case["options"], case["kinds"], strict=True)
            if taken
        }
        points = {"none": 0, "basra": 10, "jack basra": 30}
        found = {(way.floor, way.points) for way in ways(floor, card) if way.cards}
        assert found == {(after, points[kind]) for after, kind in golden}, case["id"]
    assert len(cases) > 100


def test_the_golden_deals() -> None:
    cases = json.loads((Path(GOLDEN) / "deals.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        deal = Deal.start(map(parse_card, case["deck"]), case["dealer"])
        for step in case["plays"]:
            card = parse_card(step["card"])
            taken = frozenset(map(parse_card, step["captured"]))
            after = deal.play(Play(card, taken))
            left = packed(deal.floor - taken if taken else deal.floor | {card})
            points = after.history[-1].basra.points
            way = Way(left, points, len(taken) + 1 if taken else 0)
            assert way in ways(deal.floor, card), case["id"]
            deal = after


@pytest.mark.parametrize(
    "positions", [3_000, pytest.param(100_000, marks=pytest.mark.soak)], ids=["some", "many"]
)
def test_random_positions(positions: int) -> None:
    """Floors of every size; every third card is the komi, whose basras are the hardest."""
    rng = Random(8)
    for number in range(positions):
        size = rng.choice(SIZES)
        *cards, card = rng.sample(PACK, size + 1)
        if number % 3 == 0:
            card = KOMI_CARD
        floor = frozenset(cards) - {card}
        assert ways(floor, card) == by_the_engine(floor, card), (sorted(floor), card)


def test_every_floor_that_play_reaches() -> None:
    for seed in range(10):
        for deal in states(seed, seed % 2, stalling=seed % 3 == 0):
            for card in deal.hands[0] | deal.hands[1]:
                assert ways(deal.floor, card) == by_the_engine(deal.floor, card)


@quick
@given(deals())
def test_a_vector_counts_its_cards(deal: Deal) -> None:
    assert SIZE[packed(deal.floor)] == len(deal.floor)
    assert packed(PACK) == sum(ONE[kind] * 4 for kind in range(1, 14)) - ONE[7] + ONE[KOMI]


@quick
@given(deals(47))
def test_options_are_the_plays_that_differ_in_more_than_suit(deal: Deal) -> None:
    view = observe(deal, deal.turn)
    found = options(view)
    assert {option.play for option in found} <= set(deal.legal())
    assert len({(option.kind, option.way.floor) for option in found}) == len(found)
    every = {
        (kind_of(play.card), packed(deal.floor - play.capture), bool(play.capture))
        for play in deal.legal()
    }
    assert len(every) == len(found)


def by_trying(deal: Deal, seat: int) -> int:
    """By how much the seat wins the deal, if both play their best: every line tried out."""
    if deal.over:
        points = count(deal)
        return points[seat] - points[1 - seat]
    values = [by_trying(deal.play(play), seat) for play in deal.legal()]
    return max(values) if deal.turn == seat else min(values)


def test_the_last_batch_is_exact() -> None:
    """Against the engine and every line of play, from where three cards are left in each hand."""
    for seed in range(12):
        deal = next(d for d in states(seed, seed % 2) if len(d.history) == 42)
        seat = deal.turn
        assert seat is not None
        made = by_points(deal)
        view = observe(deal, seat)
        found = options(view)
        values, best, nodes = exact(view, found)
        assert values[best] == max(values)
        assert set(unseen(view)) == deal.hands[1 - seat]
        for option, value in zip(found, values, strict=True):
            lead = made[seat] - made[1 - seat]
            assert value + lead == by_trying(deal.play(option.play), seat)
        assert nodes <= 3_000


def by_points(deal: Deal) -> tuple[int, int]:
    """The points of the basras made so far."""
    first, second = (
        10 * plain + 30 * jack for plain, jack in zip(deal.basras, deal.jack_basras, strict=True)
    )
    return first, second
