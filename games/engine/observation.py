"""What one viewer may see of a deal, built up from nothing (rules, What is open, what is shut).

Nothing here takes secrets out of a whole: each field is put in because it is open. Pages, frames
and house players get this, never a `Deal`.
"""

from dataclasses import dataclass

from games.engine.cards import Card
from games.engine.deal import Deal, legal_plays
from games.engine.errors import Malformed
from games.engine.play import Play, Seat, Turn


@dataclass(frozen=True, slots=True, repr=False)
class Observation:
    """A deal as one seat sees it, or a watcher (`seat` is `None`). Pairs are by seat, 0 then 1.

    For the table: `hand` is the own hand (a watcher's is empty) and `slots` the same in dealing
    order, with `None` where a card has been played (a watcher has no slots); `floor`; `turn`
    (`None` when `over`); `batch`; `hand_counts`, `stock_count`, `pile_counts`; `basras` (without
    the jack basras) and `jack_basras`, numbers; `crosswise`, the cards that made them, in
    playing order; `last_capture`, the seat; `under`, the cards put under the stock; `swept_count`,
    how many cards the end gave to `last_capture`; `last_plays`, the last turn of each seat.

    For a house player's memory only, never for the table while the match runs: `opening`, the
    floor after the set-up, and `history`, every turn of this deal.

    >>> from games.engine.cards import PACK
    >>> seen = observe(Deal.start(PACK, dealer=0).play(Play.parse("Ac")), seat=None)
    >>> seen.turn, seen.hand_counts, seen.stock_count, seen.last_plays[1].play
    (0, (4, 3), 40, Play('Ac'))
    """

    seat: Seat | None
    dealer: Seat
    turn: Seat | None
    over: bool
    batch: int
    hand: frozenset[Card]
    slots: tuple[Card | None, ...]
    floor: frozenset[Card]
    hand_counts: tuple[int, int]
    stock_count: int
    pile_counts: tuple[int, int]
    basras: tuple[int, int]
    jack_basras: tuple[int, int]
    crosswise: tuple[tuple[Card, ...], tuple[Card, ...]]
    last_capture: Seat | None
    under: tuple[Card, ...]
    swept_count: int
    last_plays: tuple[Turn | None, Turn | None]
    opening: frozenset[Card]
    history: tuple[Turn, ...]

    def __repr__(self) -> str:
        floor = " ".join(map(str, sorted(self.floor)))
        return (
            f"<Observation by {'a watcher' if self.seat is None else f'seat {self.seat}'}: "
            f"{len(self.history)} plays, turn {self.turn}, floor [{floor}], "
            f"stock {self.stock_count}>"
        )


def observe(deal: Deal, seat: int | None) -> Observation:
    """What the seat, or a watcher (`None`), may see of the deal. `Malformed` if it is no seat.

    >>> from games.engine.cards import PACK
    >>> deal = Deal.start(PACK, dealer=0)
    >>> sorted(observe(deal, 1).hand)
    [Card('Ac'), Card('Ad'), Card('Ah'), Card('As')]
    >>> observe(deal, None).hand, observe(deal, None).hand_counts
    (frozenset(), (4, 4))
    >>> observe(deal, 0)
    <Observation by seat 0: 0 plays, turn 1, floor [3c 3d 3h 3s], stock 40>
    """
    viewer: Seat | None = None
    hand: frozenset[Card] = frozenset()
    slots: tuple[Card | None, ...] = ()
    if type(seat) is int and seat in (0, 1):
        viewer = 0 if seat == 0 else 1
        hand = deal.hands[viewer]
        slots = tuple(card if card in hand else None for card in deal.dealt[viewer])
    elif seat is not None:
        raise Malformed("a viewer is seat 0, seat 1 or None")
    return Observation(
        seat=viewer,
        dealer=deal.dealer,
        turn=deal.turn,
        over=deal.over,
        batch=deal.batch,
        hand=hand,
        slots=slots,
        floor=deal.floor,
        hand_counts=(len(deal.hands[0]), len(deal.hands[1])),
        stock_count=len(deal.stock),
        pile_counts=deal.pile_counts,
        basras=deal.basras,
        jack_basras=deal.jack_basras,
        crosswise=deal.crosswise,
        last_capture=deal.last_capture,
        under=deal.under,
        swept_count=len(deal.swept),
        last_plays=(_last(deal.history, 0), _last(deal.history, 1)),
        opening=deal.opening,
        history=deal.history,
    )


def legal(observation: Observation) -> tuple[Play, ...]:
    """Every legal play of the viewer, as `Deal.legal` has them; empty if it is not its turn.

    >>> from games.engine.cards import PACK
    >>> deal = Deal.start(PACK, dealer=0)
    >>> legal(observe(deal, 1)) == deal.legal(), legal(observe(deal, 0)), legal(observe(deal, None))
    (True, (), ())
    """
    if observation.seat is None or observation.seat != observation.turn:
        return ()
    return legal_plays(observation.hand, observation.floor)


def _last(history: tuple[Turn, ...], seat: Seat) -> Turn | None:
    return next((turn for turn in reversed(history[-2:]) if turn.seat == seat), None)
