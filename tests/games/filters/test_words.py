"""The lists against a corpus of each language, and against every way to hide a word."""

import doctest
from pathlib import Path

import pytest

from games import filters
from games.filters import HitKind, find, letters, links, lists, repetition, words

CORPUS = Path(__file__).parent / "corpus"


def corpus(sign: str) -> list[str]:
    """The sentences with ``sign``: + must be caught, - must not."""
    return [
        f"{language}: {line[2:]}"
        for language in lists.LANGUAGES
        for line in (CORPUS / f"{language}.txt").read_text("utf-8").splitlines()
        if line[0] == sign
    ]


@pytest.mark.parametrize("sentence", corpus("+"))
def test_an_insult_is_found(sentence):
    said = sentence.partition(": ")[2]
    hits = find(said)
    assert hits, said
    assert all(hit.found == said[hit.start : hit.end] for hit in hits)


@pytest.mark.parametrize("sentence", corpus("-"))
def test_a_sentence_without_one_is_let_alone(sentence):
    assert find(sentence.partition(": ")[2]) == []


def test_each_language_has_both():
    for language in lists.LANGUAGES:
        for sign in "+-":
            assert sum(line.startswith(f"{language}:") for line in corpus(sign)) >= 15


# One word of each language, written in the ways that filters are known to be passed by.
WORDS = {"en": "motherfucker", "ar": "شرموطة", "pt": "arrombado", "ru": "пидорас",
         "es": "malparido", "af": "poephol"}  # fmt: skip
INVISIBLE = [*map(chr, range(0x200B, 0x2010)), "\u00ad", "\u2060", "\u034f", "\ufeff", "\u202e"]
WAYS = {
    "invisible": lambda word: "".join(f"{c}{INVISIBLE[i % 9]}" for i, c in enumerate(word)),
    "capitals": str.upper,
    "spaced": " ".join,
    "dotted": ".".join,
    "dashed": "-".join,
    "stretched": lambda word: "".join(c * 3 for c in word),
    "combining marks": lambda word: "\u0336".join(word),
    "broken": lambda word: f"{word[:3]} {word[3:]}",
    "punctuated": lambda word: f"¡¡{word}!!",
    "with digits": lambda word: f"{word}99",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("language", WORDS)
def test_a_hidden_word_is_found(language, way):
    hit = find(WAYS[way](WORDS[language]))[0]
    assert (hit.kind, hit.language) == (HitKind.INSULT, language)


@pytest.mark.parametrize("character", INVISIBLE, ids=lambda c: f"U+{ord(c):04X}")
def test_no_character_that_cannot_be_seen_hides_a_word(character):
    assert find(f"id{character}iot")
    assert find(f"كس{character}مك")


@pytest.mark.parametrize(
    "written",
    ["شـــرمـوطة", "شَرْمُوطَة", "شرموطه", "شرمــــــــوطة", "ﺷﺮﻣﻮﻃﺔ", "والشرموطة", "شرموووطة"],
)
def test_arabic_with_and_without_marks_stretched_and_in_shapes(written):
    assert find(written)


@pytest.mark.parametrize(
    "written",
    ["ｉｄｉｏｔ", "ıdıot", "𝐢𝐝𝐢𝐨𝐭", "ⓘⓓⓘⓞⓣ", "іdіоt", "1d10t", "!diot you 1diot", "id!ot", "iđiot",
     "ΙDΙΟΤ", "i*iot", "id**t", "i***t", "IDÏÔT"],
)  # fmt: skip
def test_latin_in_other_widths_alphabets_and_signs(written):
    assert find(written)


@pytest.mark.parametrize(
    ("before", "text"),
    [("you id", "iot"), ("fu", "ck"), ("پس شرمو", "طة"), ("пид", "ор"),
     ("f u", "c k"), ("hang", "yourself")],
)  # fmt: skip
def test_halves_in_two_messages(before, text):
    assert find(text) == find(before) == []
    assert [hit.kind for hit in find(text, [before])] == [HitKind.INSULT]


@pytest.mark.parametrize(
    ("before", "text"),
    [("put", "a card"), ("come co", "on"), ("that was class", "ic"), ("you idiot", "well played"),
     ("فك", "سمك")],
)  # fmt: skip
def test_two_messages_that_only_follow_each_other(before, text):
    assert find(text, [before]) == []


@pytest.mark.parametrize(
    "name",
    ["Scunthorpe", "Hancock77", "Dickens", "Essex_Girl", "Lakshita", "Cassandra", "Mohamed_3amer",
     "خولة", "كسار", "Кудрявцев", "Застрахуй", "Conchita", "Cuauhtemoc", "Fukuoka", "Van_Dyke",
     "Peniston", "Assad", "Assassin", "Nikolai", "Nikita", "Sharm_ElSheikh", "Kosma", "Khaled",
     "Putin_Vladimir", "Zebra", "Analyst", "Titus", "Sussex", "Grassy"],
)  # fmt: skip
def test_names_that_hold_a_listed_word_by_accident(name):
    assert find(name) == []


def test_nothing_is_found_in_what_a_browser_draws_by_chance():
    assert find("9f86d081884c7d659a2feaa0c55ad015") == []


def test_the_lists_are_read_as_they_say():
    known = lists.lists()
    assert len(known.masked) > 1000
    for language in lists.LANGUAGES:
        assert (lists.DATA / f"{language}.txt").exists()
    assert all(
        len(beginning) == len(lists.runs_of(beginning))
        for beginnings in known.beginnings.values()
        for beginning in beginnings
    )


def test_no_line_of_a_list_has_more_forms_than_may_be():
    for language in (*lists.LANGUAGES, lists.ALLOWED):
        classes: dict[str, list[str]] = {}
        for line in (lists.DATA / f"{language}.txt").read_text("utf-8").splitlines():
            if line.startswith("= "):
                letter, *written = line[2:].split()
                classes[letter] = written
            elif line[:1] not in "#<>":
                assert 0 < len(lists.forms(line, classes)) <= lists.MOST_FORMS, line
                assert line.count("(") == line.count(")"), line


def test_an_allowed_entry_covers_itself_alone():
    assert find("Scunthorpe") == []
    assert [hit.found for hit in find("Scunthorpe, you cunt")] == ["cunt"]


@pytest.mark.parametrize("module", [filters, letters, lists, words, links, repetition])
def test_the_examples_are_true(module):
    assert doctest.testmod(module).failed == 0
