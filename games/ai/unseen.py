"""What a player that remembers every open card can know of the hidden ones.

Rules, What is open, what is shut: a house player remembers every play that was made openly.
"""

from games.engine import PACK, Card, Observation

_LAST_BATCH = 6


def unseen(observation: Observation) -> tuple[Card, ...]:
    """The cards in the other hand and in the stock, in card order: the pack without the own hand
    and all that was dealt or played openly.

    A card put under the stock was seen, but is hidden now: it is among them.

    >>> from games.engine import Deal, observe
    >>> cards = unseen(observe(Deal.start(PACK, dealer=0), seat=1))
    >>> len(cards), str(cards[0])
    (44, '2c')
    """
    seen = observation.opening | observation.hand
    return tuple(c for c in PACK if c not in seen.union(t.play.card for t in observation.history))


def possible(observation: Observation) -> tuple[Card, ...]:
    """The cards that the opponent may hold now, in card order.

    The unseen ones, without those put under the stock while they cannot have come out yet: they
    are the last of the stock. In the last batch it is exactly the opponent's hand.

    >>> from games.engine import Deal, observe, parse_card
    >>> misfit = [c for c in PACK if c.rank == "J"] + [c for c in PACK if c.rank != "J"]
    >>> deal = Deal.start(misfit[8:] + misfit[:8], dealer=0)
    >>> deal.under, len(possible(observe(deal, seat=1)))
    ((), 44)
    """
    hidden = unseen(observation)
    if observation.batch == _LAST_BATCH:
        return hidden
    return tuple(card for card in hidden if card not in observation.under)
