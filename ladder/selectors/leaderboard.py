"""The leaderboard. The rule for ties: equal ratings share a rank, and the next rank counts all of
them (1, 1, 3); among equals the list goes by name."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from games.models import Player, PlayerKind
from ladder import elo
from ladder.models import Pool, Rating

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A line: ``rank`` is None for a provisional rating."""

    player: Player
    rating: int
    won: int
    lost: int
    rank: int | None
    is_me: bool


@dataclass(frozen=True, slots=True)
class Section:
    """A page of one section; ``own`` is the reader's line if it stands on another page."""

    page: Page
    rows: list[Row]
    own: Row | None


def ranked() -> QuerySet[Rating]:
    """The ratings that have a rank, best first."""
    return _listed().filter(matches__gte=elo.PROVISIONAL_UNDER)


def provisional() -> QuerySet[Rating]:
    """The ratings of too few matches for a rank, best first."""
    return _listed().filter(matches__gt=0, matches__lt=elo.PROVISIONAL_UNDER)


def rank_of(rating: Rating) -> int | None:
    """One more than the number of ranked ratings above it; None while it is provisional."""
    if rating.provisional:
        return None
    return 1 + ranked().order_by().filter(rating__gt=rating.rating).count()


def ranked_section(number: str | int, me: Player | None) -> Section:
    """Page ``number`` of the ranked; a number that is none gives the nearest page there is."""
    page = Paginator(ranked(), PAGE_SIZE).get_page(number)
    return _section(page, _ranks(page), me, ranked())


def provisional_section(number: str | int, me: Player | None) -> Section:
    """Page ``number`` of the provisional."""
    page = Paginator(provisional(), PAGE_SIZE).get_page(number)
    return _section(page, [None] * len(page.object_list), me, provisional())


def top(count: int, me: Player | None) -> list[Row]:
    """The first ``count`` lines."""
    page = Paginator(ranked(), count).get_page(1)
    return [_row(rating, rank, me) for rating, rank in zip(page, _ranks(page), strict=True)]


def _listed() -> QuerySet[Rating]:
    """People only: who has closed the account leaves the board."""
    return (
        Rating.objects.filter(pool=Pool.RANKED, player__kind=PlayerKind.PERSON)
        .select_related("player")
        .order_by("-rating", "player__name_key")
    )


def _ranks(page: Page) -> list[int | None]:
    """The ranks of a page: the first is counted, the others follow from it."""
    page.object_list = list(page.object_list)
    ranks: list[int | None] = []
    above = page.start_index() - 1
    for place, rating in enumerate(page.object_list):
        if place and rating.rating == page.object_list[place - 1].rating:
            ranks.append(ranks[-1])
        elif place or not above:
            ranks.append(above + place + 1)
        else:
            ranks.append(rank_of(rating))
    return ranks


def _section(
    page: Page, ranks: list[int | None], me: Player | None, everybody: QuerySet[Rating]
) -> Section:
    page.object_list = list(page.object_list)
    rows = [_row(rating, rank, me) for rating, rank in zip(page, ranks, strict=True)]
    own = None
    if me is not None and page.has_other_pages() and not any(row.is_me for row in rows):
        mine = everybody.filter(player=me).first()
        own = _row(mine, rank_of(mine), me) if mine else None
    return Section(page, rows, own)


def _row(rating: Rating, rank: int | None, me: Player | None) -> Row:
    is_me = me is not None and rating.player_id == me.pk
    return Row(rating.player, rating.rating, rating.won, rating.lost, rank, is_me)
