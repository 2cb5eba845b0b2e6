"""Letters as they are meant, however they are written.

``plain`` folds case, width, marks, stretching and what cannot be seen; ``readings`` gives the ways
in which what is left can be read: as it stands, with digits and signs for letters, and with the
letters of one alphabet for those of another that look alike.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

Plain = list[tuple[str, int]]  # characters, each with its place in the text

_BLANK_LETTERS = "\u034f\u115f\u1160\u2800\u3164\uffa0\u0640"  # not seen; and the Arabic stretch
_WIDEST = 4  # letters in one character: some signs stand for a whole blessing
_TILDE = "\u0303"  # the one mark that makes another letter of it: año is no ano
_ARABIC = str.maketrans("ٱىةکیګگپڤچژھہۀۃے", "ايهكيككبفجزههههي")
_JOINED = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
_DIGITS = "0123456789"
MASK = "*"  # stands for a letter that was left out, where it is inside a word
_MASKS = "*#%"

_SIGNS = "0o 1i 2z 3e 4a 5s 6g 7t 8b 9g @a $s €e £l !i |i +t"
_LEET = {pair[0]: pair[1] for pair in _SIGNS.split()}
_LEET_L = {**_LEET, "1": "l", "|": "l", "!": "l"}
_SIGNS_AT_EITHER_END = "@$€£"  # the others are letters only inside a word
_LATIN = "аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy хx үy һh ԁd ԛq ԝw ьb гr єe ғf иu пn"
_GREEK = "αa βb εe ηn ιi κk νv οo ρp τt υu χx γy"
_TO_LATIN = dict(f"{_LATIN} {_GREEK} օo սu ցg հh".split())
_CYRILLIC = "aа bв cс eе gд hн iи kк mм nп oо pр rг tт uи xх yу 6б 3з 4ч 0о іи ѕс јй"
_TO_CYRILLIC = dict(_CYRILLIC.split())


@dataclass(frozen=True, slots=True)
class Run:
    """A letter, how often it stands there in a row, and where in the text that begins and ends."""

    letter: str
    times: int
    start: int
    end: int


Word = list[Run]


def plain(text: str) -> Plain:
    """``text`` without case, width, marks, stretching, and what cannot be seen.

    >>> "".join(letter for letter, _at in plain("ＦÜ\\u200bß شَـتْم"))
    'fuss شتم'
    """
    kept: Plain = []
    for at, character in enumerate(text):
        whole = unicodedata.normalize("NFKC", character)[:_WIDEST].casefold().translate(_JOINED)
        for part in unicodedata.normalize("NFKD", whole).translate(_ARABIC):
            category = unicodedata.category(part)
            if part == _TILDE and kept and kept[-1][0] == "n":
                kept[-1] = ("ñ", kept[-1][1])
            elif category in ("Mn", "Me", "Mc", "Cf") or part in _BLANK_LETTERS:
                continue
            elif category == "Nd":
                kept.append((str(unicodedata.digit(part)), at))
            else:
                kept.append((part, at))
    return kept


def readings(text: str) -> Iterator[list[Word]]:
    """The words of ``text``, once for each way to read it; at most five ways."""
    typed = plain(text)
    mixed = _mixed(typed)
    seen: set[str] = set()
    for way in (_as_typed, _leet, _leet_l, _latin, _cyrillic):
        by_twins = way in (_latin, _cyrillic)
        read = [
            ((way if not by_twins or place in mixed else _as_typed)(typed, place), at)
            for place, (_letter, at) in enumerate(typed)
        ]
        key = "".join(letter for letter, _at in read)
        if key not in seen:
            seen.add(key)
            yield _words(read)


def _mixed(typed: Plain) -> set[int]:
    """The places of the words that are not of one alphabet: there alone letters may be twins.

    A word of Russian letters that looks like a Latin one is Russian: как.
    """
    mixed: set[int] = set()
    word: list[int] = []
    scripts: set[str] = set()
    for place in range(len(typed) + 1):
        script = _script(typed[place][0]) if place < len(typed) else ""
        if script:
            word.append(place)
            scripts.add(script)
            continue
        if len(scripts) > 1 or "other" in scripts:
            mixed.update(word)
        word, scripts = [], set()
    return mixed


def _script(letter: str) -> str:
    if "a" <= letter <= "z":
        return "latin"
    if "а" <= letter <= "я":
        return "russian"
    if letter in _DIGITS or letter in _LEET:
        return "digit"
    return "other" if "\u0370" <= letter <= "\u058f" else ""


def _as_typed(typed: Plain, place: int) -> str:
    letter = typed[place][0]
    if letter in _MASKS:
        return MASK if _is_inside(typed, place, _MASKS) else " "
    return letter if letter.isalpha() or letter in _DIGITS else " "


def _leet(typed: Plain, place: int, table: dict[str, str] = _LEET) -> str:
    letter = typed[place][0]
    if letter not in table:
        return _as_typed(typed, place)
    if letter in _DIGITS or letter in _SIGNS_AT_EITHER_END or _is_inside(typed, place):
        return table[letter]
    return " "


def _leet_l(typed: Plain, place: int) -> str:
    return _leet(typed, place, _LEET_L)


def _latin(typed: Plain, place: int) -> str:
    read = _leet(typed, place)
    return _TO_LATIN.get(read, read)


def _cyrillic(typed: Plain, place: int) -> str:
    letter = typed[place][0]
    return _TO_CYRILLIC.get(letter) or _as_typed(typed, place)


def _is_inside(typed: Plain, place: int, among: str = "") -> bool:
    """Is there a letter, a digit or one of ``among`` on both sides?"""
    around = typed[place - 1 : place] + typed[place + 1 : place + 2]
    return place > 0 and len(around) == 2 and all(c.isalnum() or c in among for c, _at in around)


def _words(read: Plain) -> list[Word]:
    words: list[Word] = [[]]
    for letter, at in read:
        if letter == " ":
            if words[-1]:
                words.append([])
        else:
            add(words[-1], Run(letter, 1, at, at + 1))
    return [word for word in words if word]


def add(word: Word, run: Run) -> None:
    """Put ``run`` at the end of ``word``: two of the same letter are one longer run."""
    if word and word[-1].letter == run.letter:
        last = word[-1]
        word[-1] = Run(run.letter, last.times + run.times, last.start, run.end)
    else:
        word.append(run)
