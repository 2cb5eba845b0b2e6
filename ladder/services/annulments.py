"""Annulling a match, as a moderator does it, and taking that back: with the trail and the news."""

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Match, Player
from games.services.errors import Refused
from games.services.locks import lock
from ladder.models import Act, ChangeKind, RatingChange
from ladder.selectors.standing import annulled
from ladder.services import audit, restitution, roles, sanctions


def annul(by: Player, match: Match, why: str) -> list[RatingChange]:
    """Each side gets back what the match changed, and it counts for nothing any more. Done twice is
    done once. Raises ``Refused`` for who may not, and as ``restitution.annul`` does."""
    with transaction.atomic():
        held = _hold(by, match)
        done_before = bool(annulled([held.pk]))
        rows = restitution.annul(held)
        if not done_before:
            _record(by, held, why, rows, annulled=True)
            restitution.tell(rows, "annulled", tag=f"annulled:{held.pk}", match=held)
        return rows


def undo(by: Player, match: Match, why: str) -> list[RatingChange]:
    """Exactly what the annulment did is reversed. Done twice is done once. Raises ``Refused`` for
    who may not, and where there is none."""
    with transaction.atomic():
        held = _hold(by, match)
        rows = list(held.rating_changes.filter(kind=ChangeKind.ANNULMENT).order_by("id"))
        if not rows:
            raise Refused(_("This match has not been annulled."))
        done_before = not annulled([held.pk])
        reversals = restitution.reverse_all(rows)
        if not done_before:
            _record(by, held, why, reversals, annulled=False)
            restitution.tell(reversals, "reversed", tag=f"annulled:{held.pk}", match=held)
        return reversals


def _hold(by: Player, match: Match) -> Match:
    """The match, locked, if ``by`` may act on both of its players.

    Without its key: who refunds another row of this match holds its ratings, and points at it.
    """
    rows = Match.objects.filter(pk=match.pk).defer("sealed", "server_seed")
    found = lock(rows, no_key=True).get()
    for seat in found.seats.select_related("player"):
        roles.require(by, Act.ANNUL, seat.player)
    return found


def _record(
    by: Player, match: Match, why: str, rows: list[RatingChange], *, annulled: bool
) -> None:
    """An entry for each side, so that the trail has it under both."""
    for row in rows:
        audit.record(
            by,
            Act.ANNUL,
            player=row.player_id,
            match=match,
            why=sanctions.clean(why, sanctions.WHY_LONGEST),
            before={"annulled": not annulled},
            after={"annulled": annulled, "changes": {str(row.player_id): row.change}},
        )
