"""The formula against published tables, rounding, K, the floor, the cap, and the house players."""

import doctest
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Level
from ladder import elo

RATINGS = st.integers(elo.FLOOR, 3500)

# The logistic curve as it is published: the share of the better one at differences 0, 25, 50 … 800.
LOGISTIC = """
    .5000 .5359 .5715 .6063 .6401 .6725 .7034 .7325 .7597 .7850 .8083
    .8296 .8490 .8666 .8823 .8965 .9091 .9203 .9302 .9390 .9468 .9536
    .9595 .9648 .9693 .9733 .9768 .9799 .9825 .9848 .9868 .9886 .9901
"""

# FIDE Handbook, B.02, table 8.1.2: the differences of .50, .51, .52 … .99; beyond them it is 1.
FIDE = """
    0-3 4-10 11-17 18-25 26-32 33-39 40-46 47-53 54-61 62-68
    69-76 77-83 84-91 92-98 99-106 107-113 114-121 122-129 130-137 138-145
    146-153 154-162 163-170 171-179 180-188 189-197 198-206 207-215 216-225 226-235
    236-245 246-256 257-267 268-278 279-290 291-302 303-315 316-328 329-344 345-357
    358-374 375-391 392-411 412-432 433-456 457-484 485-517 518-559 560-619 620-735
"""


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


def test_the_logistic_table():
    for step, share in enumerate(LOGISTIC.split()):
        better, worse = 1500 + 25 * step, 1500
        assert round(elo.expected_score(better, worse), 4) == Decimal(share)
        assert round(elo.expected_score(worse, better), 4) == 1 - Decimal(share)


def test_within_two_hundredths_of_the_federations_table():
    """FIDE's has two digits, and comes from the normal distribution, not from the logistic one:
    hence a difference, and no more than this."""
    near = Decimal("0.02")
    for step, differences in enumerate(FIDE.split()):
        share = Decimal(50 + step) / 100
        for difference in map(int, differences.split("-")):
            assert abs(elo.expected_score(1500 + difference, 1500) - share) < near
    assert all(elo.expected_score(1500 + beyond, 1500) > 1 - near for beyond in range(736, 2000))


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
        (90, 1500, 0, 32, 90),  # an annulment went below the floor: a loss is no gain
        (90, 90, 1, 32, 106),
        (60, 60, 1, 16, 68),
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


def test_what_was_measured_of_the_house_players():
    assert [elo.difference(share) for share in (0.122, 0.276, 0.811, 0.921)] == [
        -343, -168, 253, 427,
    ]  # fmt: skip
    assert elo.HOUSE == {
        "novice": 1157, "casual": 1332, "regular": 1500, "expert": 1753, "master": 1927,
    }  # fmt: skip


def test_every_house_player_has_a_rating():
    assert set(elo.HOUSE) == set(Level)


@given(st.integers(-800, 800))
def test_a_difference_is_the_inverse_of_the_expected_score(points):
    assert elo.difference(float(elo.expected_score(1500 + points, 1500))) == points


@given(st.lists(st.integers(1, 16), max_size=60))
def test_whatever_is_won_the_cap_holds(gains):
    """However the gains of one day follow each other, no more than the cap comes of them."""
    gained = 0
    for gain in gains:
        gained += gain - elo.cut(gain, gained)
    assert gained == min(sum(gains), elo.CAP)


def test_a_loss_is_never_cut():
    result = elo.outcome(1500, 1500, 0, matches=100, opponent_matches=0, gained=100)
    assert (result.after, result.cut) == (1492, 0)
