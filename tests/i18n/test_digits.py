"""Arabic-Indic digits: in the text of a page, and nowhere else."""

import pytest
from django.utils import translation

from games import digits


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p>101 نقطة</p>", "<p>١٠١ نقطة</p>"),
        ("<p>1:43</p>", "<p>١:٤٣</p>"),
        ("<p>2,704 مرة، 4.2</p>", "<p>٢٬٧٠٤ مرة، ٤٫٢</p>"),
        ('<input value="12">7', '<input value="12">٧'),
        ('<a href="/p/7" title="7 > 5">7</a>', '<a href="/p/7" title="7 > 5">٧</a>'),
        ("<code>ab12</code> 3", "<code>ab12</code> ٣"),
        ("<pre><b>1</b></pre>2", "<pre><b>1</b></pre>٢"),
        ("<script>1</script><style>2</style>3", "<script>1</script><style>2</style>٣"),
        ("<textarea>1</textarea><svg><text>2</text></svg>3",
         "<textarea>1</textarea><svg><text>2</text></svg>٣"),
        ('<bdi class="mini" dir="ltr" data-digits="latin">7♦&#xFE0E;</bdi>',
         '<bdi class="mini" dir="ltr" data-digits="latin">7♦&#xFE0E;</bdi>'),
        ("<bdi>123</bdi>", "<bdi>123</bdi>"),  # somebody's name
        ("Nour7 a@b12.c SHA-256 x_1", "Nour7 a@b12.c SHA-256 x_1"),
        ("SHA\u2011256", "SHA\u2011256"),
        ("&#39;5&amp;6&#x27;", "&#39;٥&amp;٦&#x27;"),
        ("<!-- 5 --><!doctype html>6", "<!-- 5 --><!doctype html>٦"),
        ("<title>50</title>", "<title>٥٠</title>"),
        ("<p>1<br>2<p>3", "<p>١<br>٢<p>٣"),
        ("a < 5", "a < ٥"),
    ],
)  # fmt: skip
def test_only_numbers_of_the_text_change(html: str, shown: str) -> None:
    assert digits.in_page(html) == shown


def test_a_score_keeps_its_order() -> None:
    """Between two such numbers a dash would run right to left, were there nothing around them."""
    shown = digits.in_page('<bdi dir="ltr">110–60</bdi>')
    assert shown == '<bdi dir="ltr">\u200e١١٠\u200e–\u200e٦٠\u200e</bdi>'
    signed = digits.in_page('<bdi dir="ltr"><span>+15</span></bdi> 15')
    assert signed == '<bdi dir="ltr"><span>+\u200e١٥\u200e</span></bdi> ١٥'


def test_twice_is_the_same_as_once() -> None:
    once = digits.in_page("<p>12 <b>3.5</b></p>")
    assert digits.in_page(once) == once


class Reader:
    arabic_digits = True


def test_they_are_for_readers_of_arabic_who_want_them() -> None:
    with translation.override("ar"):
        assert digits.for_reader("5", Reader()) == "٥"
        assert digits.for_reader("5", None) == "5"
    with translation.override("en"):
        assert digits.for_reader("5", Reader()) == "5"
