"""A deal from the set-up to the count: every rule of the page, at every step."""

import pickle
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import (
    KOMI,
    PACK,
    Basra,
    Card,
    Deal,
    Illegal,
    Malformed,
    NotNow,
    Play,
    breakdown,
    captures,
    count,
    observe,
    parse_card,
)
from tests.engine.positions import deals, quick, seats, seeds, shuffled, states


def pack_with(top: str) -> tuple[Card, ...]:
    """The ordered pack with these cards on top."""
    first = [parse_card(text) for text in top.split()]
    return (*first, *(card for card in PACK if card not in first))


@quick
@given(seeds, seats, st.booleans())
def test_every_step_of_a_deal(seed: int, dealer: int, stalling: bool) -> None:
    steps = list(states(seed, dealer, stalling))
    assert len(steps) == 49
    for number, deal in enumerate(steps):
        hidden = [*deal.stock, *deal.hands[0], *deal.hands[1]]
        everything = [*hidden, *deal.floor, *deal.piles[0], *deal.piles[1]]
        assert sorted(everything) == list(PACK)
        assert len(deal.history) == number
        assert len(deal.stock) == 40 - 8 * min(number // 8, 5)
        assert deal.over == (number == 48) == (deal.turn is None)
        assert deal.batch == min(number // 8 + 1, 6)
        assert [len(c) for c in deal.crosswise] == [
            deal.basras[seat] + deal.jack_basras[seat] for seat in (0, 1)
        ]
        assert all(set(deal.crosswise[seat]) <= deal.piles[seat] for seat in (0, 1))
        if not deal.over:
            assert deal.turn == (1 - dealer if number % 2 == 0 else dealer)
            assert deal.legal() == tuple(
                Play(card, capture)
                for card in sorted(deal.hands[deal.turn])
                for capture in captures(deal.floor, card)
            )
            with pytest.raises(NotNow):
                count(deal)
            with pytest.raises(NotNow):
                breakdown(observe(deal, None))
    end = steps[-1]
    assert (end.floor, end.hands, end.stock) == (frozenset(),) * 1 + (
        (frozenset(), frozenset()),
        (),
    )
    assert end.legal() == ()
    for before, after in pairwise(steps):
        assert after.history[:-1] == before.history
    check_count(end)


def check_count(deal: Deal) -> None:
    """The count, added up again from the history."""
    points = [0, 0]
    for seat, _, kind in deal.history:
        points[seat] += {Basra.NONE: 0, Basra.BASRA: 10, Basra.JACK: 30}[kind]
    for seat in (0, 1):
        points[seat] += 30 if len(deal.piles[seat]) > 26 else 0
    assert list(count(deal)) == points
    assert [line.points for line in breakdown(deal)] == points


def test_misfits_go_under_the_stock_in_the_order_in_which_their_places_are_looked_at() -> None:
    pack = pack_with("2c 2d 2h 2s 3c 3d 3h 3s Jc 4c 7d 5c Jd Js 6c 8c 9c")
    deal = Deal.start(pack, dealer=0)
    # Jc makes place for Jd, that for Js, that for 6c; then 7d for 8c.
    assert [str(card) for card in deal.under] == ["Jc", "Jd", "Js", "7d"]
    assert deal.floor == deal.opening == {parse_card(text) for text in ("6c", "4c", "8c", "5c")}
    assert deal.stock[0] == parse_card("9c")
    assert deal.stock[-4:] == deal.under
    while deal.batch < 6:
        deal = deal.play(deal.legal()[0])
    assert deal.hands[0] == frozenset(deal.under)


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_non_dealer_is_dealt_first_and_leads(dealer: int) -> None:
    deal = Deal.start(PACK, dealer)
    assert deal.turn == 1 - dealer
    assert deal.hands[1 - dealer] == frozenset(PACK[:4])
    assert deal.hands[dealer] == frozenset(PACK[4:8])
    assert deal.floor == frozenset(PACK[8:12])
    for _ in range(8):
        deal = deal.play(deal.legal()[0])
    assert deal.turn == 1 - dealer
    assert deal.dealt[1 - dealer] == PACK[12:16]
    assert deal.dealt[dealer] == PACK[16:20]


@quick
@given(deals(47), st.data())
def test_three_errors_and_nothing_changes(deal: Deal, data: st.DataObject) -> None:
    assert deal.turn is not None
    before = deal.text()
    legal = deal.legal()
    with pytest.raises(NotNow):
        deal.play(legal[0], seat=1 - deal.turn)
    not_held = [card for card in PACK if card not in deal.hands[deal.turn]]
    with pytest.raises(Illegal):
        deal.play(Play(data.draw(st.sampled_from(not_held))), seat=deal.turn)
    with pytest.raises(Illegal):
        deal.play(Play(legal[0].card, {legal[0].card}))
    play = data.draw(st.sampled_from(legal))
    for changed in (play.capture - {c} for c in play.capture):
        with pytest.raises(Illegal):
            deal.play(Play(play.card, changed))
    for more in deal.floor - play.capture:
        with pytest.raises(Illegal):
            deal.play(Play(play.card, play.capture | {more}))
    with pytest.raises(Malformed):
        deal.play(Play.parse("6s:4d;"))
    assert deal.text() == before
    assert deal.play(play, seat=deal.turn) == deal.play(play)


@quick
@given(deals())
def test_any_subset_that_is_not_listed_is_illegal(deal: Deal) -> None:
    legal = set(deal.legal())
    if deal.turn is None:
        with pytest.raises(NotNow):
            deal.play(Play(KOMI))
        return
    taken = {card: [p.capture for p in legal if p.card is card] for card in deal.hands[deal.turn]}
    for card, options in taken.items():
        for one in options:
            for other in options:
                merged = Play(card, one | other)
                if merged not in legal:
                    with pytest.raises(Illegal):
                        deal.play(merged)


@pytest.mark.parametrize(
    ("pack", "dealer"),
    [
        (PACK[1:], 0),
        ((*PACK, KOMI), 0),
        ((*PACK[1:], PACK[1]), 0),
        ([str(card) for card in PACK], 0),
        ([[]] * 52, 0),
        ((), 0),
        (PACK, 2),
        (PACK, -1),
        (PACK, True),
        (PACK, None),
        (PACK, "0"),
    ],
)
def test_what_cannot_be_dealt(pack: object, dealer: object) -> None:
    with pytest.raises(Malformed):
        Deal.start(pack, dealer)


@quick
@given(deals())
def test_the_text_form_reads_back(deal: Deal) -> None:
    text = deal.text()
    again = Deal.parse(text)
    assert again == deal
    assert hash(again) == hash(deal)
    assert again.text() == text
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert Deal.replay(deal.pack, deal.dealer, [turn.play for turn in deal.history]) == deal


@quick
@given(deals(), st.integers(0, 400), st.sampled_from("7dJ;: ,x1"))
def test_a_changed_text_is_malformed_or_another_deal(deal: Deal, at: int, new: str) -> None:
    text = deal.text()
    at %= len(text)
    changed = text[:at] + new + text[at + 1 :]
    with suppress(Malformed):
        again = Deal.parse(changed)
        assert Deal.parse(again.text()) == again


def test_a_malformed_text_is_not_shown() -> None:
    text = Deal.start(shuffled(3), 0).text()
    for changed in (
        text[:-2] + ";",
        text + "zz",
        text + "7d:8h",
        text[:-9],
        text.replace("K", "k"),
    ):
        with pytest.raises(Malformed) as refused:
            Deal.parse(changed)
        assert not [card for card in PACK if str(card) in str(refused.value)]
        assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize("text", ["", ";;;", "2;0;;", "1;2;;", "1;0;;;", None, 7, b"1;0;;"])
def test_what_is_no_text_of_a_deal(text: object) -> None:
    with pytest.raises(Malformed):
        Deal.parse(text)


def test_a_play_too_many_is_malformed() -> None:
    *_, end = states(1, 0)
    with pytest.raises(Malformed):
        Deal.parse(end.text() + " 7d")


@quick
@given(deals())
def test_what_is_printed_shows_no_hidden_card(deal: Deal) -> None:
    open_cards = {str(card) for card in deal.floor}
    for shown in (repr(deal), str(deal), f"{deal}", repr(observe(deal, 0)), repr(observe(deal, 1))):
        assert {str(card) for card in PACK if str(card) in shown} == open_cards


def test_a_deal_cannot_be_changed() -> None:
    deal = Deal.start(shuffled(1), 0)
    with pytest.raises(AttributeError):
        deal.floor = frozenset()
