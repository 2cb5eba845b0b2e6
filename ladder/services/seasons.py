"""Seasons: their tables are made final when they are over, and badges given."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Max, Q, Sum

from games.models import PlayerKind, Topic, clock
from games.services.locks import lock
from games.services.notifications import notify
from ladder import elo
from ladder.models import (
    Badge,
    Pool,
    Prize,
    Rating,
    RatingChange,
    Season,
    SeasonPlace,
    season_bounds,
    season_number,
)

BEST = ((1, Prize.FIRST), (3, Prize.TOP_3), (10, Prize.TOP_10), (100, Prize.TOP_100))
_AT_ONCE = 1_000


def turn() -> list[Season]:
    """Begin the season of the moment and every one that has results, and freeze those that are
    over: every hour.

    Safe to run twice, and at the same time in several processes. Returns what was frozen.
    """
    now = clock.now()
    results = RatingChange.objects.order_by("created_at").values_list("created_at", flat=True)
    for number in range(season_number(results.first() or now), season_number(now) + 1):
        begin(number)
    over = Season.objects.filter(frozen_at=None, ends_at__lte=now).order_by("number")
    return [season for season in over if freeze(season.pk)]


def begin(number: int) -> Season:
    """The season of that number, made if there is none."""
    began_at, ends_at = season_bounds(number)
    season, _new = Season.objects.get_or_create(
        number=number, defaults={"began_at": began_at, "ends_at": ends_at}
    )
    return season


def freeze(number: int) -> bool:
    """Make the table of a season final and give its badges; False if that has been done.

    In it are the people with 10 ranked matches that ended in the season, by the rating at its end:
    as the ledger has it, however late this runs. Whom a moderator keeps off the boards is left out.
    """
    with transaction.atomic():
        season = lock(Season.objects.filter(number=number, frozen_at=None)).first()
        if season is None:
            return False
        places = _places(season)
        SeasonPlace.objects.bulk_create(places, batch_size=_AT_ONCE)
        badges = _badges(season, places)
        Badge.objects.bulk_create(badges, batch_size=_AT_ONCE)
        season.frozen_at = clock.now()
        season.save(update_fields=["frozen_at"])
        for badge in badges:
            notify(
                badge.player_id,
                Topic.BADGE,
                tag=f"season:{number}",
                prize=badge.prize,
                year=season.year,
                quarter=season.quarter,
            )
        return True


def _places(season: Season) -> list[SeasonPlace]:
    within = Q(created_at__gte=season.began_at, created_at__lt=season.ends_at)
    results = (
        RatingChange.objects.that_stand()
        .filter(within, pool=Pool.RANKED, player__kind=PlayerKind.PERSON)
        .exclude(player__in=Rating.objects.filter(barred=True).values("player"))
        .order_by()
        .values("player")
        .annotate(matches=Count("pk"), won=Sum("score"))
        .filter(matches__gte=elo.PROVISIONAL_UNDER)
    )
    rows = {row["player"]: row for row in results}
    ratings = _ratings_at(season.ends_at, list(rows))
    return _ranked(
        SeasonPlace(
            season=season,
            player_id=player,
            rating=ratings[player],
            matches=row["matches"],
            won=row["won"],
            lost=row["matches"] - row["won"],
        )
        for player, row in rows.items()
    )


def _ratings_at(moment: datetime, players: list[int]) -> dict[int, int]:
    """The ranked rating of each of these players just before ``moment``, from the ledger."""
    ratings: dict[int, int] = {}
    for at in range(0, len(players), _AT_ONCE):
        rows = RatingChange.objects.filter(
            pool=Pool.RANKED, player__in=players[at : at + _AT_ONCE], created_at__lt=moment
        )
        last = rows.order_by().values("player").annotate(last=Max("pk")).values("last")
        of_last = RatingChange.objects.filter(pk__in=last).values_list("player", "after")
        ratings |= dict(of_last)
    return ratings


def _ranked(places: Iterable[SeasonPlace]) -> list[SeasonPlace]:
    """Best first, with ranks: equal ratings share one."""
    inturn = sorted(places, key=lambda place: (-place.rating, place.player_id))
    for number, place in enumerate(inturn, start=1):
        before = inturn[number - 2] if number > 1 else None
        even = before is not None and before.rating == place.rating
        place.rank = before.rank if even else number
    return inturn


def _badges(season: Season, places: list[SeasonPlace]) -> list[Badge]:
    now = clock.now()
    given = ((place, _prize(place.rank, len(places))) for place in places)
    return [
        Badge(season=season, player_id=place.player_id, prize=prize, made_at=now)
        for place, prize in given
        if prize
    ]


def _prize(rank: int, of: int) -> Prize | None:
    """The best that a rank of ``of`` wins."""
    for most, prize in BEST:
        if rank <= most:
            return prize
    return Prize.TENTH if rank * 10 <= of else None
