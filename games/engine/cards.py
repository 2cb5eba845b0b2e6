"""Cards and the ordered pack; knows nothing of play.

There are exactly 52 `Card` objects in a process; equal cards are the same object, so comparing
and hashing are cheap and a card can stand in any set or key.
"""

from collections.abc import Callable, Iterable
from typing import NoReturn

from games.engine.errors import Malformed

RANKS = "A23456789TJQK"
SUITS = "cdhs"


class Card:
    """A card of the French pack: a rank of `A23456789TJQK` and a suit of `cdhs`.

    Cards are ordered by rank, ace to king, then by suit, c d h s: the order in which the product
    writes several. `Card(rank, suit)` gives the one object for that card and raises `Malformed`
    if there is none; `index` is its place in the ordered pack, 0 to 51; `value` is the worth in
    sums (ace 1 … ten 10), or `None` for jack, queen and king.

    >>> Card("7", "d")
    Card('7d')
    >>> Card("7", "d") is parse_card("7d")
    True
    >>> [str(card) for card in sorted(map(parse_card, ["Kc", "Ts", "Ah", "Td", "Ac"]))]
    ['Ac', 'Ah', 'Td', 'Ts', 'Kc']
    >>> parse_card("Ts").value, parse_card("As").value, parse_card("Js").value
    (10, 1, None)
    """

    __slots__ = ("_text", "index", "rank", "suit", "value")

    _text: str
    index: int
    rank: str
    suit: str
    value: int | None

    def __new__(cls, rank: str, suit: str) -> "Card":
        return parse_card(f"{rank}{suit}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a card cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a card cannot be changed")

    def __reduce__(self) -> tuple[Callable[[str], "Card"], tuple[str]]:
        return parse_card, (self._text,)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card({self._text!r})"

    def __hash__(self) -> int:
        # By place, not by address: the order of a set of cards is the same in every process.
        return self.index

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __le__(self, other: "Card") -> bool:
        return self.index <= other.index if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: "Card") -> bool:
        return self.index > other.index if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: "Card") -> bool:
        return self.index >= other.index if isinstance(other, Card) else NotImplemented


def _pack() -> tuple[Card, ...]:
    cards: list[Card] = []
    for rank in RANKS:
        for suit in SUITS:
            card = object.__new__(Card)
            place = RANKS.index(rank)
            object.__setattr__(card, "_text", rank + suit)
            object.__setattr__(card, "index", len(cards))
            object.__setattr__(card, "rank", rank)
            object.__setattr__(card, "suit", suit)
            object.__setattr__(card, "value", place + 1 if place < 10 else None)
            cards.append(card)
    return tuple(cards)


PACK: tuple[Card, ...] = _pack()
"""The ordered pack, `Ac Ad Ah As 2c … Ks`, from which a shuffle starts."""

_BY_TEXT = {str(card): card for card in PACK}


def parse_card(text: str) -> Card:
    """The card written as `text`, rank then suit. Raises `Malformed` for anything else.

    >>> parse_card("7d") is KOMI
    True
    >>> str(parse_card("Th"))
    'Th'
    """
    card = _BY_TEXT.get(text) if isinstance(text, str) else None
    if card is None:
        shown = repr(text[:20]) if isinstance(text, str) else type(text).__name__
        raise Malformed(f"not a card: {shown}")
    return card


def parse_cards(text: str) -> frozenset[Card]:
    """A set of cards written with commas between, in any order; '' is the empty set.

    Raises `Malformed` for what is no card and for a card that stands twice.

    >>> sorted(parse_cards("5d,As"))
    [Card('As'), Card('5d')]
    >>> parse_cards("")
    frozenset()
    """
    if not isinstance(text, str):
        raise Malformed(f"not a list of cards: {type(text).__name__}")
    listed = [parse_card(part) for part in text.split(",")] if text else []
    cards = frozenset(listed)
    if len(cards) != len(listed):
        raise Malformed("a card stands twice in a list of cards")
    return cards


def write_cards(cards: Iterable[Card]) -> str:
    """The cards in their order with commas between, as `parse_cards` reads them.

    >>> write_cards(map(parse_card, ["5d", "As"]))
    'As,5d'
    """
    return ",".join(map(str, sorted(cards)))


KOMI: Card = parse_card("7d")
"""The seven of diamonds (rules, Terms)."""
