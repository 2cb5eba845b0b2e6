"""No text takes the filters more than steps in proportion to its length. Steps are lines of the
library that are run, counted, so that no clock decides."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.filters import find
from games.filters.lists import LONGEST, lists

PER_CHARACTER = 1_500  # five readings, each with a walk of the tree from every letter
TO_BEGIN = 3_000
LONG = 10_000
WORST = {
    "one letter": "f",
    "a listed word": "fuck",
    "the beginning of one": "motherfuc",
    "single letters": "f u c k ",
    "halves": "fu ck ",
    "masks": "f*",
    "letters that are several": "\ufdfa",
    "a long phrase": "hijo de la gran ",
    "beginnings": "пере",
    "twins": "сoс",
    "marks": "a\u0301",
    "hidden dots": "( . ",
    "said dots": "dot ",
    "addresses": "1.1.1",
    "invisible": "\u200b",
    "stretched": "fffuuuccc",
    "arabic": "كس ",
}


def steps(act: Callable[[], object]) -> int:
    """How many lines of ``games.filters`` ``act`` runs."""
    counted = 0

    def line(_frame, event, _argument):
        nonlocal counted
        counted += event == "line"
        return line

    def call(frame, _event, _argument):
        return line if "/games/filters/" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        act()
    finally:
        sys.settrace(before)
    return counted


@pytest.fixture(autouse=True, scope="module")
def read_lists():
    lists()


def test_steps_are_counted():
    assert steps(lambda: find("well played")) > 11


@pytest.mark.parametrize("piece", WORST.values(), ids=WORST)
def test_ten_thousand_characters(piece):
    text = (piece * LONG)[:LONG]
    assert steps(lambda: find(text)) <= TO_BEGIN + PER_CHARACTER * LONG
    # and no more than in proportion: twice as long, hardly more than twice the steps
    half, whole = (steps(lambda n=n: find(text[:n])) for n in (500, 1_000))
    assert whole <= 2.2 * half + LONGEST * LONGEST


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.text(max_size=80))
@example("\x00", "")
@example("i" * 300, "d")
def test_any_text_at_all(text, before):
    assert steps(lambda: find(text, [before])) <= TO_BEGIN + PER_CHARACTER * (len(text) + 120)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="fuckяеб1* كسم.3-", max_size=200))
def test_every_place_is_within_the_text(text):
    for hit in find(text):
        assert 0 <= hit.start <= hit.end <= len(text)
