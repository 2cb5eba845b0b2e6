"""Guests: who plays practice before signing up.

A guest is a row of ``Player`` made by the first practice post. Sign-up fills in that same row, so
that matches, settings and clocks go on. One who has asked for no page in seven days is gone.
"""

import logging
import secrets
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Match, Player, PlayerKind, clock
from games.ports import TextKind
from games.services import accounts, house, locks, play, texts
from games.services.errors import Refused
from games.services.publish import end_sessions

log = logging.getLogger(__name__)

IDLE = timedelta(days=7)
NOTED_EVERY = timedelta(hours=1)  # signs of life are written no oftener than this
SESSION = IDLE + NOTED_EVERY  # how long a guest's session lasts after the last one written
_NAME_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_NAME_DRAWN = 14  # letters after "guest-", 70 bits: no two guests are called the same
_FILLED_IN = ("name", "password", "email", "kind", "date_joined")


def practise(*, level: str, target: int = 101, **preferences: object) -> tuple[Player, Match]:
    """A new guest with these preferences, and the practice match that made one of a stranger.

    Raises ``Player.DoesNotExist`` for a level that is none; then there is no guest either.
    """
    with transaction.atomic():
        guest = welcome(**preferences)
        return guest, house.practise(player=guest, level=level, target=target)


def welcome(**preferences: object) -> Player:
    """A new guest, who cannot log in: the session that is begun for the guest is the only one."""
    drawn = "".join(secrets.choice(_NAME_LETTERS) for _place in range(_NAME_DRAWN))
    return Player.objects.create_user(
        f"guest-{drawn}", kind=PlayerKind.GUEST, last_login=clock.now(), **preferences
    )


def is_due(guest: Player) -> bool:
    """Is it time to note that the guest, who has asked for a page, is still here?"""
    return guest.last_login is None or guest.last_login < clock.now() - NOTED_EVERY


def note(guest: Player) -> bool:
    """The guest is still here. False if the row is gone: then this is a stranger."""
    return bool(Player.objects.filter(pk=guest.pk).update(last_login=clock.now()))


def sign_up(filled_in: Player) -> Player:
    """Make a guest a person: ``filled_in`` is the row with its name, password and e-mail.

    Raises ``ValidationError`` if somebody took the name a moment ago, and ``Refused`` if this
    guest has an account by now: of two sign-ups at once one counts.
    """
    try:
        with transaction.atomic():
            guests = Player.objects.filter(pk=filled_in.pk, kind=PlayerKind.GUEST)
            if locks.lock(guests).first() is None:
                raise Refused(_("This browser's guest has signed up already. Reload the page."))
            filled_in.kind, filled_in.date_joined = PlayerKind.PERSON, clock.now()
            filled_in.save(update_fields=_FILLED_IN)
            texts.written(filled_in, TextKind.NAME, filled_in.name)
    except IntegrityError:
        accounts.check_free(filled_in.name)
        raise
    return filled_in


def forget_idle() -> int:
    """Delete the guests who are gone, with their matches; a running match is never cut.

    What the public lists have of those matches stays: their commitments, and the sums that their
    packs are in. Returns how many guests.
    """
    return sum(_forget_quietly(pk) for pk in list(_gone().values_list("pk", flat=True)))


def _gone() -> QuerySet[Player]:
    """Who has shown no sign of life for seven days, however late the last one was written."""
    limit = clock.now() - SESSION
    return Player.objects.filter(kind=PlayerKind.GUEST, last_login__lt=limit)


def _forget_quietly(guest_id: int) -> bool:
    """One guest who cannot be deleted must not keep the others from it."""
    try:
        return _forget(guest_id)
    except Exception:
        log.exception("could not forget guest %s", guest_id)
        return False


def _forget(guest_id: int) -> bool:
    with transaction.atomic():
        guest = locks.lock(_gone().filter(pk=guest_id)).first()
        if guest is None or not play.forget(player=guest):
            return False
        guest.delete()
    end_sessions(guest_id)
    return True
