"""Follow, block and mute: what a person says of another.

Each act may be repeated, and then changes nothing. A block takes effect at once, everywhere, and
who is blocked is not told. An act holds both players' rows, so that a follow cannot slip past a
block that is made in the same moment.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Block, Follow, Mute, Notification, Player, Topic
from games.models.people import Tie
from games.selectors.people import blocked_either_way
from games.services import notifications, publish
from games.services.after import after_commit
from games.services.challenges import cancel_between
from games.services.errors import Refused
from games.services.locks import lock

MOST = 300  # of each kind, for one person


def follow(player: Player, other: Player) -> None:
    """``player`` wants to see when ``other`` is here; ``other`` is told, once."""
    with _held(player, other) as (player, other):
        # One sentence for all of these: who is blocked does not learn it from here.
        if not other.is_person or blocked_either_way(player, other):
            raise Refused(_("This player cannot be followed."))
        if _say(Follow, player, other):
            tag = f"follow:{player.pk}"
            if not Notification.objects.filter(player=other, tag=tag).exists():
                notifications.notify(other, Topic.FOLLOW, tag=tag, by=player)
            _tell(player, "people")


def unfollow(player: Player, other: Player) -> None:
    """``player`` follows ``other`` no longer."""
    with _held(player, other) as (player, other):
        if _unsay(Follow, player, other):
            notifications.take_back(f"follow:{player.pk}", other)
            _tell(player, "people")


def block(player: Player, other: Player) -> None:
    """``player`` wants nothing to do with ``other``: neither follows the other any more, what is
    open between them is called off, and what ``other`` did is gone from ``player``'s news.
    """
    with _held(player, other) as (player, other):
        if not (other.is_person or other.is_guest):
            raise Refused(_("Only people can be blocked."))
        if not _say(Block, player, other):
            return
        pair = Q(player=player, other=other) | Q(player=other, other=player)
        Follow.objects.filter(pair).delete()
        notifications.take_back_by(player, other)
        cancel_between(player, other)
        _tell(player, "people", "challenges", "talk", "lobby")
        _tell(other, "people", "challenges", "talk", "lobby")


def unblock(player: Player, other: Player) -> None:
    """``player`` lets ``other`` near again; nothing that the block undid comes back."""
    with _held(player, other) as (player, other):
        if _unsay(Block, player, other):
            for one in (player, other):
                _tell(one, "people", "talk", "lobby")


def mute(player: Player, other: Player) -> None:
    """``player`` does not want to read what ``other`` writes; ``other`` is not told."""
    with _held(player, other) as (player, other):
        if not (other.is_person or other.is_guest):
            raise Refused(_("Only people can be muted."))
        if _say(Mute, player, other):
            _tell(player, "people", "talk")


def unmute(player: Player, other: Player) -> None:
    """``player`` reads ``other`` again."""
    with _held(player, other) as (player, other):
        if _unsay(Mute, player, other):
            _tell(player, "people", "talk")


def forget(player: Player) -> None:
    """An account closes: nobody has anything to do with it any more. Joins the transaction."""
    for tie in (Follow, Block, Mute):
        tie.objects.filter(Q(player=player) | Q(other=player)).delete()
    Notification.objects.filter(player=player).delete()


@contextmanager
def _held(player: Player, other: Player) -> Iterator[tuple[Player, Player]]:
    """One transaction that holds both rows, as they are now.

    Raises ``Refused`` for who has nothing to say here.
    """
    if player.pk == other.pk:
        raise Refused(_("This is yourself: there is nobody to follow, block or mute."))
    with transaction.atomic():
        both = lock(Player.objects.filter(pk__in=[player.pk, other.pk]), no_key=True)
        now = {row.pk: row for row in both}
        if len(now) < len([player, other]):
            raise Refused(_("This player is gone."))
        if not now[player.pk].is_person:
            raise Refused(_("Sign up first: following, blocking and muting need an account."))
        yield now[player.pk], now[other.pk]


def _say(tie: type[Tie], player: Player, other: Player) -> bool:
    """False if it was said already. Raises ``Refused`` when the list is full."""
    said = tie.objects.filter(player=player)
    if said.filter(other=other).exists():
        return False
    if said.count() >= MOST:
        raise Refused(
            ngettext(
                "Your list is full: it holds %(most)s name. Take one off it first.",
                "Your list is full: it holds %(most)s names. Take one off it first.",
                MOST,
            )
            % {"most": MOST}
        )
    tie.objects.create(player=player, other=other)
    return True


def _unsay(tie: type[Tie], player: Player, other: Player) -> bool:
    return bool(tie.objects.filter(player=player, other=other).delete()[0])


def _tell(player: Player, *topics: str) -> None:
    after_commit(publish.news, player.pk, *topics)
