"""The leaderboards: who has a rank, who has none yet, the running season, and whom I follow.

The rule for ties: equal ratings share a rank, and the next rank counts all of them (1, 1, 3); among
equals the older account stands first. A page begins at a place, not at a number: a rating and a
player, so that none is slower than another and nothing is seen twice.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import neg

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from games.models import Follow, Player, PlayerKind, clock
from games.selectors import people
from ladder import elo
from ladder.models import (
    Board,
    BoardState,
    Pool,
    Rating,
    RatingChange,
    RatingCount,
    season_number,
)
from ladder.models.rating import LISTED_FOR, LISTED_OPPONENTS

PAGE_SIZE = 50
NEIGHBOURS = 2
FORM = 5  # last matches shown as marks
EXACT = 1_000  # places: so many are counted one by one, more from the counts of the last minute
FOLLOWED = 500
KEY = re.compile(r"(-?[0-9]{1,5})_([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Lack:
    """What a rating lacks for a rank: ranked matches, different opponents, or a match lately."""

    matches: int = 0
    opponents: int = 0
    lately: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A line. ``rank`` is None for who has none; ``climbed`` are the places won in a week (lost,
    below zero), None where there was no rank; ``form`` are the last results, newest last."""

    player: Player
    rating: int
    won: int
    lost: int
    rank: int | None
    is_me: bool
    key: str
    climbed: int | None = None
    form: tuple[bool, ...] = ()
    lack: Lack | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A page of one board; ``own`` are the reader's line and its neighbours if it stands on another
    page. ``newer`` and ``older`` are the keys that the pages around it end before and begin after.
    """

    rows: list[Row]
    own: list[Row]
    before: str = ""
    after: str = ""


def listed() -> QuerySet[Rating]:
    """The ratings that have a rank, best first."""
    return _in_order(_people().filter(listed=True))


def others() -> QuerySet[Rating]:
    """Those that lack something for a rank, best first."""
    return _in_order(_people().filter(listed=False, matches__gt=0))


def of_season(number: int) -> QuerySet[Rating]:
    """Those with a place in the running season's table, best first."""
    enough = Q(season=number, season_matches__gte=elo.PROVISIONAL_UNDER)
    return _in_order(_people().filter(enough))


def followed(me: Player) -> list[Row]:
    """Whom ``me`` follows, and ``me``, with their ranks of all time, best first; nobody where that
    would be ``me`` alone."""
    others = Follow.objects.filter(player=me).values("other")
    ratings = _in_order(_people().filter(Q(player__in=others) | Q(player=me), matches__gt=0))
    rows = _rows(list(ratings[:FOLLOWED]), me, rank_each=True)
    return [] if all(row.is_me for row in rows) else rows


def ranked_section(me: Player | None, after: str = "", before: str = "") -> Section:
    """A page of the ranked. A key that is none gives the first page."""
    return _section(listed(), Board.ALL_TIME, me, after, before)


def others_section(me: Player | None, after: str = "", before: str = "") -> Section:
    """A page of those without a rank."""
    return _section(others(), None, me, after, before)


def season_section(me: Player | None, after: str = "", before: str = "") -> Section:
    """A page of the running season's table."""
    return _section(of_season(season_number(clock.now())), Board.SEASON, me, after, before)


def top(count: int, me: Player | None) -> list[Row]:
    """The first ``count`` lines."""
    return _rows(list(listed()[:count]), me, first_rank=1)


