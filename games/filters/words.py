"""Insults in a text: listed words, however they are written, spaced or broken in two."""

from collections.abc import Iterator

from games.filters.hit import Hit, HitKind
from games.filters.letters import MASK, Run, Word, add, readings
from games.filters.lists import ALLOWED, LONGEST, Entry, Lists, Node, lists

_SPACED = 3  # single letters in a row that are read as one word
_SHORTEST_SPACED, _SHORTEST_BROKEN = 3, 4  # letters of a word found so
_LONGEST_AFFIX = 6

Span = tuple[int, int, Entry]


def insults(text: str) -> list[Hit]:
    """The listed words in ``text``, each place once, in their order."""
    known = lists()
    found: dict[tuple[int, int], Entry] = {}
    for words in readings(text):
        for start, end, entry in _without_allowed(_found(words, known)):
            found.setdefault((start, end), entry)
    return [
        Hit(HitKind.INSULT, text[start:end], start, end, entry.text, entry.language)
        for (start, end), entry in sorted(_outermost(found).items())
    ]


def _outermost(found: dict[tuple[int, int], Entry]) -> dict[tuple[int, int], Entry]:
    """Those that lie in no other."""
    kept: dict[tuple[int, int], Entry] = {}
    furthest = -1
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if end > furthest:
            kept[start, end] = found[start, end]
            furthest = end
    return kept


def _found(words: list[Word], known: Lists) -> Iterator[Span]:
    line, begins = _line(words)
    for begin, word in zip(begins, words, strict=True):
        yield from _in_word(line, begin, begin + len(word), known)
        yield from _left_out(word, known)
    yield from _spaced(words, known)
    yield from _broken(words, known)


def _line(words: list[Word]) -> tuple[Word, list[int]]:
    """The words in one row with a blank after each, and where in it each begins."""
    line: Word = []
    begins = []
    for word in words:
        begins.append(len(line))
        line += [*word, Run(" ", 1, word[-1].end, word[-1].end)]
    return line, begins


def _in_word(line: Word, begin: int, end: int, known: Lists) -> Iterator[Span]:
    """What begins in the word from ``begin`` to ``end``; entries of several words go beyond it."""
    starts = {begin: {""}}
    for beginning in known.beginnings.get(line[begin].letter, ()):
        at = begin + len(beginning)  # no beginning has a letter twice in a row
        if at < end and _reads(line, begin, beginning):
            starts.setdefault(at, set()).add(beginning)
    digits = begin
    while digits < end and line[digits].letter.isdigit():
        digits += 1
    starts.setdefault(digits, set()).add("")
    for at in range(begin, end):
        for upto, entry in _walk(known.tree, line, at):
            if _fits(line, begin, end, at, upto, entry, starts.get(at, set()), known):
                yield line[at].start, line[upto - 1].end, entry


def _reads(line: Word, at: int, letters: str) -> bool:
    return all(
        run.letter == letter
        for run, letter in zip(line[at : at + len(letters)], letters, strict=False)
    )


def _walk(node: Node, line: Word, at: int) -> Iterator[tuple[int, Entry]]:
    """The entries that begin at ``at``, each with where it ends."""
    here = at
    while here < len(line) and here - at < LONGEST:
        further = node.further.get(line[here].letter)
        if further is None:
            return
        node, here = further, here + 1
        for entry in node.entries:
            if all(
                run.times >= times for run, times in zip(line[at:here], entry.times, strict=True)
            ):
                yield here, entry


def _fits(
    line: Word,
    begin: int,
    end: int,
    at: int,
    upto: int,
    entry: Entry,
    beginnings: set[str],
    known: Lists,
) -> bool:
    """May ``entry`` stand there, with what is before and after it in the word?"""
    ours = known.before[entry.language]
    if not entry.open_before and not any(b == "" or b in ours for b in beginnings):
        return False
    if entry.exact and at != begin and not line[at - 1].letter.isdigit():
        return False
    if entry.open_after:
        return True
    rest: list[Run] = []
    for run in line[upto : upto + _LONGEST_AFFIX + 1]:
        if run.letter == " ":
            break
        rest.append(run)
    ending = "".join(run.letter * run.times for run in rest[: _LONGEST_AFFIX + 1])
    if not ending or all(run.letter.isdigit() for run in rest):
        return True
    return not entry.exact and ending in known.after[entry.language]


def _without_allowed(found: Iterator[Span]) -> Iterator[Span]:
    """What does not lie within an allowed entry."""
    spans = sorted(found, key=lambda span: (span[0], -span[1]))
    covered = -1
    for start, end, entry in spans:
        if entry.language == ALLOWED:
            covered = max(covered, end)
        elif end > covered:
            yield start, end, entry


def _left_out(word: Word, known: Lists) -> Iterator[Span]:
    """The word, if letters of it were left out and it is listed with them."""
    if len(word) > LONGEST or all(run.letter != MASK for run in word):
        return
    letters = _spell(word)
    for ending in range(min(_LONGEST_AFFIX, len(letters) - 1) + 1):
        entry = known.masked.get(letters[: len(letters) - ending])
        if entry and (not ending or letters[-ending:] in known.after[entry.language]):
            yield word[0].start, word[-1].end, entry


def _spaced(words: list[Word], known: Lists) -> Iterator[Span]:
    """What single letters in a row spell."""
    row: list[Word] = []
    for word in [*words, []]:
        if len(word) == 1:
            row.append(word)
            continue
        if len(row) >= _SPACED:
            yield from _spelt(row, known)
        row = []


def _spelt(row: list[Word], known: Lists) -> Iterator[Span]:
    joined: Word = []
    for word in row:
        add(joined, word[0])
    for at in range(len(joined)):
        for upto, entry in _walk(known.tree, joined, at):
            if entry.language != ALLOWED and entry.letters >= _SHORTEST_SPACED:
                yield joined[at].start, joined[upto - 1].end, entry


def _broken(words: list[Word], known: Lists) -> Iterator[Span]:
    """Two words in a row that are one, unless they are known to be two."""
    for first, second in zip(words, words[1:], strict=False):
        if len(first) + len(second) > LONGEST:
            continue
        joined = list(first)
        for run in second:
            add(joined, run)
        for upto, entry in _walk(known.tree, joined, 0):
            whole = upto == len(joined) and entry.letters >= _SHORTEST_BROKEN
            if whole and entry.language != ALLOWED and not _are_two(first, second, known):
                yield joined[0].start, joined[-1].end, entry


def _are_two(first: Word, second: Word, known: Lists) -> bool:
    return f"{_spell(first)} {_spell(second)}" in known.pairs


def _spell(word: Word) -> str:
    return "".join(run.letter * min(run.times, LONGEST) for run in word)
