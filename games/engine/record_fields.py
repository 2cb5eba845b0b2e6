"""Reading the fields of a record from somewhere: each has the asked form, or is `Tampered`."""

from typing import Any

from games.engine.cards import Card, parse_card
from games.engine.errors import Malformed, RulesError
from games.engine.play import Seat

_LONGEST_SHOWN = 200


class Tampered(RulesError):
    """The item of a record that fails first: `where` as a JSON path, what was `found` there and
    what was `expected`: a value, or a description of what may stand there.

    >>> str(Tampered("deals[0].pack[13]", "6s", "Kd"))
    "deals[0].pack[13]: found '6s', expected 'Kd'"
    """

    def __init__(self, where: str, found: object, expected: object, hint: str = "") -> None:
        self.where = where
        self.found = found
        self.expected = expected
        self.hint = hint
        described = isinstance(expected, str) and " " in expected
        wanted = expected if described else shown(expected)
        super().__init__(
            f"{where or 'record'}: found {shown(found)}, expected {wanted}"
            + (f" ({hint})" if hint else "")
        )

    def __reduce__(self) -> tuple[type["Tampered"], tuple[str, object, object, str]]:
        return Tampered, (self.where, self.found, self.expected, self.hint)


def shown(value: object) -> str:
    """The value for a message, cut short; values that cannot be written are described.

    >>> shown(["7d"]), shown(10**9000), len(shown("x" * 1000))
    ("['7d']", 'a int that is too large to show', 200)
    """
    try:
        text = ascii(value)
    except (ValueError, RecursionError):
        return f"a {type(value).__name__} that is too large to show"
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "~"


def path(where: str, name: str) -> str:
    """The path of the field `name` of what stands at `where`.

    >>> path("", "deals"), path("deals[0]", "pack")
    ('deals', 'deals[0].pack')
    """
    return f"{where}.{name}" if where else name


def field(holder: object, name: str, where: str) -> Any:
    """The field `name` of the object at `where`, of any form.

    >>> field({}, "match", "")
    Traceback (most recent call last):
    games.engine.record_fields.Tampered: match: found nothing, expected the field 'match'
    """
    if not isinstance(holder, dict):
        raise Tampered(where, holder, "an object with fields")
    if name not in holder:
        raise Tampered(path(where, name), _NOTHING, f"the field {name!r}")
    return holder[name]


def text_at(holder: object, name: str, where: str) -> str:
    """The string in the field `name`."""
    value = field(holder, name, where)
    if not isinstance(value, str):
        raise Tampered(path(where, name), value, "a string of characters")
    return value


def number_at(holder: object, name: str, where: str) -> int:
    """The whole number in the field `name`; true and false are none."""
    value = field(holder, name, where)
    if type(value) is not int:
        raise Tampered(path(where, name), value, "a whole number")
    return value


def seat_at(holder: object, name: str, where: str) -> Seat:
    """The seat in the field `name`."""
    value = field(holder, name, where)
    if type(value) is not int or value not in (0, 1):
        raise Tampered(path(where, name), value, "a seat, 0 or 1")
    return 0 if value == 0 else 1


def list_at(holder: object, name: str | int, where: str, length: int | None = None) -> list[Any]:
    """The list in the field, or at the place, `name`; of `length` items if that is given."""
    if isinstance(name, int):
        at, value = f"{where}[{name}]", holder[name] if isinstance(holder, list) else None
    else:
        at, value = path(where, name), field(holder, name, where)
    if not isinstance(value, list):
        raise Tampered(at, value, "a list of items")
    if length is not None and len(value) != length:
        raise Tampered(at, f"{len(value)} items", f"{length} items")
    return value


def counts_at(holder: object, name: str, where: str) -> tuple[int, int]:
    """The two numbers of points in the field `name`."""
    values = list_at(holder, name, where, 2)
    for place, value in enumerate(values):
        if type(value) is not int or value < 0:
            raise Tampered(f"{path(where, name)}[{place}]", value, "a number of points")
    return values[0], values[1]


def card_at(cards: list[Any], place: int, where: str) -> Card:
    """The card at a place of the list at `where`."""
    try:
        return parse_card(cards[place])
    except Malformed:
        raise Tampered(f"{where}[{place}]", cards[place], "a card such as 7d") from None


class _Nothing:
    """What is found where a field is missing."""

    def __repr__(self) -> str:
        return "nothing"

    def __reduce__(self) -> str:
        return "_NOTHING"


_NOTHING = _Nothing()
