"""What is said about a play is so."""

from hypothesis import given

from games.ai.reasons import reasons
from games.ai.unseen import possible
from games.engine import KOMI, Deal, basra, choices, observe
from tests.engine.positions import deals, quick


@quick
@given(deals(47))
def test_each_reason_is_a_fact(deal: Deal) -> None:
    view = observe(deal, deal.turn)
    assert deal.turn is not None
    for play in deal.legal():
        said = reasons(view, play)
        assert said.points == basra(deal.floor, play.card, play.capture).points
        assert said.cards == (len(play.capture) + 1 if play.capture else 0)
        left = deal.floor - play.capture if play.capture else deal.floor | {play.card}
        assert said.clears == (not left)
        good = {
            card
            for card in possible(view)
            if any(basra(left, card, taken).points for taken in choices(left, card))
        }
        assert said.basra_cards == len(good)
        assert said.leaves_no_basra == (not good)
        special = {card for card in deal.hands[deal.turn] if card.rank == "J" or card is KOMI}
        assert set(said.keeps) == special - {play.card}
