"""Pages of one's own account: sign-up, log-in, recovery code, closing. allauth has the rest."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.mixins import RedirectAuthenticatedUserMixin
from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.account.views import LoginView as AllauthLoginView
from allauth.account.views import SignupView as AllauthSignupView
from allauth.core import ratelimit
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from games.adapter import CODE_DUE
from games.forms import LoginForm, ReauthenticateForm, RecoverForm, RenameForm, SignupForm
from games.names import name_key
from games.services import accounts, renaming, sessions
from games.services.errors import Refused
from games.views.members import members_only

GUEST_SESSION = "guest_session"  # in a new account's session: the guest's session before it


class OpenToGuests(RedirectAuthenticatedUserMixin):
    """allauth sends away from here whoever is logged in; a guest is, and has no account yet."""

    request: HttpRequest

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.guest is None:
            return super().dispatch(request, *args, **kwargs)
        return super(RedirectAuthenticatedUserMixin, self).dispatch(request, *args, **kwargs)

    @property
    def guest(self) -> Any:
        """The guest who is here, or None."""
        user = self.request.user
        return user if getattr(user, "is_guest", False) else None


class SignupView(AllauthSignupView, OpenToGuests):
    """allauth's sign-up, which makes a guest a person; the second of two who take a name at once
    gets the form back."""

    def form_valid(self, form: SignupForm) -> HttpResponse:
        was_guest, before = self.guest is not None, self.request.session.session_key
        try:
            response = super().form_valid(form)
        except ValidationError as error:
            form.add_error("username", error)
            return self.form_invalid(form)
        except Refused as refused:
            form.add_error(None, refused.message)
            return self.form_invalid(form)
        if was_guest:
            self.request.session[GUEST_SESSION] = before
        return response


class LoginView(AllauthLoginView, OpenToGuests):
    """allauth's log-in, which ends the session of a guest: what was played stays with that one."""

    def form_valid(self, form: LoginForm) -> HttpResponse:
        if self.guest is not None:
            logout(self.request)
        return super().form_valid(form)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        left = self.guest is not None and accounts.running_matches(self.guest).exists()
        return super().get_context_data(**kwargs) | {"leaves_match": left}


@require_safe
@never_cache
@members_only
def overview(request: HttpRequest) -> HttpResponse:
    """What can be done with one's own account."""
    context = {
        "has_code": accounts.has_recovery_code(request.user),
        "has_two_factor": is_mfa_enabled(request.user),
    }
    return render(request, "account/overview.html", context)


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
@members_only
def recovery_code(request: HttpRequest) -> HttpResponse:
    """A new code where one is due, shown this once; otherwise the form that makes one due.

    Whoever signed up as a guest has the new session by now: pages with the old one are told.
    """
    sessions.end(request.session.pop(GUEST_SESSION, None))
    if request.method == "GET" and request.session.pop(CODE_DUE, None) == request.user.pk:
        code = accounts.issue_recovery_code(request.user)
        onward = get_next_redirect_url(request) or get_adapter().get_login_redirect_url(request)
        return render(request, "account/recovery_code.html", {"code": code, "onward": onward})
    form = ReauthenticateForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        request.session[CODE_DUE] = request.user.pk
        return redirect("account_recovery_code")
    context = {"form": form, "has_code": accounts.has_recovery_code(request.user)}
    return render(request, "account/recovery_code_new.html", context)


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
def recover(request: HttpRequest) -> HttpResponse:
    """A new password by name and recovery code; logs in, and a fresh code is shown."""
    form = RecoverForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        key = name_key(form.cleaned_data["name"])
        if limited := ratelimit.consume_or_429(request, action="recover", key=key):
            return limited
        try:
            player = accounts.use_recovery_code(**form.cleaned_data)
        except accounts.WrongCode as error:
            form.add_error(None, error.message)
        else:
            return perform_login(request, player, signal_kwargs={"recovered": True})
    return render(request, "account/recover.html", {"form": form})


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
@members_only
def name(request: HttpRequest) -> HttpResponse:
    """Says what another name means, and takes it with the password; once in 90 days."""
    form = RenameForm(request.POST or None, user=request.user, initial={"name": request.user.name})
    if request.method == "POST" and form.is_valid():
        try:
            player = renaming.rename(player=request.user, name=form.cleaned_data["name"])
        except ValidationError as error:
            form.add_error("name", error)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("Your name is %(name)s.") % {"name": player.name})
            return redirect("account_overview")
    required = renaming.is_required(request.user)
    due = None if required else renaming.due(request.user)
    context = {"form": form, "due": due, "required": required}
    return render(request, "account/name.html", context)


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
@members_only
def close(request: HttpRequest) -> HttpResponse:
    """Says what closing does, asks for the password, and closes the account for good."""
    form = ReauthenticateForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            accounts.close_account(request.user)
        except Refused as error:
            form.add_error(None, error.message)
        else:
            logout(request)
            return redirect("account_closed")
    running = accounts.running_matches(request.user).count()
    return render(request, "account/close.html", {"form": form, "running": running})
