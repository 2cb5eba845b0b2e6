"""A deal: one pass through the pack, from the set-up to the last card (rules, A deal).

A `Deal` is a value; playing gives another one. It holds everything, hidden cards too, so only the
write path may hold one: whoever looks gets `observe(deal, seat)`. Nothing here draws at random,
reads a clock or stores: the shuffled pack is passed in.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from games.engine.capture import Basra, basra, captures
from games.engine.cards import KOMI, PACK, Card, parse_card
from games.engine.errors import Illegal, Malformed, NotNow
from games.engine.play import Play, Seat, Turn

HAND = 4
PLAYS_IN_A_BATCH = 2 * HAND
PLAYS_IN_A_DEAL = 48
BATCHES = PLAYS_IN_A_DEAL // PLAYS_IN_A_BATCH

_TEXT_VERSION = "1"
_WHOLE_PACK = frozenset(PACK)
_NO_CARDS: frozenset[Card] = frozenset()
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """One deal at one moment. Pairs are by seat, 0 then 1.

    `pack` is the pack as dealt, index 0 the top; `under` are the jacks and the komi that the
    set-up put under the stock, in that order; `opening` is the floor after the set-up; `stock` is
    what is undealt, top first; `dealt` are the hands as dealt in this batch, in dealing order;
    `crosswise` are the cards that made a basra, in playing order; `basras` counts the plain ones
    and `jack_basras` the others; `last_capture` is the seat that captured last; `swept` is what
    the end of the deal gave it (rule 5); `history` has every turn taken.

    >>> deal = Deal.start(PACK, dealer=0)
    >>> deal.turn, deal.over, deal.batch, len(deal.stock), sorted(deal.floor)
    (1, False, 1, 40, [Card('3c'), Card('3d'), Card('3h'), Card('3s')])
    >>> deal = deal.play(Play.parse("Ac"), seat=1)
    >>> deal.turn, len(deal.floor), len(deal.hands[1])
    (0, 5, 3)
    """

    pack: tuple[Card, ...]
    dealer: Seat
    under: tuple[Card, ...]
    opening: frozenset[Card]
    stock: tuple[Card, ...]
    dealt: tuple[tuple[Card, ...], tuple[Card, ...]]
    hands: tuple[frozenset[Card], frozenset[Card]]
    floor: frozenset[Card]
    piles: tuple[frozenset[Card], frozenset[Card]] = (_NO_CARDS, _NO_CARDS)
    crosswise: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    basras: tuple[int, int] = (0, 0)
    jack_basras: tuple[int, int] = (0, 0)
    last_capture: Seat | None = None
    swept: frozenset[Card] = _NO_CARDS
    history: tuple[Turn, ...] = ()

    @classmethod
    def start(cls, pack: Iterable[Card], dealer: int) -> "Deal":
        """The deal of `pack` by the seat `dealer`, set up as rules, A deal 1 and 2 say.

        Raises `Malformed` if the pack is not the 52 cards, or the dealer not a seat.

        >>> Deal.start(PACK[:51], dealer=0)
        Traceback (most recent call last):
        games.engine.errors.Malformed: a pack is the 52 cards, each once
        """
        cards = tuple(pack)
        if not all(isinstance(card, Card) for card in cards):
            raise Malformed("a pack is made of cards")
        if len(cards) != len(PACK) or frozenset(cards) != _WHOLE_PACK:
            raise Malformed("a pack is the 52 cards, each once")
        seat = _seat(dealer)
        floor, stock, under = list(cards[8:12]), list(cards[12:]), []
        for place in range(HAND):
            while floor[place].rank == "J" or floor[place] is KOMI:
                under.append(floor[place])
                stock.append(floor[place])
                floor[place] = stock.pop(0)
        dealt = _by_seat(seat, leads=cards[:4], deals=cards[4:8])
        return cls(
            pack=cards,
            dealer=seat,
            under=tuple(under),
            opening=frozenset(floor),
            stock=tuple(stock),
            dealt=dealt,
            hands=(frozenset(dealt[0]), frozenset(dealt[1])),
            floor=frozenset(floor),
        )

    @classmethod
    def replay(cls, pack: Iterable[Card], dealer: int, plays: Iterable[Play]) -> "Deal":
        """The deal after `plays`, each of them checked. Raises as `start` and `play` do.

        >>> Deal.replay(PACK, 0, [Play.parse("Ac"), Play.parse("2c")]).turn
        1
        """
        deal = cls.start(pack, dealer)
        for play in plays:
            deal = deal.play(play)
        return deal

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; `None` when the deal is over (rules, A deal 3)."""
        plays = len(self.history)
        if plays == PLAYS_IN_A_DEAL:
            return None
        return self.dealer if plays % 2 else _other(self.dealer)

    @property
    def over(self) -> bool:
        """Whether all 48 cards have been played."""
        return len(self.history) == PLAYS_IN_A_DEAL

    @property
    def batch(self) -> int:
        """Which batch is being played, 1 to 6; 6 also when the deal is over."""
        return min(len(self.history) // PLAYS_IN_A_BATCH + 1, BATCHES)

    @property
    def pile_counts(self) -> tuple[int, int]:
        """How many cards each pile holds."""
        return len(self.piles[0]), len(self.piles[1])

    def legal(self) -> tuple[Play, ...]:
        """Every legal play of the seat whose turn it is: by card, then in display order.

        Empty when the deal is over.

        >>> [str(play) for play in Deal.start(PACK, dealer=0).legal()]
        ['Ac', 'Ad', 'Ah', 'As']
        """
        if self.turn is None:
            return ()
        return legal_plays(self.hands[self.turn], self.floor)

    def play(self, play: Play, seat: int | None = None) -> "Deal":
        """The deal after `play` and what follows it by itself (rules, A deal 4 and 5).

        Checks legality; this deal stays as it is. `seat`, if given, is who wants to play. Raises
        `NotNow` if the deal is over or it is not that seat's turn, `Illegal` if the card is not
        in the hand or the capture is not a maximal one of this card.

        >>> deal = Deal.start(PACK, dealer=0)
        >>> deal.play(Play.parse("Ac:3c"))
        Traceback (most recent call last):
        games.engine.errors.Illegal: Ac:3c does not take what Ac must take
        """
        turn = self.turn
        if turn is None:
            raise NotNow("the deal is over")
        if seat is not None and seat != turn:
            raise NotNow(f"it is not the turn of seat {seat}")
        if play.card not in self.hands[turn]:
            raise Illegal(f"{play.card} is not in the hand")
        if play.capture not in captures(self.floor, play.card):
            raise Illegal(f"{play} does not take what {play.card} must take")
        return self._after(play, turn)

    def text(self) -> str:
        """The whole deal, hidden cards too, in one line that `parse` reads back.

        It is version, dealer, pack and plays; the rest follows from them. Secret while the deal
        runs.

        >>> deal = Deal.start(PACK, dealer=0).play(Play.parse("Ac"))
        >>> Deal.parse(deal.text()) == deal
        True
        """
        pack = "".join(map(str, self.pack))
        plays = " ".join(str(turn.play) for turn in self.history)
        return f"{_TEXT_VERSION};{self.dealer};{pack};{plays}"

    @classmethod
    def parse(cls, text: str) -> "Deal":
        """The deal that `text()` wrote. Raises `Malformed`, without naming a card.

        For texts of our own: it checks that each card was in the hand and what it took on the
        floor, but does not search whether the capture was maximal, so it is fast. `replay` does.

        >>> Deal.parse("1;0;;")
        Traceback (most recent call last):
        games.engine.errors.Malformed: not a deal: a pack is the 52 cards, each once
        """
        parts = text.split(";") if isinstance(text, str) else []
        if len(parts) != 4 or parts[0] != _TEXT_VERSION or parts[1] not in ("0", "1"):
            raise Malformed("not a deal: version, dealer, pack and plays are expected")
        pack, plays = parts[2], parts[3].split(" ") if parts[3] else []
        try:
            cards = [parse_card(pack[i : i + 2]) for i in range(0, len(pack), 2)]
            read = [Play.parse(play) for play in plays]
        except Malformed:
            raise Malformed("not a deal: a card is badly written") from None
        try:
            deal = cls.start(cards, int(parts[1]))
        except Malformed as error:
            raise Malformed(f"not a deal: {error}") from None
        for number, play in enumerate(read, 1):
            turn = deal.turn
            if turn is None or play.card not in deal.hands[turn] or not play.capture <= deal.floor:
                raise Malformed(f"not a deal: play {number} cannot be")
            deal = deal._after(play, turn)
        return deal

    def __repr__(self) -> str:
        floor = " ".join(map(str, sorted(self.floor)))
        return (
            f"<Deal by seat {self.dealer}: {len(self.history)} plays, turn {self.turn}, "
            f"floor [{floor}], stock {len(self.stock)}>"
        )

    def _after(self, play: Play, seat: Seat) -> "Deal":
        """The deal after a play that is known to be legal."""
        card, capture = play.card, play.capture
        kind = basra(self.floor, card, capture) if capture else Basra.NONE
        floor, piles, last = self.floor, self.piles, self.last_capture
        if capture:
            floor = floor - capture
            piles = _with(piles, seat, piles[seat] | capture | {card})
            last = seat
        else:
            floor = floor | {card}
        crosswise, basras, jack_basras = self.crosswise, self.basras, self.jack_basras
        if kind is not Basra.NONE:
            crosswise = _with(crosswise, seat, (*crosswise[seat], card))
            if kind is Basra.JACK:
                jack_basras = _with(jack_basras, seat, jack_basras[seat] + 1)
            else:
                basras = _with(basras, seat, basras[seat] + 1)
        hands, dealt, stock = (
            _with(self.hands, seat, self.hands[seat] - {card}),
            self.dealt,
            self.stock,
        )
        swept = _NO_CARDS
        if not hands[0] and not hands[1]:
            if stock:
                dealt = _by_seat(self.dealer, leads=stock[:4], deals=stock[4:8])
                hands = frozenset(dealt[0]), frozenset(dealt[1])
                stock = stock[8:]
            elif last is not None:
                swept, floor = floor, _NO_CARDS
                piles = _with(piles, last, piles[last] | swept)
        return replace(
            self,
            stock=stock,
            dealt=dealt,
            hands=hands,
            floor=floor,
            piles=piles,
            crosswise=crosswise,
            basras=basras,
            jack_basras=jack_basras,
            last_capture=last,
            swept=swept,
            history=(*self.history, Turn(seat, play, kind)),
        )


def legal_plays(hand: Iterable[Card], floor: Iterable[Card]) -> tuple[Play, ...]:
    """Every play out of `hand` on `floor`: by card, then in display order of its captures."""
    cards = frozenset(floor)
    return tuple(Play(card, capture) for card in sorted(hand) for capture in captures(cards, card))


def _seat(number: int) -> Seat:
    if type(number) is int and number == 0:
        return 0
    if type(number) is int and number == 1:
        return 1
    raise Malformed("a seat is 0 or 1")


def _other(seat: Seat) -> Seat:
    return 1 if seat == 0 else 0


def _by_seat(
    dealer: Seat, leads: tuple[Card, ...], deals: tuple[Card, ...]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards dealt to the non-dealer and to the dealer, by seat."""
    return (leads, deals) if dealer == 1 else (deals, leads)


def _with(pair: tuple[_T, _T], seat: Seat, new: _T) -> tuple[_T, _T]:
    return (new, pair[1]) if seat == 0 else (pair[0], new)
