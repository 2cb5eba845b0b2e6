"""What is personal of an account that was closed goes, once moderators have had time to look.

The row stays, since matches are others' history too: it has no name then, and nothing that tells
whose it was. The name is held on as a keyed hash, until it is free.
"""

from datetime import timedelta

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q

from games import ports
from games.models import (
    Challenge,
    ContactMessage,
    Device,
    HeldName,
    Notification,
    Online,
    Player,
    PlayerKind,
    PuzzleAnswer,
    Utterance,
    clock,
)
from games.services import sessions
from games.services.accounts import NAME_HELD
from games.services.locks import lock

AFTER = timedelta(days=28)  # with the hourly task well within the 30 days that are promised
AT_ONCE = 100
_PLAIN = ("about", "language", "email", "learned")


def forget_closed() -> int:
    """Forget the accounts that were closed long enough ago. Returns how many."""
    due = Player.objects.filter(kind=PlayerKind.CLOSED, closed_at__lt=clock.now() - AFTER)
    forgotten = 0
    while keys := list(due.exclude(name="").order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        for key in keys:
            _forget(key)
        forgotten += len(keys)
    return forgotten


def _forget(player_id: int) -> None:
    with transaction.atomic():
        player = lock(Player.objects.filter(pk=player_id, kind=PlayerKind.CLOSED)).get()
        _forget_what_was_said(player)
        ports.forget(player)
        _hold_names(player)
        for field in _PLAIN:
            setattr(player, field, "")
        player.name, player.name_key, player.skeleton = "", f"closed-{player.pk}", None
        player.last_login = player.renamed_at = None
        player.save()
    sessions.end_all(player)


def _forget_what_was_said(player: Player) -> None:
    Utterance.objects.filter(player=player).delete()
    named = Q(by=player) | Q(facts__text=player.name)
    Notification.objects.filter(named).delete()
    Challenge.objects.filter(Q(challenger=player) | Q(opponent=player), match=None).delete()
    Online.objects.filter(player=player).delete()
    Device.objects.filter(player=player).delete()
    ContactMessage.objects.filter(player=player).delete()
    PuzzleAnswer.objects.filter(player=player).delete()
    kind = ContentType.objects.get_for_model(Player)
    about = Q(content_type=kind, object_id=str(player.pk))
    LogEntry.objects.filter(about | Q(user=player)).delete()


def _hold_names(player: Player) -> None:
    """Keep the names that are not free yet from others, without keeping them."""
    held = [(row.name_key, row.skeleton, row.until) for row in player.former_names.all()]
    if player.closed_at and player.skeleton:
        held.append((player.name_key, player.skeleton, player.closed_at + NAME_HELD))
    for name_key, skeleton, until in held:
        if until is None or until > clock.now():
            found = HeldName.of(name_key, skeleton)
            HeldName.objects.update_or_create(
                name_digest=found["name_digest"],
                defaults={"skeleton_digest": found["skeleton_digest"], "until": until},
            )
    player.former_names.all().delete()
