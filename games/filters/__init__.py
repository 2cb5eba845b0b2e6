"""What may be wrong with a text that others will read: insults, links, repeats.

A library that knows of no storage and judges nobody: ``find`` says what it found and where, and a
moderator looks at it. Every function takes any text at all, in time linear in its length.

>>> [hit.found for hit in find("you are an 1d10t")], find("Scunthorpe is a town")
(['1d10t'], [])
"""

from collections.abc import Sequence

from games.filters.hit import Hit, HitKind
from games.filters.links import has_link
from games.filters.repetition import repeats
from games.filters.words import insults

__all__ = ["Hit", "HitKind", "find", "has_link"]

_SEAM = 60  # characters on each side of the seam between two texts in which a word may lie


def find(text: str, before: Sequence[str] = ()) -> list[Hit]:
    """What may be wrong with ``text``; ``before`` is what its writer said just before it, newest
    first: half of a word may be there, or the same text."""
    found = insults(text)
    if before:
        found += _across(before[0], text)
    if has_link(text):
        found.append(Hit(HitKind.LINK, text))
    if repeats(text, before):
        found.append(Hit(HitKind.REPEAT, text))
    return found


def _across(before: str, text: str) -> list[Hit]:
    """The insults of which one half ends ``before`` and the other begins ``text``."""
    end, start = before[-_SEAM:], text[:_SEAM]
    seam = len(end)
    return [hit for hit in insults(f"{end} {start}") if hit.start < seam < hit.end]
