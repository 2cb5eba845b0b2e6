"""What the content security policy forbids stands in no template, and games' templates know
nothing of the ladder's."""

import re
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, templates

FORBIDDEN = {
    "a style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.I),
    "a style element": re.compile(r"<style\b", re.I),
    "a script with a body": re.compile(r"<script\b[^>]*>(?!\s*</script>)", re.I),
    "a script without an address": re.compile(r"<script\b(?![^>]*\ssrc\s*=)[^>]*>", re.I),
    "an event handler": re.compile(r"<[^>]*\son[a-z]+\s*=", re.I),
    "an htmx event handler": re.compile(r"\shx-on[:a-z-]*\s*=", re.I),
    "htmx code": re.compile(r"hx-[a-z]+\s*=\s*[\"']\s*(?:js|javascript):", re.I),
    "a javascript address": re.compile(r"(?:href|src|action)\s*=\s*[\"']?\s*javascript:", re.I),
    "a file of another host": re.compile(r"<(?:script|link|img|use)\b[^>]*[\"'](https?:)?//", re.I),
    "a turned-off escape": re.compile(r"\|\s*safe\b|{%\s*autoescape\s+off"),
}  # fmt: skip
HTML = [path for path in templates() if path.suffix == ".html"]
_NOT_MARKUP = re.compile(r"{#.*?#}|{%\s*comment\b.*?{%\s*endcomment\s*%}|<!--.*?-->", re.S)
_TAGS = re.compile(r"{%.*?%}|{{.*?}}", re.S)


def markup(path: Path, without_tags: bool = True) -> str:
    """The template without its comments; template tags, which may hold a ``>``, are blanked."""
    text = _NOT_MARKUP.sub("", path.read_text("utf-8"))
    return _TAGS.sub("…", text) if without_tags else text


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_template_has(what: str) -> None:
    tags_matter = what == "a turned-off escape"
    assert [
        path.relative_to(ROOT).as_posix()
        for path in HTML
        if FORBIDDEN[what].search(markup(path, without_tags=not tags_matter))
    ] == []


def test_these_tests_would_find_something() -> None:
    bad = (
        '<p style="x"><style>.</style><script src=a>x</script><script></script><a onclick="x">'
        '<b hx-on:click="x" hx-vals="js:x"><a href="javascript:x"><script src="https://x"></script>'
        "{{ x|safe }}"
    )
    assert [what for what, pattern in FORBIDDEN.items() if not pattern.search(bad)] == []
    assert len(HTML) > 10


def test_playing_does_not_include_the_ladder() -> None:
    pulled_in = re.compile(r"{%\s*(?:include|extends)\s+[\"']ladder/")
    loaded = re.compile(r"{%\s*load\s+([^%]*)%}")
    tags = {path.stem for path in (ROOT / "ladder" / "templatetags").glob("*.py")} - {"__init__"}
    found = []
    for path in HTML:
        inside = path.relative_to(ROOT).as_posix()
        if inside.startswith("templates/games/"):
            text = markup(path, without_tags=False)
            words = {word for names in loaded.findall(text) for word in names.split()}
            if pulled_in.search(text) or words & tags:
                found.append(inside)
    assert found == []


def test_style_sheets_are_logical() -> None:
    """No left and right, so that right to left needs no second sheet. A line that has to be
    physical says why, in a comment on it."""
    physical = re.compile(
        r"(?:margin|padding|border|inset)-(?:left|right)\b|(?<![-\w])(?:left|right)\s*:|"
        r"(?:float|clear|text-align)\s*:\s*(?:left|right)\b",
    )
    assert [
        f"{path.name}:{number}"
        for path in sorted((ROOT / "static").rglob("*.css"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if physical.search(re.sub(r"/\*.*?\*/", "", line)) and "/*" not in line
    ] == []
