"""Measures outlive an account: closing does not escape them, and a name does not carry them.

They are bound to the row of the player, never to the name, which is another row's once it is free.
And they are bound to the confirmed e-mail address, by a keyed hash: who confirms it for another
account bears there what is still in force.
"""

from collections.abc import Sequence
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Player, clock
from games.models.keyed import keyed, keyed_ever
from games.services.locks import lock
from ladder.models import BoundAddress, Measure, Sanction

PURPOSE = "bound address"
ENDS_WITH_THE_ACCOUNT = (Measure.WARNING, Measure.RENAME)  # read, or of a name that is gone


def on_closing(player: Player, addresses: Sequence[str]) -> None:
    """Bind what is in force to the addresses of an account that closes. Joins the transaction."""
    if _in_force().filter(player=player).exists():
        now = clock.now()
        BoundAddress.objects.bulk_create(
            [
                BoundAddress(player=player, digest=keyed(PURPOSE, _plain(address)), made_at=now)
                for address in addresses
            ],
            ignore_conflicts=True,
        )


def on_confirmed(email_address: EmailAddress, **_signal: Any) -> None:
    """An address is confirmed: what it is bound to holds for this account, too."""
    digests = keyed_ever(PURPOSE, _plain(email_address.email))
    if BoundAddress.objects.filter(digest__in=digests).exists():
        carry_over(digests, email_address.user)


def carry_over(digests: Sequence[str], player: Player) -> int:
    """Put on ``player`` what is bound to an address and not in force there yet. Returns how many
    measures. Of two confirmations at once the second finds what the first has done."""
    with transaction.atomic():
        lock(Player.objects.filter(pk=player.pk)).get()
        bound = BoundAddress.objects.filter(digest__in=digests).values("player")
        there = set(_in_force().filter(player=player).values_list("measure", flat=True))
        carried = 0
        for old in _in_force().filter(player__in=bound).exclude(player=player).order_by("pk"):
            if old.measure not in there:
                there.add(old.measure)
                carried += 1
                Sanction.objects.create(
                    player=player, measure=old.measure, reason=old.reason, message=old.message,
                    by_id=old.by_id, began_at=clock.now(), until=old.until,
                )  # fmt: skip
    return carried


def forget_old() -> int:
    """Delete the hashes to which nothing is bound any more. Returns how many."""
    standing = _in_force().filter(player=OuterRef("player"))
    return BoundAddress.objects.filter(~Exists(standing)).delete()[0]


def _in_force() -> QuerySet[Sanction]:
    still = Q(until__isnull=True) | Q(until__gt=clock.now())
    return Sanction.objects.filter(still, undone_at=None).exclude(measure__in=ENDS_WITH_THE_ACCOUNT)


def _plain(address: str) -> str:
    return address.strip().casefold()
