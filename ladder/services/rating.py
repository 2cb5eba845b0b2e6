"""What a result does to ratings: the only place that writes results into the ledger."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from games.models import How, Kind, Match, Player, Seat, Status
from games.services.locks import lock
from ladder import elo
from ladder.models import ChangeKind, Code, Pool, Rating, RatingChange

RATED_ENDINGS = (How.POINTS, How.RESIGNATION, How.TIME)
POOLS = {Kind.RANKED: Pool.RANKED, Kind.PRACTICE: Pool.PRACTICE}
CAP_WITHIN = timedelta(hours=elo.CAP_HOURS)
SIX_PLACES = Decimal("0.000001")
FROM_LEDGER = (
    "rating", "matches", "won", "lost", "peak", "opponents", "last_at",
    "season", "season_matches", "season_won", "season_lost",
)  # fmt: skip
"""The columns of a rating that the ledger gives; ``listed`` follows from them and from the time."""


def counts(match: Match) -> bool:
    """Does this match move ratings? One with a result in a pool, unless it says why not."""
    return (
        match.kind in POOLS
        and not match.unrated
        and match.status == Status.FINISHED
        and match.how in RATED_ENDINGS
        and match.winner is not None
    )


def is_rated(match: Match) -> bool:
    """Is the result in the ledger already?"""
    return RatingChange.objects.filter(match=match, kind=ChangeKind.RESULT).exists()


def rate(match: Match, seats: Sequence[Seat]) -> list[RatingChange]:
    """Move the ratings by the result of ``match`` and write its rows of the ledger, by seat.

    A ranked match has two rows, a practice match one: a house player's rating is fixed. Runs
    inside the transaction that ends the match, whose row the caller has locked; takes the ratings
    of that moment, whatever they were when it began. A match that does not count changes nothing;
    one that is rated already is refused by the database.
    """
    if not counts(match):
        return []
    players = [seat.player for seat in seats]
    rows = hold([player.pk for player in players if not player.is_house], POOLS[match.kind])
    sides = [rows.get(player.pk) or fixed(player) for player in players]
    changes = [
        _result(match, own=sides[seat], other=sides[1 - seat], score=int(match.winner == seat))
        for seat in (0, 1)
        if players[seat].pk in rows
    ]
    met = _have_met(changes)
    for change in RatingChange.objects.bulk_create(changes):
        row = rows[change.player_id]
        row.take(change, new_opponent=change.player_id not in met)
        row.listed = row.qualifies(match.finished_at)
        row.save(update_fields=[*FROM_LEDGER, "listed"])
    return changes


def hold(players: Iterable[int], pool: str) -> dict[int, Rating]:
    """The ratings of these players, by id, locked in the order of their keys until the transaction
    ends; made where there is none yet. Rows of the ledger are written under these locks alone.
    """
    ids = sorted(players)
    wanted = Rating.objects.filter(player__in=ids, pool=pool).select_related("player")
    if wanted.count() < len(ids):
        for player_id in ids:
            Rating.objects.get_or_create(player_id=player_id, pool=pool)
    return {row.player_id: row for row in lock(wanted)}


def fixed(house: Player) -> Rating:
    """The rating of a house player, which nothing moves and no table keeps."""
    return Rating(player=house, pool=Pool.PRACTICE, rating=elo.HOUSE[house.level])


def gained_from_new_accounts(rows: Iterable[RatingChange], moment: datetime) -> int:
    """What the cap counts at ``moment`` of these results of one player, which all stand: what was
    won lately, as a settled player, from new accounts. What was lost to some makes no room.
    """
    return sum(
        max(0, row.change)
        for row in rows
        if row.k == elo.K_SETTLED
        and row.created_at > moment - CAP_WITHIN
        and elo.is_new_account(row.opponent_matches)
    )


def _result(match: Match, *, own: Rating, other: Rating, score: int) -> RatingChange:
    """The row of one side, from both sides' ratings before the match; not saved yet."""
    opponent_matches = None if other.player.is_house else other.matches
    capped = score and elo.is_capped(own.matches, opponent_matches)
    result = elo.outcome(
        own.rating,
        other.rating,
        score,
        matches=own.matches,
        opponent_matches=opponent_matches,
        gained=_gained(own, match.finished_at) if capped else 0,
    )
    return RatingChange(
        player_id=own.player_id,
        pool=own.pool,
        match=match,
        opponent_id=other.player_id,
        score=score,
        before=own.rating,
        after=result.after,
        opponent_rating=other.rating,
        opponent_matches=opponent_matches,
        cut=result.cut,
        code=Code.CAPPED if result.cut else "",
        k=result.k,
        expected=result.expected.quantize(SIX_PLACES),
        created_at=match.finished_at,
    )


def _gained(own: Rating, moment: datetime) -> int:
    rows = RatingChange.objects.that_stand().filter(
        player=own.player_id, pool=own.pool, created_at__gt=moment - CAP_WITHIN
    )
    return gained_from_new_accounts(rows, moment)


def _have_met(changes: list[RatingChange]) -> set[int]:
    """Those, by id, who have a result that stands against this opponent already."""
    ids = {change.player_id for change in changes}
    met = RatingChange.objects.that_stand().filter(
        player__in=ids, opponent__in={change.opponent_id for change in changes}
    )
    return set(met.order_by().values_list("player", flat=True).distinct())
