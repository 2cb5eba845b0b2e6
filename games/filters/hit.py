"""What a filter found."""

from dataclasses import dataclass
from enum import StrEnum


class HitKind(StrEnum):
    INSULT = "insult"
    LINK = "link"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class Hit:
    """``found`` is the part of the text as it was typed, from ``start`` to ``end``; ``listed`` the
    entry that it is taken for, and ``language`` the list that has it, where there is one."""

    kind: HitKind
    found: str
    start: int = 0
    end: int = 0
    listed: str = ""
    language: str = ""
