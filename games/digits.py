"""Arabic-Indic digits, for who prefers them: the last thing that is done to a page, and the first
to what is typed."""

import re
import unicodedata

from django.utils.translation import get_language

LATIN, ARABIC = "0123456789", "٠١٢٣٤٥٦٧٨٩"
LEFT_TO_RIGHT = "\u200e"

_TABLE = str.maketrans(LATIN, ARABIC)
_TAG = re.compile(r"""<!--.*?-->|<[!/]?[a-zA-Z](?:"[^"]*"|'[^']*'|[^'">])*>""", re.S)
_NAME = re.compile(r"</?([a-zA-Z][\w-]*)")
_DIR = re.compile(r"""\sdir=["']?(\w+)""")
# An entity, or what is written on end: a number only if there is no letter in it. So "Nour7",
# "SHA-256" and an address of mail stay as they are.
_WORD = re.compile(r"&[#\w]+;|[0-9A-Za-z_@]+(?:[.:,\-\u2011][0-9A-Za-z_@]+)*")
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
}  # fmt: skip
_NEVER = {"code", "pre", "script", "style", "textarea", "kbd", "samp", "svg"}


def are_wanted(player: object) -> bool:
    """Does ``player`` read Arabic now, and wish its own digits?"""
    language = (get_language() or "").partition("-")[0]
    return language == "ar" and bool(getattr(player, "arabic_digits", False))


def latin(text: str) -> str:
    """What was typed, its digits of whatever script as 0 to 9.

    >>> latin("٤٥٦ ۴۵۶ 456")
    '456 456 456'
    """
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def written(text: str, order: str = "") -> str:
    """The numbers in ``text``, which has no tags, in Arabic-Indic digits.

    Such a number counts as right to left for what stands between it and the next one; ``order``
    put around it keeps "110–60" from being shown as "60–110".
    """

    def word(found: re.Match[str]) -> str:
        it = found.group()
        if it[0] == "&" or not re.fullmatch(r"[\d.:,-]+", it):
            return it
        it = re.sub(r"(?<=\d)\.(?=\d)", "٫", re.sub(r"(?<=\d),(?=\d{3})", "٬", it))
        if order:
            it = it.replace("-", f"{order}-{order}")
        return f"{order}{it.translate(_TABLE)}{order}"

    return _WORD.sub(word, text)


def in_page(html: str) -> str:
    """``html`` with the numbers of its text in Arabic-Indic digits.

    Attributes, code, cards, names (a ``bdi`` that leaves its direction to what is in it) and what
    is marked ``data-digits="latin"`` stay as they are.
    """
    out: list[str] = []
    open_tags: list[tuple[str, bool, str]] = []  # name, is it left alone, direction
    at = 0
    for found in _TAG.finditer(html):
        out.append(_text(html[at : found.start()], open_tags))
        at = found.end()
        tag = found.group()
        out.append(tag)
        if named := _NAME.match(tag):
            _follow(open_tags, named.group(1).lower(), tag)
    out.append(_text(html[at:], open_tags))
    return "".join(out)


def for_reader(html: str, player: object) -> str:
    """``html`` in the digits that ``player`` wants."""
    return in_page(html) if are_wanted(player) else html


def _text(text: str, open_tags: list[tuple[str, bool, str]]) -> str:
    if not open_tags:
        return written(text)
    _name, left_alone, direction = open_tags[-1]
    return text if left_alone else written(text, LEFT_TO_RIGHT if direction == "ltr" else "")


def _follow(open_tags: list[tuple[str, bool, str]], name: str, tag: str) -> None:
    if tag.startswith("</"):
        names = [other for other, _left_alone, _direction in open_tags]
        if name in names:
            del open_tags[len(names) - 1 - names[::-1].index(name) :]
        return
    if name in _VOID or tag.endswith("/>"):
        return
    _outer, left_alone, direction = open_tags[-1] if open_tags else ("", False, "")
    given = _DIR.search(tag)
    direction = given.group(1).lower() if given else direction
    if name in _NEVER or 'data-digits="latin"' in tag or (name == "bdi" and given is None):
        left_alone = True
    open_tags.append((name, left_alone, direction))
