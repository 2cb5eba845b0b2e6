"""Calls a person back to a table that waits: a ranked match that begins, or a turn, while no page
of it is open. What is past by then is taken back.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q

from games.models import Lease, Match, Notification, Player, PlayerKind, Seat, Topic
from games.services import notifications


@dataclass(frozen=True, slots=True)
class _Place:
    """A person's seat as it is now: does the match wait for it, was a page of it open when that
    began, and what is its player told of and has not read.
    """

    player_id: int
    is_turn: bool
    is_here: bool
    is_over: bool
    told_turn: bool
    told_pairing: bool


def tell_of_pairing(match: Match, player_ids: Iterable[int]) -> None:
    """The queue has made ``match`` of these players. Joins the running transaction."""
    for player_id in player_ids:
        notifications.notify(player_id, Topic.PAIRING, tag=_pairing(match.pk), match=match)


def tell_of_turn(match: Match) -> None:
    """After a step of a match with a clock. 1 small query, and no more while both are at the table.

    What follows goes by the match as it is then, so that of two steps at once the later one is
    right.
    """
    if match.turn is None and not match.is_over:
        return
    if not match.is_over and _both_are_here(match):
        return
    for place in _places(match.pk):
        missed = place.is_turn and not place.is_here
        if missed and not place.told_turn:
            notifications.notify(place.player_id, Topic.TURN, tag=_turn(match.pk), match=match)
        elif place.told_turn and not missed:
            notifications.take_back(_turn(match.pk), place.player_id)
        if place.told_pairing and place.is_over:
            notifications.take_back(_pairing(match.pk), place.player_id)


def is_at_table(match_id: str, player: Player) -> None:
    """``player`` has opened the table: there is nothing to be called to any more. 1 query."""
    notifications.take_back((_turn(match_id), _pairing(match_id)), player)


def _turn(match_id: str) -> str:
    return f"turn:{match_id}"


def _pairing(match_id: str) -> str:
    return f"pairing:{match_id}"


def _both_are_here(match: Match) -> bool:
    """Did each seat have an open page when the turn began?"""
    leases = Lease.objects.filter(match=match.pk, until__gte=match.turn_began)
    return set(leases.values_list("seat", flat=True)) >= {0, 1}


def _places(match_id: str) -> list[_Place]:
    leases = Lease.objects.filter(
        match=OuterRef("match"), seat=OuterRef("seat"), until__gte=OuterRef("match__turn_began")
    )
    unread = Notification.objects.filter(player=OuterRef("player"), read_at=None)
    rows = Seat.objects.filter(match=match_id, player__kind=PlayerKind.PERSON).values_list(
        "player",
        Q(match__turn__isnull=False, match__turn=F("seat")),
        Exists(leases),
        Q(match__finished_at__isnull=False),
        Exists(unread.filter(tag=_turn(match_id))),
        Exists(unread.filter(tag=_pairing(match_id))),
    )
    return [_Place(*row) for row in rows]
