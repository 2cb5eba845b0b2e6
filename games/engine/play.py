"""A play, a turn taken, and how they are written; does not know what is legal."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from games.engine.capture import Basra
from games.engine.cards import Card, parse_card, parse_cards, write_cards
from games.engine.errors import Malformed

Seat = Literal[0, 1]


class Play:
    """A card from the hand and the set of floor cards that it captures (rules, Playing a card).

    Written `6s`, or `6s:As,5d`. Two plays are equal if card and capture are.

    >>> play = Play.parse("6s:5d,As")
    >>> str(play), play == Play(parse_card("6s"), parse_cards("As,5d"))
    ('6s:As,5d', True)
    >>> Play(parse_card("6s"))
    Play('6s')
    """

    __slots__ = ("capture", "card")

    card: Card
    capture: frozenset[Card]

    def __init__(self, card: Card, capture: Iterable[Card] = frozenset()) -> None:
        object.__setattr__(self, "card", card)
        object.__setattr__(self, "capture", frozenset(capture))

    @classmethod
    def parse(cls, text: str) -> "Play":
        """The play written as `text`. Raises `Malformed`; legal or not is not looked at.

        >>> Play.parse("6s:")
        Traceback (most recent call last):
        games.engine.errors.Malformed: a play with a colon names what it captures
        """
        if not isinstance(text, str):
            raise Malformed(f"not a play: {type(text).__name__}")
        card, colon, capture = text.partition(":")
        if colon and not capture:
            raise Malformed("a play with a colon names what it captures")
        return cls(parse_card(card), parse_cards(capture))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a play cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a play cannot be changed")

    def __reduce__(self) -> tuple[type["Play"], tuple[Card, frozenset[Card]]]:
        return Play, (self.card, self.capture)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self.card is other.card and self.capture == other.capture

    def __hash__(self) -> int:
        return hash((self.card, self.capture))

    def __str__(self) -> str:
        return f"{self.card}:{write_cards(self.capture)}" if self.capture else str(self.card)

    def __repr__(self) -> str:
        return f"Play({str(self)!r})"


class Turn(NamedTuple):
    """A turn that was taken: whose, the play, and the kind of basra that it made.

    >>> turn = Turn(1, Play.parse("6s:2c,4d"), Basra.BASRA)
    >>> turn.seat, str(turn.play), turn.basra.points
    (1, '6s:2c,4d', 10)
    """

    seat: Seat
    play: Play
    basra: Basra
