"""What a table shows of its players' standing: what ``games.ports.standing`` asks."""

from collections.abc import Collection, Sequence

from games.models import Kind, Match, Player
from games.ports import Standing
from ladder import elo
from ladder.models import ChangeKind, Pool, Rating, RatingChange


def standing(players: Sequence[Player], match: Match | None = None) -> dict[int, Standing]:
    """Each player's rating now, and what ``match`` changed with which K, by primary key.

    At a practice match it is the rating of that pool, and the fixed one of the house player. Two
    queries at most. Only people have a rating; before the first result it is the start,
    provisional.
    """
    pool = Pool.PRACTICE if match and match.kind == Kind.PRACTICE else Pool.RANKED
    rows = Rating.objects.filter(player__in=players, pool=pool)
    ratings = {row.player_id: row for row in rows}
    changes: dict[int, RatingChange] = {}
    taken_back: set[int | None] = set()
    if match is not None and match.is_over:
        ledger = list(RatingChange.objects.filter(match=match))
        changes = {row.player_id: row for row in ledger if row.kind == ChangeKind.RESULT}
        taken_back = {row.refers_to_id for row in _standing_annulments(ledger)}
    return {p.pk: _one(p, pool, ratings.get(p.pk), changes.get(p.pk), taken_back) for p in players}


def annulled(match_ids: Collection[str]) -> set[str]:
    """Which of these matches have been annulled: what ``games.ports.annulled`` asks. 1 query."""
    rows = RatingChange.objects.filter(match__in=match_ids).exclude(kind=ChangeKind.RESULT)
    return {row.match_id for row in _standing_annulments(list(rows))}


def _standing_annulments(rows: Sequence[RatingChange]) -> list[RatingChange]:
    """The annulments among these rows, which have those that follow them, that stand."""
    reversed_ids = {row.refers_to_id for row in rows if row.kind == ChangeKind.REVERSAL}
    return [row for row in rows if row.kind == ChangeKind.ANNULMENT and row.pk not in reversed_ids]


def _one(
    player: Player,
    pool: str,
    rating: Rating | None,
    change: RatingChange | None,
    taken_back: set[int | None],
) -> Standing:
    if player.is_house and pool == Pool.PRACTICE:
        return Standing(rating=elo.HOUSE[player.level])
    if rating is None and not player.is_person:
        return Standing()
    return Standing(
        rating=rating.rating if rating else elo.START,
        provisional=rating.provisional if rating else True,
        before=change.before if change else None,
        after=change.after if change else None,
        k=change.k if change else None,
        cut=change.cut if change else 0,
        annulled=change is not None and change.pk in taken_back,
    )
