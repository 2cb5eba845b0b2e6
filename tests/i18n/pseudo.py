"""A language that shows what is not translated: every message stands in ⟦ ⟧."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from html.parser import HTMLParser

from django.conf.locale import LANG_INFO
from django.test import override_settings
from django.utils.translation import trans_real

CODE = "qps"
CONTEXT = "\x04"


class Pseudo(NullTranslations):
    """A catalogue that has everything."""

    def gettext(self, message: str) -> str:
        return f"⟦{message.rpartition(CONTEXT)[2]}⟧"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)

    def language(self) -> str:
        return CODE

    def to_language(self) -> str:
        return CODE


@contextmanager
def offered() -> Iterator[None]:
    """The site with the pseudo-language, which it never offers to a visitor."""
    LANG_INFO[CODE] = {"bidi": False, "code": CODE, "name": CODE, "name_local": CODE}
    check = trans_real.check_for_language
    with override_settings(LANGUAGES=[("en", "English"), (CODE, CODE)]):
        trans_real._translations[CODE] = Pseudo()  # other settings empty what is loaded
        trans_real.check_for_language = lambda code: True
        try:
            yield
        finally:
            trans_real.check_for_language = check
    del LANG_INFO[CODE]


READ_OUT = re.compile(r"aria-label|aria-description|title|alt|placeholder|data-say[\w-]*|"
                      r"data-title|data-announce|label")  # fmt: skip
LEFT_ALONE = {"code", "pre", "script", "style", "var", "kbd"}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
# What is the same in every language: a time zone, a format's name, a rating's factor.
EVERYWHERE = re.compile(r"\b(UTC|JSON|K|EN|en|qps|QPS|[AJQK])\b")


ADDRESS = re.compile(r"https?://\S+|[\w.+-]+@[\w.-]+")  # of a page, or of mail
LATIN = re.compile(r"[A-Za-z]{2,}")
# Words that Arabic has as they are.
AS_THEY_ARE = {"SHA", "HMAC", "lines", "record", "json", "house", "Home", "End", "Escape", "Enter",
               "English"}  # fmt: skip


class Reader(HTMLParser):
    """Collects the visible text and what is read out that stands outside ⟦ ⟧; of a page in another
    language than the pseudo-language, what is in Latin letters."""

    def __init__(self, names: set[str], language: str = CODE) -> None:
        super().__init__(convert_charrefs=True)
        self.language = language
        self.names = sorted(names, key=len, reverse=True)
        self.found: list[str] = []
        self.depth = 0
        self.open: list[tuple[str, bool]] = []

    @property
    def skips(self) -> bool:
        return bool(self.open) and self.open[-1][1]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = tag == "bdi" and ("dir" not in given or given.get("data-digits") == "latin")
        foreign = tag != "html" and given.get("lang", self.language) != self.language
        initial = "avatar" in given.get("class", "").split()  # the first letter of a name
        skips = self.skips or tag in LEFT_ALONE or name or foreign or initial
        if not skips:
            for key, value in given.items():
                spoken = READ_OUT.fullmatch(key) or (
                    key == "content" and "description" in given.values()
                )
                button = key == "value" and tag == "input" and given.get("type") == "submit"
                if spoken or button:
                    self._look(value, f"{tag} {key}=", 0)
        if tag not in VOID:
            self.open.append((tag, skips))

    def handle_endtag(self, tag: str) -> None:
        tags = [name for name, _skips in self.open]
        if tag in tags:
            del self.open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self.skips:
            self.depth = self._look(data, self.open[-1][0] if self.open else "", self.depth)

    def _look(self, text: str, where: str, depth: int) -> int:
        """Note what stands outside; how deep the brackets are after it."""
        outside = ""
        for letter in text:
            depth += (letter == "⟦") - (letter == "⟧")
            outside += letter if depth == 0 and letter != "⟧" else " "
        outside = ADDRESS.sub(" ", outside)
        for name in self.names:
            outside = outside.replace(name, " ")
        outside = EVERYWHERE.sub(" ", outside)
        if self.language != CODE:
            words = LATIN.findall(re.sub(r"\{\w+\}", " ", outside))  # places that a script fills
            outside = " ".join(word for word in words if word not in AS_THEY_ARE)
        if any(letter.isalpha() for letter in outside):
            self.found.append(f"{where} {' '.join(outside.split())!r}")
        return depth


def outside(page: str, names: set[str], language: str = CODE) -> list[str]:
    """What a reader of ``language`` would see in the source's language."""
    reader = Reader(names, language)
    reader.feed(page)
    reader.close()
    assert reader.depth == 0, "brackets do not match"
    return reader.found


def outside_of_text(text: str, names: set[str], language: str = CODE) -> list[str]:
    """The same for a letter."""
    reader = Reader(names, language)
    reader._look(text, "text", 0)
    return reader.found
