"""What allauth asks of this site: names, messages, limits per account, links and mail."""

import logging
import smtplib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import ports
from games.learning import progress_of
from games.models import Player
from games.names import clean_name, name_key
from games.services import accounts, guests

log = logging.getLogger(__name__)

CODE_DUE = "recovery_code_due"  # in the session: whose new recovery code is to be shown, once


def display(player: Player) -> str:
    """How allauth's own pages and mails call a player."""
    return player.shown_name


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is closed to log-ins."),
        "cannot_remove_primary_email": _("This e-mail address cannot be removed."),
        "duplicate_email": _("This is your e-mail address already."),
        "email_taken": _("This e-mail address cannot be used here. Choose another one."),
        "enter_current_password": _("This is not your current password. Type it again."),
        "incorrect_password": _("This is not your password. Type it again."),
        "invalid_login": _("That name and password don't belong together."),
        "invalid_password_reset": _("This link does not work any more. Ask for a new one."),
        "rate_limited": _("That was too often in a short time. Wait a few minutes."),
        "too_many_login_attempts": _(
            "Too many wrong passwords for this name. Wait five minutes, or set a new password "
            "with your recovery code or by e-mail."
        ),
        "too_many_codes": _("Too many wrong codes. Wait five minutes, then take a fresh one."),
        "username_password_mismatch": _(
            "That name and password don't belong together. Check both, "
            "or set a new password with your recovery code or by e-mail."
        ),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Can there be new accounts now?"""
        return ports.may_sign_up().allowed

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name as it will be shown. Raises ValidationError if it is no name, kept or taken."""
        name = clean_name(username)
        if not shallow:
            accounts.check_free(name)
        return name

    def new_user(self, request: HttpRequest) -> Player:
        """Whom a sign-up fills in: the guest of this browser, or somebody new."""
        is_guest = getattr(request.user, "is_guest", False)
        return Player.objects.get(pk=request.user.pk) if is_guest else Player()

    def save_user(
        self, request: HttpRequest, user: Player, form: Any, commit: bool = True
    ) -> Player:
        """Save the new player. Raises ValidationError if the name was taken a moment ago, and
        Refused for a guest who has signed up already."""
        super().save_user(request, user, form, commit=False)
        if not commit:
            return user
        if user.pk is not None:
            return guests.sign_up(user)
        user.learned = progress_of(request).written
        return accounts.create(user)

    def post_login(self, request: HttpRequest, user: Player, **kwargs: Any) -> HttpResponse:
        """After a sign-up or a recovery the next page shows a recovery code, and leads on."""
        response = super().post_login(request, user, **kwargs)
        if not kwargs["signup"] and not (kwargs["signal_kwargs"] or {}).get("recovered"):
            return response
        request.session[CODE_DUE] = user.pk
        query = (
            {} if response.url == self.get_login_redirect_url(request) else {"next": response.url}
        )
        return redirect(reverse("account_recovery_code", query=query))

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """The ways to say who is there, in this site's words."""
        words = {
            "reauthenticate": gettext("With my password"),
            "mfa_reauthenticate": gettext("With a code of my app"),
        }
        ways = super().get_reauthentication_methods(user)
        return [{**way, "description": words.get(way["id"], way["description"])} for way in ways]

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account_overview")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        if self.request.user.is_authenticated:
            return reverse("account_overview")
        return resolve_url(settings.LOGIN_URL)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """One budget for each account, however its name is typed and whichever host is asked."""
        return name_key(credentials.get("username") or credentials.get("email") or "")

    def get_reset_password_from_key_url(self, key: str) -> str:
        uid, _dash, token = key.partition("-")
        return _absolute("account_reset_password_from_key", uidb36=uid, key=token)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return _absolute("account_confirm_email", key=emailconfirmation.key)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: Player,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell ``user`` what was changed, at ``email``, which is the one before a change, or at the
        address in use; nobody at an address that was never confirmed. No address and no name of a
        browser goes along."""
        if email is None:
            confirmed = EmailAddress.objects.filter(user=user, verified=True, primary=True)
            email = confirmed.values_list("email", flat=True).first()
        if email:
            self.send_mail(template_prefix, email, {"user": user, **(context or {})})

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links go to SITE_URL; tell the reader if the mail server refuses."""
        pages = {
            "email": email,
            "site_url": settings.SITE_URL,
            "signup_page": _absolute("account_signup"),
            "reset_page": _absolute("account_reset_password"),
            "account_page": _absolute("account_overview"),
            "sessions_page": _absolute("account_sessions"),
        }
        try:
            self.render_mail(template_prefix, email, {**pages, **context}).send()
        except (OSError, smtplib.SMTPException):
            log.exception("mail %s could not be sent", template_prefix)
            text = gettext("The e-mail could not be sent. Ask for it again in a few minutes.")
            if self.request is not None:
                messages.warning(self.request, text)


def _absolute(page: str, **kwargs: str) -> str:
    return settings.SITE_URL + reverse(page, kwargs=kwargs)
