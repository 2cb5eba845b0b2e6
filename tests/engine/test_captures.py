"""Captures and basras: exhaustive, maximal, in order, and never slow."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.engine import (
    KOMI,
    PACK,
    Basra,
    Card,
    Malformed,
    basra,
    captures,
    choices,
    parse_card,
    parse_cards,
    search_for,
    write_cards,
)
from games.engine.sums import search, vector
from tests.engine.positions import (
    captures_by_trying,
    cards,
    floors,
    number_cards,
    quick,
    splits,
    states,
)

LARGEST_FLOOR = 15


def ranks(capture: frozenset[Card]) -> tuple[str, ...]:
    return tuple(sorted(card.rank for card in capture))


@quick
@given(floors(8) | floors(9, number_cards), cards)
def test_agree_with_trying_every_subset(floor: frozenset[Card], card: Card) -> None:
    assume(card not in floor)
    found = captures(floor, card)
    assert set(found) == captures_by_trying(floor, card)
    assert len(set(found)) == len(found)
    if card.value is not None and card is not KOMI:
        for taken in found:
            sums = tuple(c for c in taken if c.rank != card.rank)
            assert splits(sums, card.value)
            assert {c for c in floor if c.rank == card.rank} <= taken


@quick
@given(floors(8) | floors(12, number_cards), cards)
def test_display_order(floor: frozenset[Card], card: Card) -> None:
    assume(card not in floor)
    found = captures(floor, card)
    order = [(-basra(floor, card, c).points, -len(c), sorted(c)) for c in found]
    assert order == sorted(order)
    assert captures(sorted(floor, reverse=True), card) == found


@quick
@given(floors(9, number_cards), number_cards)
def test_choices_are_one_capture_for_each_set_of_ranks(floor: frozenset[Card], card: Card) -> None:
    assume(card not in floor)
    found, one_each = captures(floor, card), choices(floor, card)
    first: dict[tuple[str, ...], frozenset[Card]] = {}
    for capture in found:
        first.setdefault(ranks(capture), capture)
    assert one_each == tuple(first.values())


@pytest.mark.parametrize(
    ("floor", "card", "expected"),
    [
        ("As,2h,3c,5d", "6s", ["As,2h,3c", "As,5d"]),
        ("2s,4d,6c,Th", "Ts", ["4d,6c,Th"]),
        # No single group extends 3 3 4, yet it lies inside the whole.
        ("3c,3d,4h,6s,7c,7h", "Ts", ["3c,3d,4h,6s,7c,7h"]),
        ("Ac,Ad,2c", "As", ["Ac,Ad"]),
        ("Qc,Kd,Kh", "Ks", ["Kd,Kh"]),
        ("Qc,Kd,Kh", "Qs", ["Qc"]),
        ("2c,9d,Qh", "Jc", ["2c,9d,Qh"]),
        ("2c,9d,Qh", "7d", ["2c,9d,Qh"]),
        ("7d", "Ac", ["7d"]),
        ("7d", "Qc", ["7d"]),
        ("Jc", "Qc", [""]),
        ("", "Jc", [""]),
        ("", "7d", [""]),
        ("Jc,Jd,4h", "5c", [""]),
        ("3c,4c", "7h", ["3c,4c"]),
        ("3c,4c", "7s", ["3c,4c"]),
    ],
)
def test_captures_of_the_rules_page(floor: str, card: str, expected: list[str]) -> None:
    found = captures(parse_cards(floor), parse_card(card))
    assert [write_cards(taken) for taken in found] == expected


@pytest.mark.parametrize(
    ("floor", "card", "kind"),
    [
        ("2c,4d", "6s", "basra"),
        ("Qc", "Qd", "basra"),
        ("Kc,Kh", "Kd", "basra"),
        ("7d", "As", "basra"),
        ("7d", "Ks", "basra"),
        ("7d", "7s", "basra"),
        ("Jd", "Jc", "jack basra"),
        ("Jd,Jh", "Jc", "none"),
        ("7d", "Jc", "none"),
        ("5s", "Jc", "none"),
        ("", "Jc", "none"),
        ("Jd", "7d", "jack basra"),
        ("", "7d", "none"),
        ("Jd,Jh", "7d", "none"),
        ("Jd,2h", "7d", "none"),
        # The komi: one group of its own value; of another; several groups of one same value.
        ("7c", "7d", "basra"),
        ("9c", "7d", "basra"),
        ("Ac,Ad,Ah,As", "7d", "basra"),
        ("3c,4c", "7d", "basra"),
        ("Ac,2c,7h,8h", "7d", "basra"),
        ("Th,Ts,6c,4d", "7d", "basra"),
        ("8c,9c", "7d", "none"),
        ("Ac,9c", "7d", "basra"),
        ("2c,9c", "7d", "none"),
        ("5c,5d,6c,8c", "7d", "none"),  # 24 = 3 × 8 = 4 × 6, and no split
        ("Qc,Qd", "7d", "basra"),
        ("Kc,Kd,Kh,Ks", "7d", "basra"),
        ("Qc,Kc", "7d", "none"),
        ("Qc,4c", "7d", "none"),
        ("Jc,Qc", "7d", "none"),
    ],
)
def test_basras_of_the_rules_page(floor: str, card: str, kind: str) -> None:
    on_floor = parse_cards(floor)
    assert basra(on_floor, parse_card(card), on_floor) == kind
    assert str(Basra(kind)) == kind


@quick
@given(floors(7, number_cards))
def test_the_komi_makes_a_basra_where_one_value_could_take_all(floor: frozenset[Card]) -> None:
    able = any(
        splits(tuple(floor), value)
        for value in range(1, 11)
        if all(card.value <= value for card in floor)
    )
    expected = Basra.BASRA if floor and able else Basra.NONE
    assert basra(floor, KOMI, floor) is expected


@quick
@given(floors(8), cards)
def test_no_basra_leaves_a_card(floor: frozenset[Card], card: Card) -> None:
    assume(card not in floor)
    for taken in captures(floor, card):
        if taken != floor or not floor:
            assert basra(floor, card, taken) is Basra.NONE
        elif card.rank != "J" and card is not KOMI:
            assert basra(floor, card, taken) is Basra.BASRA


def test_a_card_does_not_capture_from_where_it_lies() -> None:
    with pytest.raises(Malformed):
        captures(parse_cards("7d,8s"), KOMI)


def test_few_nodes_on_every_floor_that_a_deal_can_reach() -> None:
    """A thrown card captures nothing, so beyond the four dealt no rank lies twice: every floor
    of a deal is part of four cards and one more of each rank (the jack adds to nothing). More
    cards never make fewer nodes, so the wholes, larger than any floor, bound them all."""
    most_nodes = most_choices = 0
    for dealt in combinations_with_replacement("A23456789TQK", 4):
        alike = Counter(dealt) + Counter("A23456789TQK")
        values = [v for v, rank in enumerate("A23456789T", 1) for _ in range(min(4, alike[rank]))]
        for value in range(2, 11):
            found = search(vector(v for v in values if v < value), value)
            most_nodes = max(most_nodes, found.nodes)
            most_choices = max(most_choices, len(found.maximal))
    assert most_nodes <= 450
    assert most_choices <= 20


@quick
@given(
    st.sets(
        st.sampled_from([c for c in PACK if c.value and c.value < 10 and c is not KOMI]),
        min_size=LARGEST_FLOOR,
        max_size=LARGEST_FLOOR,
    ),
    st.sampled_from("6789T"),
    st.sampled_from("chs"),
)
def test_few_nodes_on_any_floor_of_fifteen(floor: set[Card], rank: str, suit: str) -> None:
    card = parse_card(rank + suit)
    floor.discard(card)
    assert search_for(floor, card).nodes <= 2000
    found = captures(floor, card)
    assert len(found) <= 2000
    assert not any(a < b for a, b in combinations(choices(floor, card), 2))


def test_fifteen_cards_are_the_most_that_stalling_can_lay() -> None:
    most = 0
    for seed in range(60):
        for deal in states(seed, seed % 2, stalling=True):
            most = max(most, len(deal.floor))
            for play in deal.legal():
                assert search_for(deal.floor, play.card).nodes <= 450
    assert most <= LARGEST_FLOOR
