"""The formula: a table computed by hand, rounding, K and the floor."""

import doctest
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder import elo

RATINGS = st.integers(elo.FLOOR, 3500)


def test_examples_in_the_docstrings():
    assert doctest.testmod(elo).failed == 0


def test_constants():
    assert (elo.START, elo.FLOOR, elo.K_NEW, elo.K_SETTLED) == (1500, 100, 32, 16)
    assert (elo.NEW_MATCHES, elo.PROVISIONAL_UNDER, elo.FORMULA) == (30, 10, 1)


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        (1500, 1500, "0.5000"),
        (1600, 1500, "0.6401"),
        (1500, 1600, "0.3599"),
        (1900, 1500, "0.9091"),
        (1500, 2300, "0.0099"),
        (2400, 100, "1.0000"),
    ],
)
def test_expected_score(own, other, expected):
    assert round(elo.expected_score(own, other), 4) == Decimal(expected)


@pytest.mark.parametrize(
    ("own", "other", "score", "k", "after"),
    [
        (1500, 1500, 1, 32, 1516),
        (1500, 1500, 0, 32, 1484),
        (1500, 1500, 1, 16, 1508),
        (1500, 1500, 0, 16, 1492),
        (1600, 1500, 1, 32, 1612),  # 32 × 0.3599 = 11.52
        (1600, 1500, 0, 32, 1580),  # 32 × 0.6401 = 20.48
        (1500, 2300, 1, 32, 1532),  # 32 × 0.9901 = 31.68
        (2300, 1500, 0, 16, 2284),  # 16 × 0.9901 = 15.84
        (2300, 1500, 1, 16, 2300),  # 16 × 0.0099 = 0.16
        (100, 1500, 0, 32, 100),
        (110, 110, 0, 32, 100),
        (116, 116, 0, 32, 100),
        (117, 117, 0, 32, 101),
    ],
)
def test_new_rating(own, other, score, k, after):
    assert elo.new_rating(own, other, score, k) == after


@pytest.mark.parametrize(
    ("points", "whole"),
    [
        ("0.5", 1),
        ("-0.5", -1),
        ("1.5", 2),
        ("2.5", 3),
        ("-2.5", -3),
        ("0.49", 0),
        ("-0.49", 0),
        ("-1.51", -2),
    ],
)
def test_a_half_goes_away_from_zero(points, whole):
    assert elo.rounded(Decimal(points)) == whole


def test_k_changes_after_the_thirtieth_match():
    assert [elo.k_factor(n) for n in (0, 28, 29, 30, 31, 1000)] == [32, 32, 32, 16, 16, 16]


@given(RATINGS, RATINGS)
def test_expected_scores_of_both_sides_make_one(own, other):
    both = elo.expected_score(own, other) + elo.expected_score(other, own)
    assert abs(both - 1) < Decimal("1e-20")


@given(RATINGS, RATINGS, st.sampled_from([16, 32]))
def test_with_one_k_and_above_the_floor_the_loser_loses_what_the_winner_wins(own, other, k):
    won = elo.new_rating(own, other, 1, k) - own
    lost = other - elo.new_rating(other, own, 0, k)
    assert 0 <= won <= k
    assert lost == min(won, other - elo.FLOOR)
