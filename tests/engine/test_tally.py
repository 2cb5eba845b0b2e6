"""The match: totals, dealers, and the moment in which somebody has won."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import Breakdown, Malformed, NotNow, Tally
from tests.engine.positions import quick, seats

points = st.integers(0, 12).map(lambda tens: tens * 10)


@quick
@given(st.sampled_from([51, 101, 151]), seats, st.lists(st.tuples(points, points), max_size=20))
def test_a_match(target: int, first: int, deals: list[tuple[int, int]]) -> None:
    tally = Tally(target, first)
    totals = [0, 0]
    for number, (mine, theirs) in enumerate(deals):
        assert tally.dealer == (first + number) % 2
        tally = tally.add((mine, theirs))
        totals = [totals[0] + mine, totals[1] + theirs]
        assert list(tally.totals) == totals
        if max(totals) >= target and totals[0] != totals[1]:
            assert tally.winner == totals.index(max(totals))
            with pytest.raises(NotNow):
                tally.add((0, 0))
            return
        assert tally.winner is None


@pytest.mark.parametrize(
    "pair", [(0,), (0, 0, 0), (-10, 0), (None, 0), (1.0, 0), (True, 0), ("10", 0)]
)
def test_what_is_no_count(pair: tuple[object, ...]) -> None:
    with pytest.raises(Malformed):
        Tally(101, 0).add(pair)


@pytest.mark.parametrize(("target", "first"), [(0, 0), (101, 2), (101, None), ("101", 0)])
def test_what_is_no_match(target: object, first: object) -> None:
    with pytest.raises(Malformed):
        Tally(target, first)


@pytest.mark.parametrize(("cards", "majority"), [(25, 0), (26, 0), (27, 30), (52, 30)])
def test_the_majority_is_27(cards: int, majority: int) -> None:
    assert Breakdown(cards, 2, 1).majority_points == majority
    assert Breakdown(cards, 2, 1).points == majority + 20 + 30
