"""What a table shows of its players' standing: what ``games.ports.standing`` asks."""

from collections.abc import Sequence

from games.models import Match, Player, PlayerKind
from games.ports import Standing
from ladder import elo
from ladder.models import ChangeKind, Pool, Rating, RatingChange


def standing(players: Sequence[Player], match: Match | None = None) -> dict[int, Standing]:
    """Each player's rating now, and what ``match`` changed with which K, by primary key.

    Two queries at most. Only people have a rating; before the first ranked result it is the
    start, provisional.
    """
    ratings = {
        row.player_id: row for row in Rating.objects.filter(player__in=players, pool=Pool.RANKED)
    }
    changes = {}
    if match is not None and match.is_over:
        rows = RatingChange.objects.filter(match=match, kind=ChangeKind.RESULT)
        changes = {row.player_id: row for row in rows}
    return {p.pk: _one(p, ratings.get(p.pk), changes.get(p.pk)) for p in players}


def _one(player: Player, rating: Rating | None, change: RatingChange | None) -> Standing:
    if rating is None and player.kind != PlayerKind.PERSON:
        return Standing()
    return Standing(
        rating=rating.rating if rating else elo.START,
        provisional=rating.provisional if rating else True,
        before=change.before if change else None,
        after=change.after if change else None,
        k=change.k if change else None,
    )
