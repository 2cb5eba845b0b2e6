"""What a person is told of: written here, put into words by ``games.selectors.notifications``.

Joins the running transaction, so that the news stands or falls with what it tells of; open pages
hear of it after the commit.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from games.models import Block, Challenge, Match, Notification, Player, PlayerKind, Topic, clock
from games.services import publish
from games.services.after import after_commit
from games.services.locks import lock

KEPT = timedelta(days=90)
DELETED_AT_ONCE = 1000


def notify(
    player: Player | int,
    topic: Topic,
    *,
    tag: str = "",
    by: Player | int | None = None,
    match: Match | None = None,
    challenge: Challenge | None = None,
    **facts: str | int | bool,
) -> None:
    """Tell ``player``, or the player of that id, of ``topic``.

    Of unread news with the same ``tag`` only the newest stays. ``by`` is whose doing it was, and
    ``facts`` the plain values that the sentence needs. Guests, house players and closed accounts
    are told nothing, nobody is told of what somebody does whom they block, nor of their own doing.
    """
    player_id, by_id = _id(player), _id(by)
    if not _hears(player_id, by_id):
        return
    said = {
        "topic": topic,
        "by_id": by_id,
        "match": match,
        "challenge": challenge,
        "facts": facts,
        "made_at": clock.now(),
    }
    with transaction.atomic():
        _write(player_id, tag, said)
        _ring(player_id)


def read(player: Player, notification_id: int) -> bool:
    """``player`` has seen it. False if it was none of theirs, or read already."""
    return _read(player, Q(pk=notification_id))


def read_all(player: Player) -> bool:
    """``player`` has seen all. False if nothing was unread."""
    return _read(player, Q())


def take_back(tag: str | Sequence[str], *players: Player | int) -> None:
    """What was told under ``tag``, or several, and is not read yet is past: these players need not
    see it."""
    tags = [tag] if isinstance(tag, str) else tag
    for player_id in map(_id, players):
        told = _unread(player_id).filter(tag__in=tags)
        if not told.exists():  # a look first: on SQLite a transaction stops every other writer
            continue
        with transaction.atomic():
            _held(told).delete()
            _ring(player_id)


def take_back_by(player: Player, other: Player) -> None:
    """``player`` blocks ``other``: nothing of what ``other`` did is told any more."""
    with transaction.atomic():
        if _held(Notification.objects.filter(player=player, by=other)).delete()[0]:
            _ring(player.pk)


def switch_notices(player: Player, *, on: bool) -> None:
    """Let the player's browsers show what is new by themselves, or no more."""
    Player.objects.filter(pk=player.pk).update(browser_notices=on)


def forget_old() -> int:
    """Delete what is older than 90 days; how many there were."""
    old = Notification.objects.filter(made_at__lt=clock.now() - KEPT)
    deleted = 0
    while keys := list(old.values_list("pk", flat=True)[:DELETED_AT_ONCE]):
        with transaction.atomic():
            deleted += _held(old.filter(pk__in=keys)).delete()[0]
    return deleted


def _id(player: Player | int | None) -> int | None:
    return player.pk if isinstance(player, Player) else player


def _unread(player_id: int) -> QuerySet[Notification]:
    return Notification.objects.filter(player=player_id, read_at=None)


def _hears(player_id: int, by_id: int | None) -> bool:
    if player_id == by_id:
        return False
    people = Player.objects.filter(pk=player_id, kind=PlayerKind.PERSON)
    return people.exclude(pk__in=Block.objects.filter(other=by_id).values("player")).exists()


def _write(player_id: int, tag: str, said: dict[str, object]) -> None:
    """Write it over the unread one of that tag, or anew."""
    if tag and _unread(player_id).filter(tag=tag).update(**said):
        return
    try:
        with transaction.atomic():
            Notification.objects.create(player_id=player_id, tag=tag, **said)
    except IntegrityError:
        # Of two at once the second does not see the first one's row until it cannot insert.
        if not tag or not _unread(player_id).filter(tag=tag).update(**said):
            raise


def _read(player: Player, which: Q) -> bool:
    with transaction.atomic():
        if not _held(_unread(player.pk).filter(which)).update(read_at=clock.now()):
            return False
        _ring(player.pk)
    return True


def _held(rows: QuerySet[Notification]) -> QuerySet[Notification]:
    """``rows``, locked in the order of their keys: so two who take many of them at once come one
    after the other, whichever way each would find them."""
    return Notification.objects.filter(pk__in=list(lock(rows).values_list("pk", flat=True)))


def _ring(player_id: int) -> None:
    after_commit(publish.news, player_id, "bell")
