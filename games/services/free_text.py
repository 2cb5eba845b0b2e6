"""What of a typed text is shown to others: one line of visible characters, without addresses.

Letters keep their marks and emoji their joiners; what cannot be seen, turns the direction of what
follows or piles marks up is dropped.
"""

import re
import unicodedata

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import filters
from games.services.errors import Refused

LONGEST = 140  # characters as people see them
STORED = 600  # code points: room for the marks and joiners of so many characters
_MARKS = 4  # that one letter keeps
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_BLANK_LETTERS = "\u034f\u115f\u1160\u2800\u3164\uffa0"  # invisible, though no category says so
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_SHADE = re.compile("[\U0001f3fb-\U0001f3ff]")  # of skin, on the emoji before it


def clean(text: str) -> str:
    """``text`` as others will see it. Raises ``Refused`` for nothing, too much, or a link.

    >>> clean("  well\\u202e  played\\x00 ")
    'well played'
    """
    shown = visible(text[: 4 * STORED])
    if not shown:
        raise Refused(_("There is nothing to say in it: type something first."))
    over = length(shown) - LONGEST
    if over > 0:
        raise Refused(
            ngettext(
                "That is %(n)s character too long: 140 can be sent.",
                "That is %(n)s characters too long: 140 can be sent.",
                over,
            )
            % {"n": over}
        )
    if len(shown) > STORED or len(text) > 4 * STORED:
        raise Refused(_("That is too long: 140 characters can be sent."))
    if filters.has_link(shown):
        raise Refused(
            _(
                "Links and addresses cannot be sent. If this is none, "
                "put a blank after each full stop."
            )
        )
    return shown


def visible(text: str) -> str:
    """``text`` in one line, composed, without what cannot be seen."""
    kept: list[str] = []
    marks = 0
    composed = unicodedata.normalize("NFC", text)
    for at, character in enumerate(composed):
        category = unicodedata.category(character)
        if category in ("Cc", "Zs", "Zl", "Zp"):
            character = " "
        elif category == "Cf":
            if not (kept and _joins(kept[-1], character, composed[at + 1 : at + 2])):
                continue
        elif category in ("Cs", "Co", "Cn") or character in _BLANK_LETTERS or _selects(character):
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= _MARKS:
            kept.append(character)
    return " ".join("".join(kept).split())


def length(text: str) -> int:
    """How many characters people see in ``text``: marks, shades and joined emoji don't count.

    >>> length("مُحَمَّد"), length("👩🏽\\u200d🚀 🇪🇬")
    (4, 3)
    """
    bare = _SHADE.sub("", _FLAG.sub("⚑", text))
    joined = re.sub(f"(?<=.){_ZWJ}(?=[^\\w\\s]).", "", bare)
    return sum(unicodedata.category(c) not in ("Mn", "Me", "Cf") for c in joined)


def _joins(before: str, character: str, after: str) -> bool:
    """Does a joiner stand where it belongs: between Arabic letters, or within an emoji?"""
    if character not in (_ZWNJ, _ZWJ) or not after:
        return False
    if _is_arabic(before) and _is_arabic(after):
        return True
    return character == _ZWJ and _is_picture(before) and _is_picture(after)


def _is_arabic(character: str) -> bool:
    return unicodedata.name(character, "").startswith("ARABIC")


def _is_picture(character: str) -> bool:
    return (
        unicodedata.category(character) == "So"
        or character == "\ufe0f"
        or bool(_SHADE.match(character))
    )


def _selects(character: str) -> bool:
    """Is it a selector of variants? Only the one that makes an emoji of a sign is of use."""
    return (
        "\ufe00" <= character < "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
        or "\u180b" <= character <= "\u180f"
    )
