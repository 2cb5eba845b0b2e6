"""The catalogues compiled, as ``make`` does it, for tests that are run by themselves."""

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parent.parent / "locale"


def compile_stale() -> None:
    """Compile what is newer than its compiled file; many processes may do so at once."""
    for source in LOCALE.glob("*/LC_MESSAGES/django.po"):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parent.parent.name, domain="django")
        draft = compiled.with_suffix(f".{os.getpid()}")
        with draft.open("wb") as file:
            write_mo(file, catalogue)
        draft.rename(compiled)
