"""Who follows, blocks and mutes whom; who is on the site; and people by name.

Whoever blocks somebody and is blocked by somebody see the same of one another here: nothing.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import (
    Block,
    Follow,
    Kind,
    Match,
    Mute,
    Online,
    Player,
    PlayerKind,
    Seat,
    clock,
)
from games.names import name_key, skeleton
from games.selectors.matches import LIVE

FOUND = 20  # rows of a search
SHORTEST = 2  # letters of a name to search by
LONGEST = 80  # of a longer text no name begins with


@dataclass(frozen=True, slots=True)
class Ties:
    """What a reader has said of another player, and whether either blocks the other."""

    follows: bool = False
    mutes: bool = False
    blocks: bool = False
    is_blocked: bool = False

    @property
    def apart(self) -> bool:
        """Is there a block, whoever made it?"""
        return self.blocks or self.is_blocked


@dataclass(frozen=True, slots=True)
class Person:
    """A person in a list. ``match``: the live ranked match that can be watched."""

    player: Player
    is_online: bool
    is_followed: bool = False
    match: Match | None = None


def ties(reader: Player, player: Player) -> Ties:
    """What there is between the two. 1 query."""
    mine = {"player": reader, "other": player}
    found = Player.objects.filter(pk=player.pk).values_list(
        Exists(Follow.objects.filter(**mine)),
        Exists(Mute.objects.filter(**mine)),
        Exists(Block.objects.filter(**mine)),
        Exists(Block.objects.filter(player=player, other=reader)),
    )
    return Ties(*found.get())


def blocked_either_way(one: Player | int, two: Player | int) -> bool:
    """Does one of the two, players or ids, block the other?"""
    return _blocks_between([one], [two]).exists()


def blocked_ids(player: Player | int) -> set[int]:
    """The ids of the players whom ``player`` blocks, and of those who block ``player``."""
    rows = Block.objects.filter(Q(player=player) | Q(other=player)).values_list("player", "other")
    return {other for row in rows for other in row} - {_id(player)}


def kept_apart(player_ids: Collection[int]) -> set[frozenset[int]]:
    """The pairs among these players of whom one blocks the other. 1 query."""
    rows = Block.objects.filter(player__in=player_ids, other__in=player_ids)
    return {frozenset(row) for row in rows.values_list("player", "other")}


def is_kept_out(viewer: Player, player_ids: Collection[int]) -> bool:
    """Does one of these players block ``viewer``, or the other way round?"""
    return _blocks_between([viewer], player_ids).exists()


def following(player: Player, *, only_online: bool = False) -> list[Person]:
    """Whom ``player`` follows: who is online first, then by name. 2 queries, 1 if nobody."""
    rows = Player.objects.filter(
        pk__in=Follow.objects.filter(player=player).values("other"), kind=PlayerKind.PERSON
    )
    rows = rows.annotate(is_online=_online())
    if only_online:
        rows = rows.filter(is_online=True)
    people = list(rows.order_by("-is_online", "name_key"))
    matches = _matches_to_watch([person.pk for person in people if person.is_online])
    return [
        Person(person, person.is_online, is_followed=True, match=matches.get(person.pk))
        for person in people
    ]


def blocked(player: Player) -> list[Player]:
    """Whom ``player`` blocks, by name."""
    return _borne(Block, player)


def muted(player: Player) -> list[Player]:
    """Whom ``player`` mutes, by name."""
    return _borne(Mute, player)


def named(text: str, among: QuerySet[Player]) -> list[Player]:
    """The people of ``among`` whose name begins like ``text``, however it is spelt, by name.

    At most 20, of more than that any but who is called just so; none for a text of less than two
    letters, or that no name can begin with. 3 queries, each over as soon as it has 20: in order, or
    for both spellings at once, PostgreSQL goes through everybody whose name begins so.
    """
    key, look = name_key(text[: LONGEST + 1]), skeleton(text[: LONGEST + 1])
    if not SHORTEST <= len(key) <= LONGEST:
        return []
    ways = [Q(name_key=key) | Q(skeleton=look), _begins("name_key", key)]
    if len(look) >= SHORTEST:
        ways.append(_begins("skeleton", look))
    people = among.filter(kind=PlayerKind.PERSON, mask="")
    found = {player.pk: player for way in ways for player in people.filter(way)[:FOUND]}
    return sorted(islice(found.values(), FOUND), key=attrgetter("name_key"))


def search(text: str, reader: Player) -> list[Person]:
    """The people whose name begins like ``text``, however it is spelt, by name.

    At most 20; none for a text of less than two letters, or that no name can begin with. ``reader``
    is not among them, nor whom a block keeps apart from ``reader``. 4 queries.
    """
    follows = Follow.objects.filter(player=reader, other=OuterRef("pk"))
    others = Player.objects.exclude(pk__in=blocked_ids(reader) | {reader.pk})
    found = named(text, others.annotate(is_online=_online(), is_followed=Exists(follows)))
    return [Person(player, player.is_online, player.is_followed) for player in found]


def _id(player: Player | int) -> int:
    return player.pk if isinstance(player, Player) else player


def _blocks_between(
    ones: Collection[Player | int], others: Collection[Player | int]
) -> QuerySet[Block]:
    there = Q(player__in=ones, other__in=others)
    return Block.objects.filter(there | Q(player__in=others, other__in=ones))


def _online() -> Exists:
    """Is the player on the site, and does not keep it to themselves?"""
    here = Online.objects.filter(player=OuterRef("pk"), until__gt=clock.now())
    return Exists(here.filter(player__shows_online=True))


def _matches_to_watch(player_ids: Collection[int]) -> dict[int, Match]:
    """The live ranked match of each of these players who plays one."""
    if not player_ids:
        return {}
    seats = Seat.objects.filter(
        player__in=player_ids, match__kind=Kind.RANKED, match__status__in=LIVE
    ).select_related("match")
    return {seat.player_id: seat.match for seat in seats.defer("match__sealed")}


def _borne(tie: type[Block] | type[Mute], player: Player) -> list[Player]:
    rows = Player.objects.filter(pk__in=tie.objects.filter(player=player).values("other"))
    return list(rows.exclude(kind=PlayerKind.CLOSED).order_by("name_key"))


def _begins(field: str, text: str) -> Q:
    """``field`` begins with ``text``, found by index: PostgreSQL keeps one for patterns, whatever
    its collation; SQLite would use none for a pattern, but compares byte by byte.
    """
    if connection.vendor == "postgresql":
        return Q(**{f"{field}__startswith": text})
    return Q(**{f"{field}__gte": text, f"{field}__lt": f"{text}\U0010ffff"})
