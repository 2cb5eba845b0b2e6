"""Cards and plays: how they are written, read, ordered and kept."""

import copy
import pickle
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    KOMI,
    PACK,
    Card,
    Malformed,
    Play,
    parse_card,
    parse_cards,
    write_cards,
)
from tests.engine.positions import cards, floors, quick


def test_the_ordered_pack() -> None:
    assert " ".join(map(str, PACK[:9])) == "Ac Ad Ah As 2c 2d 2h 2s 3c"
    assert " ".join(map(str, PACK[-5:])) == "Qs Kc Kd Kh Ks"
    assert len(set(PACK)) == 52
    assert [card.index for card in PACK] == list(range(52))
    assert all(a < b and b > a and a <= b and b >= a for a, b in pairwise(PACK))
    assert [card.value for card in PACK[::4]] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, None, None, None]


def test_there_is_one_object_for_a_card() -> None:
    for card in PACK:
        assert parse_card(str(card)) is card
        assert Card(card.rank, card.suit) is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card
    assert f"{KOMI} {KOMI!r}" == "7d Card('7d')"


@pytest.mark.parametrize(
    "text", ["", "7", "7D", "1d", "10d", "7d ", " 7d", "d7", "jc", "٧d", "7d,7d", None, 7, ["7d"]]
)
def test_what_is_no_card(text: object) -> None:
    with pytest.raises(Malformed):
        parse_card(text)


@pytest.mark.parametrize("name", ["rank", "index", "new"])
def test_a_card_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(KOMI, name, 1)
    with pytest.raises(AttributeError):
        delattr(KOMI, name)
    with pytest.raises(TypeError):
        KOMI < 3  # noqa: B015


@quick
@given(cards, floors(9))
def test_plays_read_back(card: Card, capture: frozenset[Card]) -> None:
    play = Play(card, capture)
    assert Play.parse(str(play)) == play
    assert hash(Play.parse(str(play))) == hash(play)
    assert pickle.loads(pickle.dumps(play)) == play
    assert parse_cards(write_cards(capture)) == capture
    assert play != str(play)


@pytest.mark.parametrize("text", ["", ":", "6s:", ":As", "6s:As,", "6s:As,As", "6s:As:5d", "6s As"])
def test_what_is_no_play(text: str) -> None:
    with pytest.raises(Malformed):
        Play.parse(text)


@quick
@given(st.text(max_size=12) | st.none() | st.integers())
def test_any_text_is_read_or_malformed(text: object) -> None:
    for reader in (parse_card, parse_cards, Play.parse):
        with suppress(Malformed):
            assert reader(text) == reader(text)


def test_a_play_cannot_be_changed() -> None:
    play = Play(KOMI)
    with pytest.raises(AttributeError):
        play.card = PACK[0]
    with pytest.raises(AttributeError):
        del play.capture
