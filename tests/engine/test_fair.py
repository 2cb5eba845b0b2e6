"""The fair shuffle beyond its golden vectors: what it refuses, and that it favours nothing."""

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import PACK, Malformed, fair
from tests.engine.positions import quick

SEED = bytes(range(32))
SEEDS = ("mine", "house")
MATCH = "AbCdEf123456"


@quick
@given(st.binary(min_size=32, max_size=32), st.integers(1, 10**6))
def test_a_pack_is_the_pack(seed: bytes, deal: int) -> None:
    pack = fair.pack(seed, MATCH, SEEDS, deal)
    assert sorted(pack) == list(PACK)
    assert pack == fair.pack(seed, MATCH, list(SEEDS), deal)


def test_every_part_of_the_message_counts() -> None:
    packs = {
        fair.pack(SEED, MATCH, SEEDS, 1),
        fair.pack(SEED[::-1], MATCH, SEEDS, 1),
        fair.pack(SEED, "other", SEEDS, 1),
        fair.pack(SEED, MATCH, SEEDS[::-1], 1),
        fair.pack(SEED, MATCH, ("mine", "h"), 1),
        fair.pack(SEED, MATCH, SEEDS, 2),
    }
    assert len(packs) == 6


def test_first_dealers_are_even() -> None:
    drawn = Counter(fair.first_dealer(SEED, f"m{i}", SEEDS) for i in range(2000))
    assert 900 < drawn[0] < 1100


def test_numbers_that_would_favour_low_places_are_thrown_away() -> None:
    def numbers() -> Iterator[int]:
        yield from (2**32 - 1, 2**32 - 16, 2**32 - 17)

    # 2^32 mod 52 is 48, mod 3 is 1: the last one is dropped, the one before it not.
    assert fair._below(3, numbers()) == (2**32 - 16) % 3
    assert 2**32 % 51 == 1
    assert fair._below(51, iter([2**32 - 1, 7])) == 7
    assert fair._below(2, iter([2**32 - 1])) == 1


@pytest.mark.parametrize(
    ("seed", "match", "seeds", "deal"),
    [
        (SEED[1:], MATCH, SEEDS, 1),
        (SEED.hex(), MATCH, SEEDS, 1),
        (bytearray(SEED), MATCH, SEEDS, 1),
        (SEED, "a:b", SEEDS, 1),
        (SEED, None, SEEDS, 1),
        (SEED, "\ud800", SEEDS, 1),
        (SEED, MATCH, ("mine",), 1),
        (SEED, MATCH, "ab", 1),
        (SEED, MATCH, ("mine", ""), 1),
        (SEED, MATCH, ("mine", None), 1),
        (SEED, MATCH, ("mine", "x" * 65), 1),
        (SEED, MATCH, ("mine", "a:b"), 1),
        (SEED, MATCH, ("mine", "é"), 1),
        (SEED, MATCH, ("mine", "a\n"), 1),
        (SEED, MATCH, SEEDS, 0),
        (SEED, MATCH, SEEDS, -1),
        (SEED, MATCH, SEEDS, True),
        (SEED, MATCH, SEEDS, "1"),
    ],
)
def test_what_makes_no_pack(seed: object, match: object, seeds: object, deal: object) -> None:
    with pytest.raises(Malformed) as refused:
        fair.pack(seed, match, seeds, deal)
    assert SEED.hex() not in str(refused.value)


def test_a_match_may_be_named_in_any_script() -> None:
    assert len(fair.pack(SEED, "باصرة", SEEDS, 1)) == 52
