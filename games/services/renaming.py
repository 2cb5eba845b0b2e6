"""A player's name is changed: once in 90 days, or when a moderator asks for another one."""

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games import ports
from games.models import FormerName, Mask, Player, PlayerKind, clock
from games.names import clean_name
from games.ports import TextKind
from games.services import accounts, texts
from games.services.errors import Refused
from games.services.locks import lock

EVERY = timedelta(days=90)


def due(player: Player) -> datetime | None:
    """When ``player`` may change the name again; None if that is now."""
    again = player.renamed_at and player.renamed_at + EVERY
    return again if again and again > clock.now() else None


def is_required(player: Player) -> bool:
    """Has a moderator taken the name out of sight until there is another one?"""
    return player.mask == Mask.RENAME


def allow_again(player: Player, key: str) -> None:
    """The name of that key need not have been given up: it is held for ``player``, as if the change
    had not been required, and the name may be changed at once. Joins the transaction."""
    held = clock.now() + accounts.NAME_HELD
    if player.former_names.filter(name_key=key, until=None).update(until=held):
        Player.objects.filter(pk=player.pk).update(renamed_at=None)


def rename(*, player: Player, name: str, required: bool = False) -> Player:
    """Call a person ``name`` from now on; the row as it is then. The same name changes nothing.

    The name before is held for 90 days: nobody else may take it or its look-alike, and its address
    leads to the new one. A change that is ``required``, as it always is while a moderator withholds
    the name, need not wait, but wants a name that is unlike all that the player was called. Then,
    and while any measure stands against the player, the name before is never free again.

    Raises ``ValidationError`` for what is no name or is taken, and ``Refused`` before the time.
    """
    shown = clean_name(name)
    try:
        with transaction.atomic():
            return _rename(player, shown, required)
    except IntegrityError:  # somebody took it a moment ago
        accounts.check_free(shown, player)
        raise


def _rename(player: Player, shown: str, required: bool) -> Player:
    people = Player.objects.filter(pk=player.pk, kind=PlayerKind.PERSON)
    locked = lock(people).first()
    if locked is None:
        raise Refused(_("Only a person's open account can have another name."))
    required = required or is_required(locked)
    if shown == locked.name and not required:
        return locked
    if not required and (again := due(locked)):
        raise Refused(
            _("You can change your name again from %(date)s.") % {"date": date_format(again)}
        )
    accounts.check_free(shown, None if required else locked)
    until = None if required or locked.is_held else clock.now() + accounts.NAME_HELD
    before_key, before = locked.name_key, {"skeleton": locked.skeleton, "until": until}
    locked.name, locked.renamed_at = shown, clock.now()
    locked.save(update_fields=["name", "renamed_at"])
    texts.written(locked, TextKind.NAME, locked.name)
    locked.former_names.filter(name_key=locked.name_key).delete()
    if before_key != locked.name_key:
        FormerName.objects.update_or_create(
            name_key=before_key, defaults=before | {"player": locked}
        )
    ports.on_renamed(locked)
    return locked
