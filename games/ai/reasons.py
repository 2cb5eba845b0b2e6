"""What can be said about a play in words: what it takes, what it leaves, what it keeps. Facts for a
sentence, seen from the player's memory; no sentence is written here."""

from typing import NamedTuple

from games.ai.greedy import worth
from games.ai.kinds import WAYS, held, packed
from games.ai.unseen import possible
from games.engine import KOMI as KOMI_CARD
from games.engine import Card, Observation, Play


class Reasons(NamedTuple):
    """`points` made at once; `cards` won, the played one included (0 if it stays); `basra_cards`:
    how many of the cards that the opponent may hold would make a basra of what is left, and
    `clears` whether nothing is left at all; `keeps`: the jacks and the komi that stay in the hand,
    in card order."""

    points: int
    cards: int
    basra_cards: int
    clears: bool
    keeps: tuple[Card, ...]

    @property
    def leaves_no_basra(self) -> bool:
        """Can no card that the opponent may hold make a basra next?"""
        return not self.basra_cards


def reasons(observation: Observation, play: Play) -> Reasons:
    """What can be said about one of the viewer's legal plays.

    >>> from games.engine import PACK, Deal, observe
    >>> view = observe(Deal.start(PACK, dealer=0), seat=1)
    >>> reasons(view, Play.parse("Ac"))
    Reasons(points=0, cards=0, basra_cards=0, clears=False, keeps=())
    """
    points, cards = worth(observation.floor, play)
    left = observation.floor - play.capture if play.capture else observation.floor | {play.card}
    floor = packed(left)
    basra_cards = sum(
        count
        for kind, count in held(packed(possible(observation)))
        if any(way.points for way in WAYS[floor | kind])
    )
    keeps = sorted(
        card
        for card in observation.hand
        if card is not play.card and (card.rank == "J" or card is KOMI_CARD)
    )
    return Reasons(points, cards, basra_cards, not left, tuple(keeps))
