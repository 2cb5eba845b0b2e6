"""Marks: which accounts are used from a device like this one, without knowing which device it is.

A mark is a keyed hash of user agent, language and address block, taken at log-in: no script, and
nothing of the three is kept. The key is replaced every 90 days, and marks go after as long.
"""

import secrets
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from games.models import Player, clock
from games.services import addresses
from ladder.models import Mark, MarkKey

KEPT = timedelta(days=90)
_LONGEST = 400  # characters of a header


def on_logged_in(request: HttpRequest, user: Player, **_signal: Any) -> None:
    """Note the mark of whoever has logged in or signed up, where the address is known."""
    if request is None or not user.is_person:
        return
    address = addresses.of_client(request)
    if not address:
        return
    headers = request.headers
    agent, language = headers.get("User-Agent", ""), headers.get("Accept-Language", "")
    note(user, agent=agent, language=language, address=address)


def note(player: Player, *, agent: str, language: str, address: str) -> None:
    """Note that ``player`` was here with this user agent, language and address."""
    now = clock.now()
    key = _key()
    text = "\n".join((agent[:_LONGEST], language[:_LONGEST], addresses.block(address)))
    digest = salted_hmac(f"mark {key.salt}", text, algorithm="sha256").hexdigest()
    Mark.objects.update_or_create(
        player=player,
        key=key,
        digest=digest,
        defaults={"last_at": now},
        create_defaults={"first_at": now, "last_at": now},
    )


def forget_old() -> int:
    """Delete marks that are 90 days old, and keys that are twice as old. Returns how many marks."""
    now = clock.now()
    gone, _rows = Mark.objects.filter(last_at__lt=now - KEPT).delete()
    MarkKey.objects.filter(made_at__lt=now - 2 * KEPT).delete()
    return gone


def _key() -> MarkKey:
    """The key of the present period."""
    with transaction.atomic():
        newest = MarkKey.objects.order_by("-made_at").first()
        if newest is None or newest.made_at <= clock.now() - KEPT:
            newest = MarkKey.objects.create(made_at=clock.now(), salt=secrets.token_hex(32))
        return newest
