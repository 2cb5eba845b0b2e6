"""Past seasons: their tables, and what a player has won in them."""

import re
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from games.models import Player, PlayerKind, clock
from ladder.models import Badge, Rating, Season, SeasonPlace, season_bounds, season_number
from ladder.selectors.leaderboard import NEIGHBOURS

PAGE_SIZE = 100
KEY = re.compile(r"([0-9]{1,9})_([0-9]{1,18})")  # a rank and a player


@dataclass(frozen=True, slots=True)
class Table:
    """A page of the final table of a season; ``own``, ``before`` and ``after`` as in
    ``leaderboard.Section``."""

    season: Season
    rows: list[SeasonPlace]
    own: list[SeasonPlace]
    before: str
    after: str


def running() -> Season:
    """The season of the moment, as it is known whether or not it has been begun."""
    number = season_number(clock.now())
    began_at, ends_at = season_bounds(number)
    return Season(number=number, began_at=began_at, ends_at=ends_at)


def past() -> QuerySet[Season]:
    """The seasons whose tables are final, newest first."""
    return Season.objects.filter(frozen_at__isnull=False)


def table(number: int, me: Player | None, after: str = "", before: str = "") -> Table:
    """A page of the final table of season ``number``: after or before the line of a key, and the
    first one for what is none. Without whom a moderator has taken off the boards since.

    Raises ``Season.DoesNotExist``.
    """
    season = past().get(number=number)
    places = (
        season.places.filter(player__kind=PlayerKind.PERSON)
        .exclude(player__in=Rating.objects.filter(barred=True).values("player"))
        .select_related("player")
        .order_by("rank", "player")
    )
    rows, newer, older = _page(places, after, before)
    mine = places.filter(player=me).first() if me and (newer or older) else None
    return Table(
        season,
        rows,
        own=_around(places, mine) if mine and mine not in rows else [],
        before=_key(rows[0]) if rows and newer else "",
        after=_key(rows[-1]) if rows and older else "",
    )


def badges_of(player: Player) -> list[Badge]:
    """The badges of a player, newest first."""
    return list(Badge.objects.filter(player=player).select_related("season").order_by("-season_id"))


def _page(
    places: QuerySet[SeasonPlace], after: str, before: str
) -> tuple[list[SeasonPlace], bool, bool]:
    """The lines of a page, and are there better ones, and worse."""
    if key := KEY.fullmatch(after):
        found = list(_behind(places, *map(int, key.groups()))[: PAGE_SIZE + 1])
        return found[:PAGE_SIZE], True, len(found) > PAGE_SIZE
    if key := KEY.fullmatch(before):
        found = list(_ahead(places, *map(int, key.groups()))[: PAGE_SIZE + 1])
        if len(found) > PAGE_SIZE:
            return found[PAGE_SIZE - 1 :: -1], True, True
    found = list(places[: PAGE_SIZE + 1])
    return found[:PAGE_SIZE], False, len(found) > PAGE_SIZE


def _around(places: QuerySet[SeasonPlace], mine: SeasonPlace) -> list[SeasonPlace]:
    at = mine.rank, mine.player_id
    above = list(_ahead(places, *at)[:NEIGHBOURS])[::-1]
    return [*above, mine, *_behind(places, *at)[:NEIGHBOURS]]


def _behind(places: QuerySet[SeasonPlace], rank: int, player: int) -> QuerySet[SeasonPlace]:
    later = Q(rank__gt=rank) | Q(player__gt=player)
    return places.filter(Q(rank__gte=rank) & later)


def _ahead(places: QuerySet[SeasonPlace], rank: int, player: int) -> QuerySet[SeasonPlace]:
    """Nearest first."""
    sooner = Q(rank__lt=rank) | Q(player__lt=player)
    return places.filter(Q(rank__lte=rank) & sooner).order_by("-rank", "-player")


def _key(place: SeasonPlace) -> str:
    return f"{place.rank}_{place.player_id}"
