"""Addresses of accounts beside allauth's own, which follow these."""

from allauth.account import views as allauth
from allauth.mfa.base import views as second
from allauth.mfa.recovery_codes import views as spare
from allauth.mfa.totp import views as totp
from django.urls import path
from django.views.generic import RedirectView, TemplateView

from games.views import accounts, exports, sessions
from games.views.members import members_only

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="account_overview")),
    path("signup/", accounts.SignupView.as_view(), name="account_signup"),
    path("login/", accounts.LoginView.as_view(), name="account_login"),
    path("email/", members_only(allauth.email), name="account_email"),
    path("password/change/", members_only(allauth.password_change), name="account_change_password"),
    path("password/set/", members_only(allauth.password_set), name="account_set_password"),
    path("reauthenticate/", members_only(allauth.reauthenticate), name="account_reauthenticate"),
    path("2fa/", members_only(second.index), name="mfa_index"),
    path("2fa/reauthenticate/", members_only(second.reauthenticate), name="mfa_reauthenticate"),
    path("2fa/totp/activate/", members_only(totp.activate_totp), name="mfa_activate_totp"),
    path("2fa/totp/deactivate/", members_only(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path(
        "2fa/recovery-codes/",
        members_only(spare.view_recovery_codes),
        name="mfa_view_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/generate/",
        members_only(spare.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "2fa/recovery-codes/download/",
        members_only(spare.download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
    path("sessions/", sessions.sessions, name="account_sessions"),
    path("sessions/end/", sessions.end, name="account_end_session"),
    path("export/", exports.export, name="account_export"),
    path("export/<int:export_id>/", exports.file, name="account_export_file"),
    path("overview/", accounts.overview, name="account_overview"),
    path("name/", accounts.name, name="account_name"),
    path("recovery-code/", accounts.recovery_code, name="account_recovery_code"),
    path("recover/", accounts.recover, name="account_recover"),
    path("close/", accounts.close, name="account_close"),
    path(
        "closed/",
        TemplateView.as_view(template_name="account/closed.html"),
        name="account_closed",
    ),
]
