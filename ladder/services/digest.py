"""The daily letter to those moderators who want it: numbers and links, nothing of anybody."""

import logging
import smtplib
from datetime import date

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Player, PlayerKind, clock
from ladder.models import Act
from ladder.selectors.digest import Digest, digest
from ladder.selectors.roles import may

log = logging.getLogger(__name__)


def send() -> int:
    """Send today's letter to each who wants it and has not had it. Returns how many were sent.

    Nobody gets two in a day, however often this runs and in how many processes. Who could not be
    reached is tried again by the next run. None is sent when there is nothing to tell.
    """
    today, found = clock.now().date(), digest(clock.now())
    if found.is_empty:
        return 0
    wanting = Player.objects.filter(kind=PlayerKind.PERSON, is_staff=True, wants_digest=True)
    due = wanting.exclude(email="").exclude(digest_on=today).order_by("pk")
    return sum(may(reader, Act.QUEUE) and _send(reader, found, today) for reader in due)


def _send(reader: Player, found: Digest, today: date) -> bool:
    """False if another run was faster, or no mail went out."""
    mine = Player.objects.filter(pk=reader.pk)
    if not mine.exclude(digest_on=today).update(digest_on=today):
        return False
    try:
        _letter(reader, found).send()
    except (OSError, smtplib.SMTPException):
        log.exception("the digest for player %s could not be sent", reader.pk)
        mine.update(digest_on=reader.digest_on)
        return False
    return True


def _letter(reader: Player, found: Digest) -> EmailMessage:
    with translation.override(reader.language or settings.LANGUAGE_CODE):
        told = {
            "reader": reader,
            "digest": found,
            "queue": settings.SITE_URL + reverse("ladder:moderation"),
            "settings": settings.SITE_URL + reverse("games:settings"),
        }
        return EmailMessage(
            subject=_("Basra: moderation today"),
            body=render_to_string("moderation/email/digest.txt", told),
            to=[reader.email],
        )
