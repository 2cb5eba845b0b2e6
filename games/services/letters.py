"""Letters that are written without a page: in the language that their reader read last."""

from allauth.account.adapter import get_adapter
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Login


def of_new_device(login_id: int, language: str) -> None:
    """Write to the player of a log-in, where there is a confirmed address, that it was made.

    Does nothing if that session is over.
    """
    login = Login.objects.select_related("player").filter(pk=login_id).first()
    if login is None:
        return
    with translation.override(login.player.language or language or None):
        get_adapter().send_notification_mail(
            "account/email/new_device",
            login.player,
            {"device": login.device or _("an unknown browser")},
        )
