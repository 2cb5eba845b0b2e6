"""The lists of words, a file for each language in ``data/``, and the tree to find them in.

A line of a list is an entry, or begins with a sign:

* ``word``: a whole word, with the language's beginnings and endings;
* ``word!``: a whole word, just so;
* ``word*``, ``*word``, ``*word*``: the word with anything after it, before it, around it;
* ``two words``: these words in a row, the last one with endings;
* ``(a|b|)`` within an entry: any of these; ``= S s 9``: the capital stands for any of these;
* ``< un re``, ``> s ing``: beginnings and endings; ``#``: a remark.

``allow.txt`` has what a listed word is no hit in: an entry covers whatever is found within it, and
``two words`` there also keep their halves from being read as one word.
"""

from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from re import split

from games.filters.letters import MASK, Run, Word, add, plain

DATA = Path(__file__).parent / "data"
LANGUAGES = ("en", "ar", "pt", "ru", "es", "af")
ALLOWED = "allow"
LONGEST = 32  # runs of letters in an entry
MOST_FORMS = 800  # of one line: each is kept in memory
_SHORTEST_MASKED = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to write a listed word. ``open_before`` and ``open_after``: anything may stand there;
    ``exact``: nothing may. ``times``: how often each letter has to stand there at least."""

    text: str
    language: str
    times: tuple[int, ...]
    open_before: bool = False
    open_after: bool = False
    exact: bool = False

    @property
    def letters(self) -> int:
        return len(self.text.replace(" ", ""))


@dataclass(slots=True)
class Node:
    """A place in the tree: what may follow, and the entries that end here."""

    further: dict[str, "Node"] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)

    def put(self, runs: Word, entry: Entry) -> None:
        node = self
        for run in runs:
            node = node.further.setdefault(run.letter, Node())
        if entry not in node.entries:
            node.entries.append(entry)


@dataclass(slots=True)
class Lists:
    """All lists: the tree of entries, the words with letters left out, what may stand before and
    after a word in each language, and the pairs of words that are two."""

    tree: Node = field(default_factory=Node)
    masked: dict[str, Entry] = field(default_factory=dict)
    before: dict[str, set[str]] = field(default_factory=dict)
    after: dict[str, set[str]] = field(default_factory=dict)
    pairs: set[str] = field(default_factory=set)
    beginnings: dict[str, set[str]] = field(default_factory=dict)  # all, by the first letter


@cache
def lists() -> Lists:
    """The lists as they are in the files."""
    made = Lists()
    for language in (*LANGUAGES, ALLOWED):
        made.before[language], made.after[language] = set(), set()
        _read(made, language)
        for beginning in made.before[language]:
            made.beginnings.setdefault(beginning[0], set()).add(beginning)
    return made


def forms(line: str, classes: dict[str, list[str]]) -> list[str]:
    """Every way to write what ``line`` says.

    >>> forms("S(a|)b", {"S": ["s", "9"]}), forms("(sh|S)ab", {"S": ["s", "9"]})
    (['sab', 'sb', '9ab', '9b'], ['shab', 'sab', '9ab'])
    """
    parts: list[list[str]] = []
    for piece in split(r"(\([^)]*\)|[A-Z])", line):
        if piece.startswith("("):
            parts.append([form for way in piece[1:-1].split("|") for form in forms(way, classes)])
        else:
            parts.append(classes.get(piece, [piece]))
    return ["".join(form) for form in product(*parts)]


def runs_of(text: str) -> Word:
    """The runs of a text that is plain already; a blank is one too."""
    word: Word = []
    for at, letter in enumerate(text):
        add(word, Run(letter, 1, at, at + 1))
    return word


def _read(made: Lists, language: str) -> None:
    classes: dict[str, list[str]] = {}
    for line in (DATA / f"{language}.txt").read_text("utf-8").splitlines():
        sign, _blank, rest = line.partition(" ")
        if sign == "=":
            letter, *written = rest.split()
            classes[letter] = written
        elif sign == "<":
            made.before[language] |= {_plain(word) for word in rest.split()}
        elif sign == ">":
            made.after[language] |= {_plain(word) for word in rest.split()}
        elif line and not line.startswith("#"):
            for form in forms(line, classes):
                _put(made, form, language)


def _put(made: Lists, form: str, language: str) -> None:
    text = _plain(form.strip("*!"))
    runs = runs_of(text)
    entry = Entry(
        text,
        language,
        tuple(run.times for run in runs),
        open_before=form.startswith("*"),
        open_after=form.endswith("*"),
        exact=form.endswith("!"),
    )
    made.tree.put(runs, entry)
    if language == ALLOWED:
        made.pairs.add(text)
    elif " " not in text and len(text) >= _SHORTEST_MASKED:
        for masked in _masked(text):
            made.masked.setdefault(masked, entry)


def _plain(form: str) -> str:
    return "".join(letter for letter, _at in plain(form))


def _masked(text: str) -> set[str]:
    """``text`` with one letter left out, or all vowels, or all but the first and the last."""
    inner = range(1, len(text) - 1)
    one = {text[:at] + MASK + text[at + 1 :] for at in inner}
    vowels = text[0] + "".join(MASK if text[at] in "aeiou" else text[at] for at in inner) + text[-1]
    return one | {vowels, text[0] + MASK * len(inner) + text[-1]} - {text}
