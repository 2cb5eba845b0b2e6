"""What allauth asks of this site for the second factor: words, secrets at rest, the picture."""

from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.totp.internal.auth import TOTP
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from games.models import Player
from games.models.sealing import seal_text, unseal_text

_PROLOGUE = "?>"


class Adapter(DefaultMFAAdapter):
    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("Switch two-factor log-in on first."),
        "incorrect_code": _(
            "That code is not right, or it has been used. Wait for the next one of your app."
        ),
    }

    def get_totp_label(self, user: Player) -> str:
        """What the app calls the account: the name, since there need be no address."""
        return user.name

    def build_totp_svg(self, url: str) -> SafeString:
        """The picture as an element of the page, since the policy forbids ``data:`` images. It is
        drawn by a library from squares alone: nothing of ``url`` is in it as text."""
        drawn = super().build_totp_svg(url)
        return mark_safe(drawn.rpartition(_PROLOGUE)[2].strip())  # noqa: S308

    def encrypt(self, text: str) -> str:
        return seal_text(text)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal_text(encrypted_text)


def use_up(authenticator: Any, code: str) -> bool:
    """Take ``code``, which was right, out of use for its time; False if it was out already."""
    return TOTP(authenticator)._mark_code_used(code)
