"""Pages of one's own account: sign-up, recovery code, closing. allauth has the rest."""

from allauth.account.adapter import get_adapter
from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.account.views import SignupView as AllauthSignupView
from allauth.core import ratelimit
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from games.adapter import CODE_DUE
from games.forms import ReauthenticateForm, RecoverForm, SignupForm
from games.names import name_key
from games.services import accounts
from games.services.errors import Refused


class SignupView(AllauthSignupView):
    """allauth's sign-up; the second of two who take a name at once gets the form back."""

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except ValidationError as error:
            form.add_error("username", error)
            return self.form_invalid(form)


@require_safe
@never_cache
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """What can be done with one's own account."""
    has_code = accounts.has_recovery_code(request.user)
    return render(request, "account/overview.html", {"has_code": has_code})


@require_http_methods(["GET", "POST"])
@sensitive_post_parameters()
@never_cache
@login_required
def recovery_code(request: HttpRequest) -> HttpResponse:
    """A new code where one is due, shown this once; otherwise the form that makes one due."""
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
@login_required
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
