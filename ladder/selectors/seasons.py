"""Past seasons: their tables, and what a player has won in them."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from games.models import Player, PlayerKind, clock
from ladder.models import Badge, Rating, Season, SeasonPlace, season_bounds, season_number

PAGE_SIZE = 100


@dataclass(frozen=True, slots=True)
class Table:
    """A page of the final table of a season; ``own`` is the reader's line on another page."""

    season: Season
    page: Page
    own: SeasonPlace | None


def running() -> Season:
    """The season of the moment, as it is known whether or not it has been begun."""
    number = season_number(clock.now())
    began_at, ends_at = season_bounds(number)
    return Season(number=number, began_at=began_at, ends_at=ends_at)


def past() -> QuerySet[Season]:
    """The seasons whose tables are final, newest first."""
    return Season.objects.filter(frozen_at__isnull=False)


def table(number: int, at: str, me: Player | None) -> Table:
    """Page ``at`` of the final table of season ``number``, without whom a moderator has taken off
    the boards since. Raises ``Season.DoesNotExist``."""
    season = past().get(number=number)
    places = (
        season.places.filter(player__kind=PlayerKind.PERSON)
        .exclude(player__in=Rating.objects.filter(barred=True).values("player"))
        .select_related("player")
        .order_by("rank", "player")
    )
    page = Paginator(places, PAGE_SIZE).get_page(at)
    own = places.filter(player=me).first() if me else None
    return Table(season, page, None if own in list(page) else own)


def badges_of(player: Player) -> list[Badge]:
    """The badges of a player, newest first."""
    return list(Badge.objects.filter(player=player).select_related("season").order_by("-season_id"))
