"""Every catalogue is whole: nothing missing, doubtful, left over or wrongly formed."""

import re

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.trans_real import DjangoTranslation

from basra_site.management.commands.messages import catalogue_path, collect

CODES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PLACES = re.compile(r"%\((\w+)\)[sdf]|\{(\w+)\}|%[%sd]")
TAGS = re.compile(r"</?(?!bdi\b)[a-z][^>]*>")


def read(code: str) -> Catalog:
    with catalogue_path(code).open("rb") as file:
        return read_po(file, locale=to_locale(code), domain="django")


@pytest.fixture(scope="module")
def source() -> Catalog:
    return collect()


@pytest.fixture(params=CODES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return read(request.param)


def ids(catalogue: Catalog) -> set[tuple[object, str | None]]:
    return {(m.id, m.context) for m in catalogue if m.id}


def forms(message: Message) -> list[tuple[str, str]]:
    """Each translation beside the message it translates: a plural's beside the plural."""
    if isinstance(message.id, tuple):
        return [(message.id[1], text) for text in message.string]
    return [(message.id, message.string)]


def test_there_is_something_to_look_at(source: Catalog) -> None:
    assert "ar" in CODES
    assert len(source) > 700
    assert len([m for m in source if isinstance(m.id, tuple)]) > 10


def test_nothing_is_missing_and_nothing_left_over(source: Catalog, catalogue: Catalog) -> None:
    assert ids(source) - ids(catalogue) == set(), "make messages"
    assert ids(catalogue) - ids(source) == set(), "make messages"
    assert not catalogue.obsolete
    assert [m.id for m in catalogue if m.id and not all(text for _id, text in forms(m))] == []


def test_nothing_is_doubtful(catalogue: Catalog) -> None:
    assert [m.id for m in catalogue if m.id and m.fuzzy] == []
    assert not catalogue.fuzzy


def test_every_plural_has_all_its_forms(catalogue: Catalog) -> None:
    plurals = [m for m in catalogue if isinstance(m.id, tuple)]
    assert [m.id for m in plurals if len(m.string) != catalogue.num_plurals] == []
    if catalogue.locale.language == "ar":
        assert catalogue.num_plurals == 6


def test_the_plural_rule_is_that_of_django(catalogue: Catalog) -> None:
    """Django merges its own catalogue with ours: with one rule for both."""
    merged = DjangoTranslation(str(catalogue.locale))
    numbers = range(220)
    ours = eval(  # the rule is C, and these few operators are made Python's
        "lambda n: " + _as_python(catalogue.plural_expr)
    )
    assert [ours(n) for n in numbers] == [merged.plural(n) for n in numbers]


def test_placeholders_agree(catalogue: Catalog) -> None:
    """A translation has every place of its message and no other. Of a plural the forms for a
    definite number may do without it."""
    wrong = []
    for message in catalogue:
        if not message.id:
            continue
        for number, (asked, text) in enumerate(forms(message)):
            wanted, found = _places(asked), _places(text)
            definite = isinstance(message.id, tuple) and number < 3 and len(message.string) == 6
            lost = len(wanted - found) > (1 if definite else 0) and (number or not definite)
            if found - wanted or lost:  # of none, less can be said
                wrong.append((asked, text))
    assert wrong == []


def test_markup_agrees(catalogue: Catalog) -> None:
    """The same tags, but for ``bdi``, which a language may need where another does not."""
    assert [
        (asked, text)
        for message in catalogue
        if message.id
        for asked, text in forms(message)
        if sorted(TAGS.findall(asked)) != sorted(TAGS.findall(text))
    ] == []


def test_babel_finds_no_error(catalogue: Catalog) -> None:
    assert [(message.id, errors) for message, errors in catalogue.check()] == []


def test_ends_and_edges_agree(catalogue: Catalog) -> None:
    """Space at an end is there on purpose."""
    assert [
        asked
        for message in catalogue
        if message.id
        for asked, text in forms(message)
        if (asked != asked.lstrip(), asked != asked.rstrip())
        != (text != text.lstrip(), text != text.rstrip())
    ] == []


def test_arabic_is_written_in_arabic() -> None:
    """No message was left as it is in English, nor written with an override character."""
    latin = re.compile(r"[A-Za-z]{3,}")
    known = {
        "UTC", "SHA", "HMAC", "JSON", "lines", "record", "json", "house", "Home",
        "End", "Escape", "Enter",
    }  # fmt: skip
    found = []
    for message in read("ar"):
        for _asked, text in forms(message) if message.id else ():
            plain = PLACES.sub(" ", re.sub(r"<[^>]*>|HMAC-SHA256", " ", text))
            found += [(text, word) for word in latin.findall(plain) if word not in known]
            assert not re.search("[\u202a-\u202e]", text)
    assert found == []


def _places(text: str) -> set[str]:
    return {found.group() for found in PLACES.finditer(text)}


def _as_python(rule: str) -> str:
    """``a ? b : c`` as Python has it."""
    rule = rule.replace("&&", " and ").replace("||", " or ").strip("() ;")
    if "?" not in rule:
        return rule
    test, _mark, rest = rule.partition("?")
    yes, _colon, no = rest.partition(":")
    return f"(({yes}) if ({test}) else {_as_python(no)})"
