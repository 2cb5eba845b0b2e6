"""Messages to whoever runs the site: by mail, and kept where no mail goes out."""

import logging
import smtplib
from datetime import timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import translation

from games.models import ContactMessage, Player, clock
from games.services import free_text

log = logging.getLogger(__name__)

KEPT = timedelta(days=90)


def write(*, text: str, address: str = "", player: Player | None = None) -> bool:
    """Send ``text`` to the operators, to be answered at ``address`` if there is one.

    False if no mail went out: then it is kept for the administrators.
    """
    shown = "\n".join(free_text.visible(line) for line in text.splitlines())
    if settings.CONTACT_EMAIL and _send(shown, address, player):
        return True
    ContactMessage.objects.create(player=player, address=address, text=shown, made_at=clock.now())
    return False


def forget_old() -> int:
    """Delete the messages kept for more than 90 days. Returns how many."""
    return ContactMessage.objects.filter(made_at__lt=clock.now() - KEPT).delete()[0]


def _send(text: str, address: str, player: Player | None) -> bool:
    who = f"{player.shown_name} ({settings.SITE_URL}{player.get_absolute_url()})" if player else "-"
    mail = EmailMessage(
        subject="Basra: a message from the contact page",  # to the operators, in their language
        body=f"{text}\n\n--\n{who}\n{address or '-'}\n{translation.get_language()}",
        to=[settings.CONTACT_EMAIL],
        reply_to=[address] if address else None,
    )
    try:
        return bool(mail.send())
    except (OSError, smtplib.SMTPException):
        log.exception("a message of the contact page could not be sent")
        return False