def around(me: Player) -> Section | None:
    """The page on which ``me`` stands, in the middle; None without a rank."""
    mine = listed().filter(player=me).first()
    if mine is None:
        return None
    above = list(_above(listed(), mine)[: PAGE_SIZE // 2])
    first = above[-1] if above else mine
    newer = _above(listed(), first).exists()
    found = [first, *_below(listed(), first)[:PAGE_SIZE]]
    return _page(listed(), Board.ALL_TIME, me, found, newer=newer)


def rank_of(rating: Rating) -> int | None:
    """The rank of all time; None for who has none."""
    return ranks(Board.ALL_TIME, [rating.rating])[rating.rating] if rating.listed else None


def ranks(board: Board, ratings: Iterable[int]) -> dict[int, int]:
    """The rank on ``board`` of each of ``ratings``: where at most a thousand are better, as they
    stand; of the others by the counts of the last minute. 2 queries at most, whatever is asked.
    """
    everybody = listed() if board == Board.ALL_TIME else of_season(season_number(clock.now()))
    best = list(everybody.values_list("rating", flat=True)[:EXACT])
    found = {rating: bisect_left(best, -rating, key=neg) + 1 for rating in ratings}
    far = {rating for rating, rank in found.items() if rank > EXACT}
    if far:
        counts = RatingCount.objects.filter(board=board, rating__gt=min(far))
        counted = list(counts.values_list("rating", "players"))
        for rating in far:
            better = sum(players for of, players in counted if of > rating)
            found[rating] = max(found[rating], better + 1)
    return found


def share_below(rating: int) -> int | None:
    """How many per cent of the ranked have less than ``rating``; None while nobody is counted."""
    counts = RatingCount.objects.filter(board=Board.ALL_TIME)
    found = counts.aggregate(
        everybody=Sum("players"), below=Sum("players", filter=Q(rating__lt=rating))
    )
    return 100 * (found["below"] or 0) // found["everybody"] if found["everybody"] else None


def counted_at() -> datetime | None:
    """When the board was last brought up to date; None if never."""
    state = BoardState.objects.filter(pk=BoardState.THE_ROW).first()
    return state.counted_at if state else None


def search(text: str, me: Player | None) -> list[Row]:
    """The lines of those whose name begins like ``text``, best first; who has no rating is left
    out."""
    shown = Rating.objects.filter(
        player=OuterRef("pk"), pool=Pool.RANKED, barred=False, matches__gt=0
    )
    found = people.named(text, Player.objects.filter(Exists(shown)))
    ratings = _people().filter(player__in=found)
    return _rows(list(_in_order(ratings)), me, rank_each=True)


def lack_of(rating: Rating, now: datetime) -> Lack:
    """What ``rating`` lacks for a rank at the moment ``now``."""
    idle = rating.last_at is None or rating.last_at <= now - LISTED_FOR
    return Lack(
        matches=max(0, elo.PROVISIONAL_UNDER - rating.matches),
        opponents=max(0, LISTED_OPPONENTS - rating.opponents),
        lately=idle and rating.matches >= elo.PROVISIONAL_UNDER,
    )


def key_of(rating: Rating) -> str:
    """Where a line stands, as addresses write it."""
    return f"{rating.rating}_{rating.player_id}"


def _people() -> QuerySet[Rating]:
    """People only: who has closed the account leaves the board, and whom a moderator has taken
    off it."""
    people = Rating.objects.filter(pool=Pool.RANKED, player__kind=PlayerKind.PERSON, barred=False)
    return people.select_related("player")


def _in_order(ratings: QuerySet[Rating]) -> QuerySet[Rating]:
    return ratings.order_by("-rating", "player")


def _below(ratings: QuerySet[Rating], at: Rating) -> QuerySet[Rating]:
    """What stands after ``at``; the first half lets the index find the place."""
    later = Q(rating__lt=at.rating) | Q(player__gt=at.player_id)
    return ratings.filter(Q(rating__lte=at.rating) & later)


def _above(ratings: QuerySet[Rating], at: Rating) -> QuerySet[Rating]:
    """What stands before ``at``, nearest first."""
    sooner = Q(rating__gt=at.rating) | Q(player__lt=at.player_id)
    return ratings.filter(Q(rating__gte=at.rating) & sooner).order_by("rating", "-player")


def _place(key: str) -> Rating | None:
    """The place that a key names; None for what is none."""
    found = KEY.fullmatch(key)
    return Rating(rating=int(found[1]), player_id=int(found[2])) if found else None


def _section(
    everybody: QuerySet[Rating], board: Board | None, me: Player | None, after: str, before: str
) -> Section:
    if place := _place(after):
        found = [place, *_below(everybody, place)[: PAGE_SIZE + 1]]
        return _page(everybody, board, me, found[1:], newer=True)
    if place := _place(before):
        found = list(_above(everybody, place)[: PAGE_SIZE + 1])
        if len(found) > PAGE_SIZE:
            return _page(everybody, board, me, found[PAGE_SIZE - 1 :: -1], newer=True, older=True)
    return _page(everybody, board, me, list(everybody[: PAGE_SIZE + 1]))


def _page(
    everybody: QuerySet[Rating],
    board: Board | None,
    me: Player | None,
    found: list[Rating],
    *,
    newer: bool = False,
    older: bool = False,
) -> Section:
    """A page of the first ``PAGE_SIZE`` of ``found``; one more tells of those after them."""
    older = older or len(found) > PAGE_SIZE
    page = found[:PAGE_SIZE]
    first = None
    if board and page:
        first = ranks(board, [page[0].rating])[page[0].rating] if newer else 1
    place = _even_before(everybody, page) if newer else 0
    rows = _rows(page, me, board=board, first_rank=first, place=place)
    own: list[Row] = []
    if me is not None and (newer or older) and not any(row.is_me for row in rows):
        own = _neighbours(everybody, board, me)
    return Section(
        rows,
        own,
        before=key_of(page[0]) if page and newer else "",
        after=key_of(page[-1]) if page and older else "",
    )


def _even_before(everybody: QuerySet[Rating], page: list[Rating]) -> int:
    """How many stand before the page with the rating of its first line."""
    if not page:
        return 0
    even = everybody.order_by().filter(rating=page[0].rating, player__lt=page[0].player_id)
    return even.count()


def _neighbours(everybody: QuerySet[Rating], board: Board | None, me: Player) -> list[Row]:
    mine = everybody.filter(player=me).first()
    if mine is None:
        return []
    above = list(_above(everybody, mine)[:NEIGHBOURS])[::-1]
    found = [*above, mine, *_below(everybody, mine)[:NEIGHBOURS]]
    first = ranks(board, [found[0].rating])[found[0].rating] if board else None
    place = _even_before(everybody, found)
    return _rows(found, me, board=board, first_rank=first, place=place)


def _rows(
    ratings: list[Rating],
    me: Player | None,
    *,
    board: Board | None = None,
    first_rank: int | None = None,
    place: int = 0,
    rank_each: bool = False,
) -> list[Row]:
    """Lines, the first of which has ``first_rank`` and ``place`` of its rating before it."""
    now = clock.now()
    form = _form([rating.player_id for rating in ratings], now)
    rank_by = ranks(Board.ALL_TIME, {r.rating for r in ratings if r.listed}) if rank_each else {}
    rows: list[Row] = []
    rank = first_rank
    for number, rating in enumerate(ratings):
        if rank_each:
            rank = rank_by[rating.rating] if rating.listed else None
        elif first_rank and number and rating.rating != ratings[number - 1].rating:
            rank = first_rank + place + number
        lack = None if board == Board.SEASON or rating.listed else lack_of(rating, now)
        rows.append(_row(rating, rank, me, form.get(rating.player_id, ()), lack, board))
    return rows


def _row(
    rating: Rating,
    rank: int | None,
    me: Player | None,
    form: tuple[bool, ...],
    lack: Lack | None,
    board: Board | None,
) -> Row:
    season = board == Board.SEASON
    then = None if season else rating.week_rank
    return Row(
        player=rating.player,
        rating=rating.rating,
        won=rating.season_won if season else rating.won,
        lost=rating.season_lost if season else rating.lost,
        rank=rank,
        is_me=me is not None and rating.player_id == me.pk,
        key=key_of(rating),
        climbed=then - rank if then and rank and rating.listed else None,
        form=form,
        lack=lack,
    )


def _form(players: list[int], now: datetime) -> dict[int, tuple[bool, ...]]:
    """The last results of these players, by id, newest last. 1 query."""
    since = now - timedelta(days=90)
    newest = Window(RowNumber(), partition_by=F("player"), order_by=F("id").desc())
    rows = (
        RatingChange.objects.that_stand()
        .filter(pool=Pool.RANKED, player__in=players, created_at__gte=since)
        .annotate(newest=newest)
        .filter(newest__lte=FORM)
        .order_by("player", "id")
        .values_list("player", "score")
    )
    found: dict[int, tuple[bool, ...]] = {}
    for player, score in rows:
        found[player] = (*found.get(player, ()), score == 1)
    return found
