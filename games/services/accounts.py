"""Accounts: which name is free, the recovery code, and how an account is closed."""

import hashlib
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.models import (
    FormerName,
    HeldName,
    Match,
    Player,
    PlayerKind,
    RecoveryCode,
    Status,
    clock,
)
from games.names import MAX_LENGTH, name_key, skeleton
from games.ports import TextKind
from games.services import challenges, devices, exports, locks, people, play, sessions, texts
from games.services.errors import Refused

NAME_HELD = timedelta(days=90)
_CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: they are misread
_CODE_GROUPS, _CODE_GROUP = 4, 4  # 80 bits
_MISREAD = str.maketrans("ILO", "110")


class WrongCode(Refused):
    """No open account of that name has that code, or it has been used."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "That name and code don't belong together, or the code has been used. "
                "A code works once, and a newer one replaces it."
            )
        )


@dataclass(frozen=True, slots=True)
class Held:
    """A name that is somebody's: ``until`` if it is so only for a time, after a closed account
    (``closed``) or one that has another name now."""

    name_key: str
    until: datetime | None = None
    closed: bool = False


def check_free(name: str, mine: Player | None = None) -> None:
    """Raise ValidationError, naming a free one, if ``name`` is taken or looks like another.

    What ``mine`` is or was called is free to that player.
    """
    held = _like(name, mine)
    if not held:
        return
    key, free = name_key(name), free_name(name)
    same = next((other for other in held if other.name_key == key), None)
    if same is None:
        text = _("That name looks too much like another player's. %(free)s is free.")
    elif same.until is None:
        text = _("That name is taken. %(free)s is free.")
    elif same.closed:
        text = _(
            "That name belonged to an account that is closed, and is free again from %(date)s. "
            "%(free)s is free now."
        )
    else:
        text = _(
            "That name was another player's, and is free again from %(date)s. %(free)s is free now."
        )
    date = date_format(same.until) if same and same.until else ""
    raise ValidationError(text % {"free": free, "date": date}, code="taken")


def free_name(name: str) -> str:
    """A free name like ``name``, at most 20 characters long."""
    endings = [f"_{number}" for number in range(2, 10)]
    endings += [f"_{secrets.randbelow(9000) + 1000}" for _attempt in range(20)]
    stem = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in name)
    for ending in endings:
        candidate = stem[: MAX_LENGTH - len(ending)] + ending
        if not _like(candidate):
            return candidate
    return stem[: MAX_LENGTH - 9] + f"_{secrets.token_hex(4)}"


def create(player: Player) -> Player:
    """Save a new ``player``. Raises ValidationError if somebody took the name a moment ago."""
    try:
        with transaction.atomic():
            player.save(force_insert=True)
            texts.written(player, TextKind.NAME, player.name)
    except IntegrityError:
        check_free(player.name)
        raise
    return player


def issue_recovery_code(player: Player) -> str:
    """A new recovery code, returned once and kept as a hash; the one before it stops working."""
    code = "".join(secrets.choice(_CODE_LETTERS) for _place in range(_CODE_GROUPS * _CODE_GROUP))
    RecoveryCode.objects.update_or_create(
        player=player,
        defaults={"digest": _digest(player, code), "made_at": clock.now(), "used_at": None},
    )
    return "-".join(code[at : at + _CODE_GROUP] for at in range(0, len(code), _CODE_GROUP))


def has_recovery_code(player: Player) -> bool:
    """Is there a code that has not been used?"""
    return RecoveryCode.objects.filter(player=player, used_at=None).exists()


def find_by_recovery_code(name: str, code: str) -> Player:
    """Whose code it is; the code stays good. Raises ``WrongCode``."""
    player = Player.objects.filter(
        name_key=name_key(name), kind=PlayerKind.PERSON, is_active=True
    ).first()
    if player is None or not _open_code(player, code).exists():
        raise WrongCode
    return player


def use_recovery_code(*, name: str, code: str, new_password: str) -> Player:
    """Set a new password by name and recovery code; the code is used up. Raises ``WrongCode``.

    Of two uses at once one wins. Every session of the player ends with the old password.
    """
    with transaction.atomic():
        player = find_by_recovery_code(name, code)
        if not _open_code(player, code).update(used_at=clock.now()):
            raise WrongCode
        player.set_password(new_password)
        player.save(update_fields=["password"])
    sessions.end_all(player)
    return player


def running_matches(player: Player) -> QuerySet[Match]:
    """The matches that closing the account would resign or leave."""
    return Match.objects.filter(seats__player=player, status__in=[Status.STARTING, Status.PLAYING])


def close_account(player: Player) -> None:
    """Close a person's account for good: see the closing page for what it promises.

    Running matches are resigned, or left where nothing is dealt. Every session ends. What
    moderators may still need goes later (``games.services.forgetting``). Raises ``Refused`` for who
    is no person or is closed already.
    """
    if player.kind != PlayerKind.PERSON:
        raise Refused(_("Only a person's open account can be closed."))
    _leave_matches(player)
    with transaction.atomic():
        locked = locks.lock(Player.objects.filter(pk=player.pk, kind=PlayerKind.PERSON)).first()
        if locked is None:
            raise Refused(_("This account is closed already."))
        EmailAddress.objects.filter(user=locked).delete()
        Authenticator.objects.filter(user=locked).delete()
        RecoveryCode.objects.filter(player=locked).delete()
        locked.kind, locked.closed_at = PlayerKind.CLOSED, clock.now()
        locked.is_active = locked.is_staff = locked.is_superuser = False
        locked.email = locked.about = ""
        locked.set_unusable_password()
        locked.save()
        locked.groups.clear()
        locked.user_permissions.clear()
        people.forget(locked)
        devices.forget(locked)
        exports.forget(locked)
    challenges.cancel_all(player)
    _leave_matches(player)  # one that began in between
    sessions.end_all(player)
    player.refresh_from_db()


def release_names() -> int:
    """Free the names of accounts closed more than 90 days ago, and those that players have had
    before, when they are due. Returns how many."""
    former, _rows = FormerName.objects.filter(until__lt=clock.now()).delete()
    HeldName.objects.filter(until__lt=clock.now()).delete()
    return former + (
        Player.objects.filter(kind=PlayerKind.CLOSED, closed_at__lt=clock.now() - NAME_HELD)
        .exclude(name="")
        .update(
            name="",
            skeleton=None,
            name_key=Concat(Value("closed-"), Cast("pk", CharField()), output_field=CharField()),
        )
    )


def _like(name: str, mine: Player | None = None) -> list[Held]:
    """The names that are the same or look the same, besides those that are or were ``mine``.

    Players first: who gives a name up at this moment has it in the first look or in the second.
    """
    key = name_key(name)
    alike = Q(name_key=key) | Q(skeleton=skeleton(name))
    players = Player.objects.filter(alike).exclude(pk=mine and mine.pk)
    held = [
        Held(row.name_key, row.closed_at and row.closed_at + NAME_HELD, row.is_closed)
        for row in players
    ]
    former = FormerName.objects.filter(alike).exclude(player=mine, until__isnull=False)
    held += [Held(*row) for row in former.values_list("name_key", "until")]
    return held + [
        Held(key if row.is_of(key) else "", row.until, closed=True)
        for row in HeldName.like(key, skeleton(name))
    ]


def _digest(player: Player, code: str) -> str:
    """The hash of a code. It is drawn with 80 bits, so a slow hash would add nothing."""
    return hashlib.sha256(f"{player.pk}:{code}".encode()).hexdigest()


def _open_code(player: Player, code: str) -> QuerySet[RecoveryCode]:
    """The row of that code of that player, while unused; blanks, dashes and case don't matter."""
    text = unicodedata.normalize("NFKC", code).upper().translate(_MISREAD)
    digits = (str(unicodedata.digit(c)) if c.isdigit() else c for c in text)
    letters = "".join(c for c in digits if c in _CODE_LETTERS)
    return RecoveryCode.objects.filter(player=player, digest=_digest(player, letters), used_at=None)


def _leave_matches(player: Player) -> None:
    """Resign what is being played; leave what has not begun."""
    for match_id, status in list(running_matches(player).values_list("pk", "status")):
        try:
            leave = play.abort if status == Status.STARTING else play.resign
            leave(match_id=match_id, player=player)
        except Refused:  # it was dealt in between
            play.resign(match_id=match_id, player=player)


def choose_language(player: Player, code: str) -> None:
    """Keep the language that ``player`` reads; empty for whatever the browser wishes."""
    player.language = code
    player.save(update_fields=["language"])
