"""Appeals: once against a sanction, and decided by somebody else than who imposed it."""

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Player, Topic, clock
from games.services.errors import Refused
from games.services.locks import lock
from games.services.notifications import notify
from ladder.models import Act, Appeal, Sanction
from ladder.selectors import sanctions as selector
from ladder.services import audit, roles, sanctions

LONGEST = 1000  # characters


def appeal(sanction: Sanction, player: Player, text: str) -> Appeal:
    """``player`` says why the sanction is wrong. Sent twice is sent once.

    Raises ``Sanction.DoesNotExist`` for another player's, and ``Refused`` for a second appeal, for
    one against what has been undone, and for nothing or too much.
    """
    with transaction.atomic():
        held = lock(Player.objects.filter(pk=player.pk), no_key=True).get()
        found = lock(Sanction.objects.filter(pk=sanction.pk, player=held)).get()
        said = sanctions.clean(text, LONGEST)
        earlier = Appeal.objects.filter(sanction=found).first()
        if earlier is not None and earlier.text == said:
            return earlier
        if found.undone_at is not None:
            raise Refused(_("It has been taken back already."))
        if not selector.may_be_appealed(found):
            raise Refused(_("You have appealed against this already. It can be done once."))
        if not said:
            raise Refused(_("Say why you think that it is wrong."))
        return Appeal.objects.create(sanction=found, text=said, made_at=clock.now())


def decide(appeal: Appeal, by: Player, granted: bool, answer: str) -> Appeal:
    """Grant the appeal, which undoes the sanction, or reject it; ``player`` is told, with
    ``answer``. The same decision again is a success.

    Raises ``Refused`` for who may not, or imposed the sanction, and where somebody else has decided
    otherwise.
    """
    with transaction.atomic():
        sanction = Sanction.objects.select_related("player").get(pk=appeal.sanction_id)
        held = lock(Player.objects.filter(pk=sanction.player_id), no_key=True).get()
        found = lock(Appeal.objects.filter(pk=appeal.pk)).get()
        roles.require(by, Act.DECIDE, held)
        if sanction.by_id == by.pk:
            raise Refused(_("Somebody else than who imposed it decides on an appeal."))
        if found.granted is not None:
            return _decided(found, granted)
        found.granted, found.answer = granted, sanctions.clean(answer, LONGEST)
        found.decided_at, found.decided_by = clock.now(), by
        found.save(update_fields=["granted", "answer", "decided_at", "decided_by"])
        audit.record(
            by,
            Act.DECIDE,
            player=held,
            why=found.answer,
            before={"granted": None},
            after={"granted": granted, "appeal": found.pk, "sanction": sanction.pk},
        )
        if granted:
            sanctions.take_back_locked(sanction, held, by, found.answer)
        notify(
            held,
            Topic.NOTICE,
            tag=f"undone:{sanction.pk}",
            answer="granted" if granted else "rejected",
            address=reverse("ladder:sanctions"),
        )
        return found


def _decided(found: Appeal, granted: bool) -> Appeal:
    if found.granted == granted:
        return found
    raise Refused(_("This appeal has been decided already."))
