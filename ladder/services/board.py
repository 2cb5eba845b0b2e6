"""What a periodic task keeps so that the board is quick: who is on it, how many have each rating,
and the ranks of the last days."""

from datetime import date, datetime, timedelta

from django.db import connection, transaction
from django.db.models import Count, Max, Min, Q, QuerySet

from games.models import PlayerKind, clock
from games.services.locks import lock
from ladder import elo
from ladder.models import (
    Board,
    BoardState,
    Pool,
    RankThen,
    Rating,
    RatingCount,
    season_number,
)
from ladder.models.rating import LISTED_FOR

A_WEEK = timedelta(days=7)
_RANKS = """
    INSERT INTO ladder_rankthen (day, player_id, rank)
    SELECT %s, player_id, RANK() OVER (ORDER BY rating DESC)
    FROM ladder_rating WHERE pool = 'ranked' AND listed
"""
_WEEK_RANKS = """
    UPDATE ladder_rating SET week_rank = (
        SELECT rank FROM ladder_rankthen AS t
        WHERE t.day = %s AND t.player_id = ladder_rating.player_id
    ) WHERE id BETWEEN %s AND %s AND pool = 'ranked' AND (listed OR week_rank IS NOT NULL)
"""
_AT_ONCE = 1_000  # ratings a transaction


def refresh() -> None:
    """Bring the board up to date: each minute. Safe to run at the same time in several processes.

    Who is idle or has closed the account leaves it; ratings are counted; once a day (UTC) the ranks
    are kept, and those of a week ago stand beside the present ones.
    """
    now = clock.now()
    _drop(now - LISTED_FOR)
    with transaction.atomic():
        BoardState.objects.get_or_create(pk=BoardState.THE_ROW)
        state = lock(BoardState.objects.filter(pk=BoardState.THE_ROW)).get()
        _count(Board.ALL_TIME, Rating.objects.filter(pool=Pool.RANKED, listed=True))
        _count(Board.SEASON, of_season(season_number(now)))
        new_day = state.ranks_of != now.date()
        if new_day:
            _keep_ranks(now.date())
        state.counted_at, state.ranks_of = now, now.date()
        state.save()
    if new_day:
        _show_ranks_of(now.date() - A_WEEK)


def of_season(number: int) -> QuerySet[Rating]:
    """The ratings that have a place in the running season's table."""
    return Rating.objects.filter(
        pool=Pool.RANKED,
        season=number,
        season_matches__gte=elo.PROVISIONAL_UNDER,
        barred=False,
        player__kind=PlayerKind.PERSON,
    )


def _drop(idle_since: datetime) -> None:
    """Results lock ratings by key, two at a time: so here they are locked in the same order, and
    whoever has played in between stays."""
    gone = Q(last_at__lte=idle_since) | Q(last_at=None) | ~Q(player__kind=PlayerKind.PERSON)
    idle = Rating.objects.filter(gone, pool=Pool.RANKED, listed=True)
    keys = list(idle.order_by("pk").values_list("pk", flat=True))
    for at in range(0, len(keys), _AT_ONCE):
        with transaction.atomic():
            held = lock(Rating.objects.filter(pk__in=keys[at : at + _AT_ONCE]))
            still = idle.filter(pk__in=[row.pk for row in held])
            Rating.objects.filter(pk__in=list(still.values_list("pk", flat=True))).update(
                listed=False
            )


def _count(board: Board, ratings: QuerySet[Rating]) -> None:
    counted = ratings.order_by().values("rating").annotate(players=Count("pk"))
    RatingCount.objects.filter(board=board).delete()
    RatingCount.objects.bulk_create(
        [RatingCount(board=board, rating=row["rating"], players=row["players"]) for row in counted]
    )


def _keep_ranks(today: date) -> None:
    RankThen.objects.filter(Q(day=today) | Q(day__lt=today - A_WEEK)).delete()
    with connection.cursor() as cursor:
        cursor.execute(_RANKS, [today])


def _show_ranks_of(day: date) -> None:
    """Put the ranks of ``day`` beside the ratings, a stretch of keys at a time, locked in order."""
    keys = Rating.objects.aggregate(first=Min("pk"), last=Max("pk"))
    for first in range(keys["first"] or 1, (keys["last"] or 0) + 1, _AT_ONCE):
        last = first + _AT_ONCE - 1
        with transaction.atomic(), connection.cursor() as cursor:
            list(lock(Rating.objects.filter(pk__range=(first, last))).values_list("pk"))
            cursor.execute(_WEEK_RANKS, [day, first, last])
