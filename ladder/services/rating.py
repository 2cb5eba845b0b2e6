"""What a ranked result does to both ratings."""

from decimal import Decimal

from games.models import How, Kind, Match, Status
from games.services.locks import lock
from ladder import elo
from ladder.models import ChangeKind, Pool, Rating, RatingChange

RATED_ENDINGS = (How.POINTS, How.RESIGNATION, How.TIME)
_SIX_PLACES = Decimal("0.000001")


def counts(match: Match) -> bool:
    """Does this match move ratings? A ranked one with a result, unless it says why not."""
    return (
        match.kind == Kind.RANKED
        and not match.unrated
        and match.status == Status.FINISHED
        and match.how in RATED_ENDINGS
        and match.winner is not None
    )


def is_rated(match: Match) -> bool:
    """Is the result in the ledger already?"""
    return RatingChange.objects.filter(match=match, kind=ChangeKind.RESULT).exists()


def rate(match: Match) -> list[RatingChange]:
    """Move both ratings by the result of ``match`` and write the two rows of the ledger, by seat.

    Runs inside the transaction that ends the match, whose row the caller has locked; takes the
    ratings of that moment. A match that does not count, or is rated already, changes nothing.
    """
    if not counts(match) or is_rated(match):
        return []
    seats = list(match.seats.order_by("seat"))
    ids = sorted(seat.player_id for seat in seats)
    for player_id in ids:
        Rating.objects.get_or_create(player_id=player_id, pool=Pool.RANKED)
    locked = {
        row.player_id: row for row in lock(Rating.objects.filter(player__in=ids, pool=Pool.RANKED))
    }
    rows = [locked[seat.player_id] for seat in seats]
    before = [row.rating for row in rows]
    return [_move(match, rows, before, side) for side in (0, 1)]


def _move(match: Match, rows: list[Rating], before: list[int], side: int) -> RatingChange:
    """Change one side's rating, computed from both sides' ratings before the match."""
    row, own, other = rows[side], before[side], before[1 - side]
    score = int(match.winner == side)
    k = elo.k_factor(row.matches)
    row.rating = elo.new_rating(own, other, score, k)
    row.matches += 1
    row.won += score
    row.lost += 1 - score
    row.save(update_fields=["rating", "matches", "won", "lost"])
    return RatingChange.objects.create(
        player_id=row.player_id,
        match=match,
        opponent_id=rows[1 - side].player_id,
        score=score,
        before=own,
        after=row.rating,
        k=k,
        expected=elo.expected_score(own, other).quantize(_SIX_PLACES),
        created_at=match.finished_at,
    )
