"""What the filters find is queued for a moderator: the text goes through, nobody is punished."""

from collections.abc import Sequence

from games.filters import Hit, HitKind, find
from games.models import Player, Utterance
from games.ports import TextKind
from ladder.models import Reason
from ladder.services import reports


def on_text(
    player: Player,
    kind: TextKind,
    text: str,
    *,
    before: Sequence[str] = (),
    utterance: Utterance | None = None,
) -> None:
    """Look at a text that ``player`` has written: one report for what is found, if anything."""
    hits = find(text, before)
    if not hits:
        return
    evidence = {
        "where": kind.value,
        "found": [hit.found for hit in hits if hit.kind == HitKind.INSULT],
        "kinds": sorted({hit.kind.value for hit in hits}),
        "before": list(before),
    }
    reports.queue_hit(player, _reason(kind, hits), text, evidence, utterance)


def _reason(kind: TextKind, hits: list[Hit]) -> Reason:
    if kind != TextKind.TALK:
        return Reason.NAME
    insulting = any(hit.kind == HitKind.INSULT for hit in hits)
    return Reason.INSULTS if insulting else Reason.OTHER
