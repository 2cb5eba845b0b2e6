"""Giving back what matches took: annulments, refunds, and the reversal of either.

Nothing in the ledger is taken back: each act is a row more, which names the one that it follows.
The floor binds none of them. A row is annulled, refunded or reversed once at most: the same act
again is a success and changes nothing. Each runs under the lock on every rating that it moves.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _

from games.models import Kind, Match, Player, Seat, Topic, clock
from games.selectors.matches import LIVE
from games.services.errors import Refused
from games.services.notifications import notify
from ladder.models import ChangeKind, Pool, Rating, RatingChange
from ladder.services.rating import hold
from ladder.services.recompute import REVERSIBLE, write_anew

REFUND_LIMIT = 150  # points, for all that one player has lost to one other
REFUND_WITHIN = timedelta(days=30)


def annul(match: Match) -> list[RatingChange]:
    """Undo what a rated match did: each side gets back exactly its change, and the match counts for
    nothing any more. Returns the rows, by seat.

    Raises ``Refused`` for a match that moved no rating, whose annulment has been reversed, or of
    which points have been refunded.
    """
    with transaction.atomic():
        results = list(match.rating_changes.filter(kind=ChangeKind.RESULT).order_by("id"))
        if not results:
            raise Refused(_("This match moved no rating."))
        ratings = hold([row.player_id for row in results], results[0].pool)
        if any(_stands(row, ChangeKind.REFUND) for row in results):
            raise Refused(_("Points of this match have been refunded: reverse that first."))
        return [
            _once(row, ChangeKind.ANNULMENT)
            or _follow(ratings[row.player_id], row, ChangeKind.ANNULMENT, -row.change)
            for row in results
        ]


def refund(loss: RatingChange, points: int) -> RatingChange:
    """Give back up to ``points`` of what a ranked match of the last 30 days took, to the loser
    alone: never more than the loss, nor than 150 of all that was lost to the same opponent.

    Raises ``Refused`` for what is no such loss, or where nothing is left to give.
    """
    if loss.kind != ChangeKind.RESULT or loss.pool != Pool.RANKED or loss.change >= 0:
        raise Refused(_("Only what was lost in a ranked match can be refunded."))
    if loss.created_at <= clock.now() - REFUND_WITHIN:
        raise Refused(_("Only matches of the last 30 days can be refunded."))
    with transaction.atomic():
        rating = hold([loss.player_id], loss.pool)[loss.player_id]
        if done := _once(loss, ChangeKind.REFUND):
            return done
        if _stands(loss, ChangeKind.ANNULMENT):
            raise Refused(_("This match has been annulled: nothing is left to refund."))
        given = min(points, -loss.change, REFUND_LIMIT - _refunded(loss))
        if given < 1:
            raise Refused(_("All that can be refunded has been."))
        return _follow(rating, loss, ChangeKind.REFUND, given)


def refund_all(cheat: Player) -> list[RatingChange]:
    """Give back what ranked opponents of the last 30 days have lost to ``cheat``: at most 150
    points each, and nothing that has been given back before. Returns the rows.

    Joins the transaction, and holds every rating that a result of ``cheat`` can move: so none is
    added meanwhile.
    """
    losses = RatingChange.objects.that_stand().filter(
        opponent=cheat,
        pool=Pool.RANKED,
        after__lt=F("before"),
        created_at__gt=clock.now() - REFUND_WITHIN,
    )
    playing = Seat.objects.filter(
        match__in=Match.objects.filter(seats__player=cheat, kind=Kind.RANKED, status__in=LIVE)
    )
    players = {cheat.pk, *losses.values_list("player", flat=True)}
    hold(players | set(playing.values_list("player", flat=True)), Pool.RANKED)
    given = []
    for loss in losses.exclude(followed_by__kind=ChangeKind.REFUND).order_by("id"):
        with suppress(Refused):
            given.append(refund(loss, -loss.change))
    return given


def reverse_all(rows: Sequence[RatingChange]) -> list[RatingChange]:
    """``reverse`` each of these rows of one pool. Joins the transaction."""
    if rows:
        hold({row.player_id for row in rows}, rows[0].pool)
    return [reverse(row) for row in rows]


def tell(rows: Iterable[RatingChange], why: str, *, tag: str, match: Match | None = None) -> None:
    """Tell each player how many points these rows have moved, and why: "cheat", "annulled" or
    "reversed"."""
    moved: Counter[int] = Counter()
    for row in rows:
        moved[row.player_id] += row.change
    for player_id, points in sorted(moved.items()):
        shown = f"+{points}" if points > 0 else f"−{-points}"
        notify(player_id, Topic.REFUND, tag=tag, match=match, answer=why, text=shown)


def reverse(row: RatingChange) -> RatingChange:
    """Undo exactly what an annulment or a refund did to its player.

    Raises ``Refused`` for a row of another kind.
    """
    if row.kind not in REVERSIBLE:
        raise Refused(_("Only an annulment or a refund can be reversed."))
    with transaction.atomic():
        rating = hold([row.player_id], row.pool)[row.player_id]
        return _once(row, ChangeKind.REVERSAL) or _follow(
            rating, row, ChangeKind.REVERSAL, -row.change
        )


def _once(row: RatingChange, kind: str) -> RatingChange | None:
    """The row of this kind that follows ``row`` already. Raises ``Refused`` if it was reversed."""
    done = row.followed_by.filter(kind=kind).first()
    if done and done.followed_by.exists():
        raise Refused(_("That has been done before, and been reversed: it is not done again."))
    return done


def _stands(row: RatingChange, kind: str) -> bool:
    """Has ``row`` been followed by one of this kind, which has not been reversed?"""
    return row.followed_by.filter(kind=kind, followed_by=None).exists()


def _refunded(loss: RatingChange) -> int:
    """What the player has been given back of all losses to the same opponent."""
    reversals = RatingChange.objects.filter(refers_to=OuterRef("pk"))
    rows = RatingChange.objects.filter(
        ~Exists(reversals),
        player=loss.player_id,
        opponent=loss.opponent_id,
        kind=ChangeKind.REFUND,
    )
    return sum(row.change for row in rows)


def _follow(rating: Rating, row: RatingChange, kind: str, points: int) -> RatingChange:
    """Write a row that follows ``row`` and moves the locked ``rating`` by ``points``."""
    new = RatingChange.objects.create(
        kind=kind,
        refers_to=row,
        player_id=row.player_id,
        pool=row.pool,
        match_id=row.match_id,
        opponent_id=row.opponent_id,
        before=rating.rating,
        after=rating.rating + points,
        created_at=clock.now(),
    )
    write_anew(rating)
    return new
