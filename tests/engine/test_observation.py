"""What a viewer may see: everything open, and nothing from which a hidden card follows."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from random import Random

import pytest
from hypothesis import given

from games.engine import (
    PACK,
    Card,
    Deal,
    Malformed,
    Observation,
    Play,
    legal,
    observe,
)
from tests.engine.positions import deals, quick, seeds, shuffled


def cards_in(value: object) -> Iterator[Card]:
    """Every card in a value, however deep."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, Play):
        yield value.card
        yield from value.capture
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from cards_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from cards_in(getattr(value, field.name))
    else:
        assert value is None or isinstance(value, (int, str)), type(value)


def opened(deal: Deal) -> set[Card]:
    """Every card that lay open at some time in this deal."""
    return {*deal.opening, *deal.under, *(turn.play.card for turn in deal.history)}


def redealt(deal: Deal, seat: int | None, seed: int) -> Deal:
    """Another deal with the same open plays, that differs only in what the viewer cannot see."""
    keep = opened(deal) | (set(deal.hands[seat]) if seat is not None else set())
    # The first eight and the rest of the pack alike: where a hidden card stood, another does.
    places = [i for i, card in enumerate(deal.pack) if card not in keep]
    hidden = [deal.pack[i] for i in places]
    Random(seed).shuffle(hidden)
    pack = list(deal.pack)
    for place, card in zip(places, hidden, strict=True):
        pack[place] = card
    return Deal.replay(pack, deal.dealer, [turn.play for turn in deal.history])


@quick
@given(deals(), seeds)
def test_hidden_cards_change_nothing_for_a_viewer(deal: Deal, seed: int) -> None:
    for seat in (0, 1, None):
        other = redealt(deal, seat, seed)
        assert observe(other, seat) == observe(deal, seat)
        assert repr(observe(other, seat)) == repr(observe(deal, seat))
        assert legal(observe(other, seat)) == legal(observe(deal, seat))


def test_redealing_does_change_what_is_hidden() -> None:
    deal = Deal.start(shuffled(4), 0)
    other = redealt(deal, 1, 5)
    assert (other.hands[0], other.stock) != (deal.hands[0], deal.stock)
    assert other.hands[1] == deal.hands[1]


@quick
@given(deals())
def test_an_observation_holds_open_cards_and_the_own_hand(deal: Deal) -> None:
    for seat in (0, 1, None):
        seen = observe(deal, seat)
        own = set(deal.hands[seat]) if seat is not None else set()
        assert set(cards_in(seen)) == opened(deal) | own
        assert seen.hand == own
        assert {card for card in seen.slots if card} == own
        assert len(seen.slots) == (0 if seat is None else 4)


@quick
@given(deals())
def test_an_observation_says_all_that_is_open(deal: Deal) -> None:
    for seat in (0, 1, None):
        seen = observe(deal, seat)
        assert isinstance(seen, Observation)
        same = [field.name for field in fields(Observation) if hasattr(deal, field.name)]
        for name in same:
            assert getattr(seen, name) == getattr(deal, name)
        assert {"turn", "over", "batch", "floor", "basras", "crosswise", "under"} <= set(same)
        assert not {"pack", "stock", "hands", "dealt", "piles", "swept"} & set(same)
        assert seen.hand_counts == (len(deal.hands[0]), len(deal.hands[1]))
        assert seen.stock_count == len(deal.stock)
        assert seen.pile_counts == (len(deal.piles[0]), len(deal.piles[1]))
        assert seen.swept_count == len(deal.swept)
        for player in (0, 1):
            turns = [turn for turn in deal.history if turn.seat == player]
            assert seen.last_plays[player] == (turns[-1] if turns else None)
        mine = deal.turn is not None and seat == deal.turn
        assert legal(seen) == (deal.legal() if mine else ())


@quick
@given(deals())
def test_slots_keep_their_cards_while_a_batch_lasts(deal: Deal) -> None:
    if deal.turn is None:
        return
    turn = deal.turn
    before = observe(deal, turn).slots
    play = deal.legal()[0]
    after = deal.play(play)
    if after.batch == deal.batch and not after.over:
        expected = tuple(None if card is play.card else card for card in before)
        assert observe(after, turn).slots == expected


@pytest.mark.parametrize("seat", [2, -1, True, "0", "watcher"])
def test_who_is_no_viewer(seat: object) -> None:
    with pytest.raises(Malformed):
        observe(Deal.start(PACK, 0), seat)
