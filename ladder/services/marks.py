"""Marks: which accounts are used from a device like this one, without knowing which device it is.

A mark is a keyed hash of user agent, language and address block, taken at log-in: no script, and
nothing of the three is kept. The key is replaced every 90 days, and marks go after as long.
"""

import ipaddress
import secrets
from datetime import timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from games.models import Player, clock
from ladder.models import Mark, MarkKey

KEPT = timedelta(days=90)
_BLOCKS = {4: 24, 6: 48}  # bits of an address that a household or an office shares
_LONGEST = 400  # characters of a header


def on_logged_in(request: HttpRequest, user: Player, **_signal: Any) -> None:
    """Note the mark of whoever has logged in or signed up, where the address is known."""
    if request is None or not user.is_person:
        return
    try:
        address = get_adapter(request).get_client_ip(request)
    except PermissionDenied:  # how allauth says that there is no address
        return
    headers = request.headers
    agent, language = headers.get("User-Agent", ""), headers.get("Accept-Language", "")
    note(user, agent=agent, language=language, address=address)


def note(player: Player, *, agent: str, language: str, address: str) -> None:
    """Note that ``player`` was here with this user agent, language and address."""
    now = clock.now()
    key = _key()
    text = "\n".join((agent[:_LONGEST], language[:_LONGEST], block(address)))
    digest = salted_hmac(f"mark {key.salt}", text, algorithm="sha256").hexdigest()
    Mark.objects.update_or_create(
        player=player,
        key=key,
        digest=digest,
        defaults={"last_at": now},
        create_defaults={"first_at": now, "last_at": now},
    )


def block(address: str) -> str:
    """The block of an address: its /24, or /48 in IPv6; empty for what is none.

    >>> block("192.0.2.77"), block("2001:db8:1:2::3"), block("x")
    ('192.0.2.0/24', '2001:db8:1::/48', '')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((found, _BLOCKS[found.version]), strict=False))


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
