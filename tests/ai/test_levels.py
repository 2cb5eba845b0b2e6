"""House players: legal, deterministic, blind to what is hidden, and in their order of strength."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ai import LEVELS, PLAYERS, choose
from games.ai.greedy import gift, greedy, plays, worth
from games.ai.levels import random_play
from games.ai.unseen import possible, unseen
from games.engine import (
    PACK,
    Deal,
    Malformed,
    NotNow,
    Play,
    choices,
    count,
    legal,
    observe,
    parse_card,
    parse_cards,
)
from tests.engine.positions import deals, quick, seeds, shuffled, states
from tests.engine.test_observation import redealt

levels = st.sampled_from(LEVELS)


def test_the_levels_are_in_order_and_cannot_be_changed() -> None:
    assert LEVELS == ("novice", "casual", "regular", "expert", "master")
    with pytest.raises(TypeError):
        PLAYERS["master"] = PLAYERS["regular"]


@quick
@given(deals(47), levels, seeds)
def test_a_choice_is_legal_and_depends_on_view_and_generator_alone(
    deal: Deal, level: str, seed: int
) -> None:
    view = observe(deal, deal.turn)
    chosen = choose(level, view, Random(seed))
    assert chosen in deal.legal()
    assert chosen == choose(level, view, Random(seed))


@quick
@given(deals(47), levels, seeds, seeds)
def test_hidden_cards_change_no_choice(deal: Deal, level: str, seed: int, other: int) -> None:
    assert deal.turn is not None
    changed = redealt(deal, deal.turn, other)
    first, second = Random(seed), Random(seed)
    assert choose(level, observe(deal, deal.turn), first) == choose(
        level, observe(changed, deal.turn), second
    )
    assert first.getstate() == second.getstate()


@quick
@given(deals(), levels)
def test_nobody_plays_out_of_turn(deal: Deal, level: str) -> None:
    for seat in (0, 1, None):
        if seat is None or seat != deal.turn:
            assert plays(observe(deal, seat)) == ()
            with pytest.raises(NotNow):
                choose(level, observe(deal, seat), Random(0))


@pytest.mark.parametrize("level", ["", "expert!", "Novice"])
def test_an_unknown_level_is_malformed(level: str) -> None:
    with pytest.raises(Malformed):
        choose(level, observe(Deal.start(PACK, 0), 1), Random(0))


@quick
@given(deals(47))
def test_memory_is_what_a_perfect_memory_would_hold(deal: Deal) -> None:
    assert deal.turn is not None
    view, other = observe(deal, deal.turn), 1 - deal.turn
    assert set(unseen(view)) == deal.hands[other] | set(deal.stock)
    assert deal.hands[other] <= set(possible(view)) <= set(unseen(view))
    if deal.batch == 6:
        assert set(possible(view)) == deal.hands[other]


@quick
@given(deals(47))
def test_plays_are_the_legal_ones_without_those_alike_but_for_suit(deal: Deal) -> None:
    view = observe(deal, deal.turn)
    different = {
        (play.card, tuple(sorted(card.rank for card in play.capture))): play
        for play in reversed(legal(view))
    }
    assert set(plays(view)) == set(different.values())


@quick
@given(deals(47), seeds)
def test_regular_takes_most_points_then_most_cards_then_gives_least(deal: Deal, seed: int) -> None:
    view = observe(deal, deal.turn)

    def value(play: Play) -> tuple[object, ...]:
        left = view.floor - play.capture if play.capture else view.floor | {play.card}
        return (*worth(view.floor, play), -gift(left, view.hand))

    chosen = choose("regular", view, Random(seed))
    assert value(chosen) == max(value(play) for play in plays(view))


def test_a_throw_is_the_one_that_gives_least() -> None:
    hand = parse_cards("5c,5h,5s,9h")
    assert gift(parse_cards("5d"), hand) < gift(parse_cards("6d"), hand)
    cards = [card for card in PACK if card not in hand and card is not parse_card("6d")]
    best = [
        max(sum(worth(parse_cards("6d"), Play(card, taken))) for taken in choices({six}, card))
        for six in parse_cards("6d")
        for card in cards
    ]
    assert gift(parse_cards("6d"), hand) == Fraction(sum(best), len(cards))


@quick
@given(deals(47), seeds)
def test_regular_forgets_what_has_been_played(deal: Deal, seed: int) -> None:
    view = observe(deal, deal.turn)
    assert greedy(replace(view, history=()), Random(seed)) == greedy(view, Random(seed))


def test_stalled_floors_are_answered_by_every_level() -> None:
    largest = 0
    for seed in range(25):
        for deal in states(seed, seed % 2, stalling=True):
            largest = max(largest, len(deal.floor))
            if len(deal.floor) >= 8 and deal.turn is not None:
                for level in LEVELS:
                    assert choose(level, observe(deal, deal.turn), Random(seed)) in deal.legal()
    assert largest >= 10


def test_expert_does_not_forget() -> None:
    """The same hand and floor, other cards gone: it does not always play the same."""
    forgotten = 0
    for seed in range(8):
        for deal in states(seed, 0):
            if deal.turn is not None and deal.batch in (3, 4) and len(deal.hands[deal.turn]) == 3:
                view = observe(deal, deal.turn)
                other = replace(view, history=view.history[len(view.history) // 8 * 8 :])
                forgotten += PLAYERS["expert"](view, Random(1)) != PLAYERS["expert"](
                    other, Random(1)
                )
    assert forgotten > 0


def difference(weak: str, strong: str, pairs: int) -> float:
    """Points a deal by which `strong` is ahead, same packs played both ways."""
    total, rng = 0, Random(11)
    for number in range(pairs):
        pack = shuffled(number)
        for seat in (0, 1):
            deal = Deal.start(pack, number % 2)
            while deal.turn is not None:
                view = observe(deal, deal.turn)
                if deal.turn == seat:
                    play = choose(strong, view, rng)
                elif weak == "random":
                    play = random_play(view, rng)
                else:
                    play = choose(weak, view, rng)
                deal = deal.play(play)
            total += count(deal)[seat] - count(deal)[1 - seat]
    return total / (2 * pairs)


@pytest.mark.parametrize(
    ("weak", "strong", "least"),
    [
        ("random", "regular", 15),
        ("novice", "regular", 12),
        ("casual", "regular", 5),
        ("regular", "expert", 8),
    ],
)
def test_each_level_beats_the_ones_below_it(weak: str, strong: str, least: float) -> None:
    assert difference(weak, strong, pairs=100) > least


def test_needs_the_engine_and_the_standard_library_only() -> None:
    program = (
        "import sys; sys.path.insert(0, '.'); before = set(sys.modules); import games.ai; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    )
    for module in done.stdout.split():
        top, _, rest = module.partition(".")
        assert top in sys.stdlib_module_names or rest.split(".")[0] in ("", "ai", "engine"), module
