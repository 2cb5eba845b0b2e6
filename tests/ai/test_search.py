"""The search of `master`: its budget, what it may know, and what it finds."""

from random import Random

import pytest
from hypothesis import given

from games.ai.heuristic import none_held, options
from games.ai.kinds import ONE, kind_of, packed
from games.ai.opponent import hands, likelihood, past_plays, table
from games.ai.search import Batch, Whole, think
from games.ai.unseen import possible
from games.engine import Deal, Observation, Play, observe
from tests.engine.positions import deals, quick, seeds, states
from tests.engine.test_observation import redealt

FEW = 60  # iterations, where strength is not what is looked at
# Turns of the thinker in one iteration, at the most; positions where the whole tree is gone
# through, and in the last batch.
TURNS, WHOLE, EXACT = 4, 3_000, 20_000


def views(seed: int, batch: int | None = None) -> list[Observation]:
    """What whoever plays sees, at every play of a deal or of one of its batches."""
    return [
        observe(deal, deal.turn)
        for deal in states(seed, seed % 2)
        if deal.turn is not None and batch in (None, deal.batch)
    ]


@quick
@given(deals(47), seeds)
def test_a_thought_has_every_play_and_makes_the_first(deal: Deal, seed: int) -> None:
    view = observe(deal, deal.turn)
    thought = think(view, Random(seed), FEW)
    assert thought.play == thought.plays[0].play
    assert {valued.play for valued in thought.plays} == {option.play for option in options(view)}
    assert {valued.play for valued in thought.plays} <= set(deal.legal())
    assert all(-200 < valued.value < 200 for valued in thought.plays)


@quick
@given(deals(47), seeds, seeds)
def test_hidden_cards_change_no_thought(deal: Deal, seed: int, other: int) -> None:
    assert deal.turn is not None
    changed = redealt(deal, deal.turn, other)
    first, second = Random(seed), Random(seed)
    assert think(observe(deal, deal.turn), first, FEW) == think(
        observe(changed, deal.turn), second, FEW
    )
    assert first.getstate() == second.getstate()


@pytest.mark.parametrize("iterations", [50, 400])
def test_the_budget_is_a_number_of_iterations(iterations: int) -> None:
    for view in views(3):
        nodes = think(view, Random(1), iterations).nodes
        if view.batch == 6:
            assert nodes <= EXACT
        elif Batch(view).is_small:
            assert nodes <= WHOLE
        else:
            assert iterations <= nodes <= TURNS * iterations


def test_each_play_is_tried_as_often_as_is_asked_for() -> None:
    looked_at = 0
    for view in views(5):
        plays = think(view, Random(1), 300, least=40).plays
        if plays[0].visits:
            looked_at += 1
            assert sum(valued.visits for valued in plays) == 300
            assert min(valued.visits for valued in plays) >= 40
    assert looked_at > 10


def test_a_basra_that_costs_nothing_is_made() -> None:
    """Of a deal's plays those that make ten points at once are nearly always the master's."""
    made = missed = 0
    for seed in range(12):
        for view in views(seed):
            best = max(options(view), key=lambda option: option.way.points)
            if best.way.points:
                kind = kind_of(think(view, Random(seed), 200).play.card)
                made += kind == best.kind
                missed += kind != best.kind
    assert made > 15
    assert missed <= made // 10


def test_the_whole_tree_and_the_sampled_one_agree() -> None:
    """Where both can be had, many iterations come to what going through every hand says."""
    compared = 0
    for seed in range(6):
        for view in views(seed, batch=4):
            batch = Batch(view)
            if batch.is_small and len(view.hand) > 1:
                root, whole = batch.search(Random(2), 4_000, least=400), Whole(batch).values
                best = max(range(len(whole)), key=whole.__getitem__)
                compared += 1
                assert abs(30 * root.sums[best] / root.counts[best] - whole[best]) < 2.5
    assert compared > 6


def test_hands_are_weighed_by_the_ways_to_draw_them() -> None:
    pool = 2 * ONE[3] + 3 * ONE[9] + ONE[11]
    found = dict(hands(pool, 2, []))
    assert sum(found.values()) == 15  # of six cards two
    assert found[3, 9] == 6
    assert sum(w for hand, w in found.items() if 9 not in hand) / 15 == none_held(6, 3, 2)


@quick
@given(deals(47))
def test_the_true_hand_is_among_those_thought_possible(deal: Deal) -> None:
    assert deal.turn is not None
    view, other = observe(deal, deal.turn), deal.hands[1 - deal.turn]
    held = dict(hands(packed(possible(view)), len(other), past_plays(view)))
    true = tuple(sorted(map(kind_of, other)))
    assert held[true] > 0
    plays = past_plays(view)
    assert len(plays) == sum(
        turn.seat != deal.turn for turn in deal.history[8 * (deal.batch - 1) :]
    )
    assert 0 < likelihood(true, plays) <= 1


def test_a_play_tells_of_the_hand_that_it_came_out_of() -> None:
    """He left a basra lying: that he held the card for it is less likely than before."""
    deal = next(
        deal
        for seed in range(200)
        for deal in states(seed, seed % 2)
        if deal.turn is not None
        and len(deal.history) % 8 == 1
        and deal.history[-1].play.capture == frozenset()
        and len(deal.floor) == 2
    )
    left = next(iter(deal.floor - {deal.history[-1].play.card}))
    view = observe(deal, deal.turn)
    pool, plays = packed(possible(view)), past_plays(view)
    kind = kind_of(left)
    if not pool >> 4 * kind & 15:
        pool += ONE[kind]
    before, after = hands(pool, 3, []), hands(pool, 3, plays)

    def share(found: list[tuple[tuple[int, ...], float]]) -> float:
        return sum(w for hand, w in found if kind in hand) / sum(w for _hand, w in found)

    assert share(after) < 0.7 * share(before)


def test_the_model_knows_public_cards_only() -> None:
    """Its table has a weight for every kind that somebody may hold, the thinker's own ones too."""
    for view in views(7, batch=2):
        batch = Batch(view)
        model = table(batch.floor, batch.public, 4)
        for card in view.hand:
            assert model.careful[kind_of(card)] > 0
            assert model.greedy[kind_of(card)] > 0
        chances = [
            model.chance(kind_of(card), [kind_of(c) for c in view.hand]) for card in view.hand
        ]
        if len({kind_of(card) for card in view.hand}) == len(view.hand):
            assert sum(chances) == pytest.approx(1)


def test_the_only_play_takes_no_thought() -> None:
    deal = next(d for d in states(1, 0) if d.turn is not None and len(d.hands[d.turn]) == 1)
    view = observe(deal, deal.turn)
    (only,) = {option.play for option in options(view)}
    assert isinstance(only, Play)
    assert think(view, Random(1)).play == only
