"""What a table shows of its players' standing: what ``games.ports.standing`` asks."""

from collections.abc import Sequence

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
    changes = {}
    if match is not None and match.is_over:
        results = RatingChange.objects.filter(match=match, kind=ChangeKind.RESULT)
        changes = {row.player_id: row for row in results}
    return {p.pk: _one(p, pool, ratings.get(p.pk), changes.get(p.pk)) for p in players}


def _one(player: Player, pool: str, rating: Rating | None, change: RatingChange | None) -> Standing:
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
    )
