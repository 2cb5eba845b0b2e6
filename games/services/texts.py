"""Texts that others will read: after the commit each is looked at, and none is held back."""

from collections.abc import Sequence

from games import ports
from games.models import Player, Utterance
from games.ports import TextKind
from games.services.after import after_commit


def written(
    player: Player,
    kind: TextKind,
    text: str,
    *,
    before: Sequence[str] = (),
    utterance: Utterance | None = None,
) -> None:
    """``player`` is writing ``text`` in the running transaction: it is looked at if that commits.

    ``before`` is what the player said just before it, newest first.
    """

    def look() -> None:  # no partial: Django cannot name one in its log when it fails
        ports.on_text(player, kind, text, before=before, utterance=utterance)

    if text:
        after_commit(look)
