"""The trail of what staff do and look at: the only place that writes ``AuditEntry``."""

from typing import Any

from django.db import connection

from games.models import Match, Player, clock
from games.services.locks import NotInTransaction
from ladder.models import AuditEntry
from ladder.models.roles import Act
from ladder.selectors.roles import role_of


def record(
    by: Player,
    act: Act,
    *,
    player: Player | int | None = None,
    match: Match | str | None = None,
    why: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEntry:
    """Write one entry in the running transaction, so that it stands or falls with the act.

    ``before`` and ``after`` hold plain values, ids and no names. Raises ``NotInTransaction``
    outside one.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction
    return AuditEntry.objects.create(
        at=clock.now(),
        by=by.pk,
        role=role_of(by) or "",
        act=act,
        player=player.pk if isinstance(player, Player) else player,
        match=match.pk if isinstance(match, Match) else match or "",
        why=why[: AuditEntry._meta.get_field("why").max_length],
        before=before or {},
        after=after or {},
    )
