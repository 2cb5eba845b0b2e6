"""Texts that say the same over and over."""

import re
from collections.abc import Sequence

from games.filters.letters import plain

SAME_TEXT = 3  # times in a row
SAME_WORD = 6
SAME_LETTER = 12
_LETTERS = re.compile(rf"([^\W\d_])\1{{{SAME_LETTER - 1},}}")


def repeats(text: str, before: Sequence[str] = ()) -> bool:
    """Is it the third time that this is said, or one word or letter again and again?

    ``before`` is what was said just before, newest first.

    >>> repeats("hey", ["Hey!", "hey"]), repeats("hey", ["well", "hey", "hey"])
    (True, False)
    >>> repeats("go go go go go go"), repeats("aaaaaaaaaaaaaaah"), repeats("1000000000000000")
    (True, True, False)
    """
    said = _words(text)
    last = [_words(one) for one in before[: SAME_TEXT - 1]]
    if said and len(last) == SAME_TEXT - 1 and all(one == said for one in last):
        return True
    return _has_row(said) or bool(_LETTERS.search(" ".join(said)))


def _words(text: str) -> list[str]:
    letters = "".join(c if c.isalnum() else " " for c, _at in plain(text))
    return letters.split() or text.split()


def _has_row(words: list[str]) -> bool:
    row = 1
    for one, other in zip(words, words[1:], strict=False):
        row = row + 1 if one == other else 1
        if row >= SAME_WORD:
            return True
    return False
