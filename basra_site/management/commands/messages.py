"""Collects what is to be translated, for whoever translates."""

from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

PACKAGES = ("basra_site", "games", "ladder")
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
WIDTH = 100


class Command(BaseCommand):
    help = "Bring the catalogues in locale/ up to date with the source: new messages are empty."

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = collect()
        for code, _name in settings.LANGUAGES:
            if code == settings.LANGUAGE_CODE:
                continue  # the source is written in it
            path = catalogue_path(code)
            catalogue = brought_up_to_date(path, code, wanted)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                write_po(
                    file, catalogue, width=WIDTH, sort_by_file=True, include_lineno=False,
                    ignore_obsolete=True,
                )  # fmt: skip
            empty = sum(not all(_texts(message)) for message in catalogue if message.id)
            self.stdout.write(f"{path.relative_to(settings.BASE_DIR)}: {empty} to translate")


def catalogue_path(code: str) -> Path:
    """Where the catalogue of a language lies."""
    return Path(settings.BASE_DIR) / "locale" / to_locale(code) / "LC_MESSAGES" / "django.po"


def collect() -> Catalog:
    """Every message of the Python files and the templates of this project."""
    found = Catalog(project="Basra", charset="utf-8")
    for path in _sources():
        text = path.read_text("utf-8")
        if path.suffix != ".py":
            # Django turns a template into something like Python; indents mean nothing in it.
            lines = templatize(text, origin=str(path)).splitlines()
            text = "\n".join(line.lstrip() for line in lines)
        for line, message, comments, context in extract(
            "python", BytesIO(text.encode()), KEYWORDS, ("Translators:",), strip_comment_tags=True
        ):
            where = [(path.relative_to(settings.BASE_DIR).as_posix(), line)]
            found.add(message, None, where, auto_comments=comments, context=context)
    return found


def brought_up_to_date(path: Path, code: str, wanted: Catalog) -> Catalog:
    """The catalogue at ``path`` with the messages that are ``wanted``: what it has it keeps, what
    it lacks is empty, and nothing is guessed."""
    locale = to_locale(code)
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=locale, domain="django")
    else:
        catalogue = Catalog(locale=locale, domain="django", project="Basra", charset="utf-8")
    catalogue.update(wanted, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.fuzzy = False
    return catalogue


def _sources() -> list[Path]:
    base = Path(settings.BASE_DIR)
    python = [
        path
        for package in PACKAGES
        for path in (base / package).rglob("*.py")
        if "migrations" not in path.parts
    ]
    templates = [
        path for path in (base / "templates").rglob("*") if path.suffix in (".html", ".txt", ".svg")
    ]
    return sorted(python) + sorted(templates)


def _texts(message: Any) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)
