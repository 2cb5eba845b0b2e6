"""Addresses of accounts beside allauth's own, which follow these."""

from allauth.account import views as allauth
from django.urls import path
from django.views.generic import RedirectView, TemplateView

from games.views import accounts
from games.views.members import members_only

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="account_overview")),
    path("signup/", accounts.SignupView.as_view(), name="account_signup"),
    path("login/", accounts.LoginView.as_view(), name="account_login"),
    path("email/", members_only(allauth.email), name="account_email"),
    path("password/change/", members_only(allauth.password_change), name="account_change_password"),
    path("password/set/", members_only(allauth.password_set), name="account_set_password"),
    path("reauthenticate/", members_only(allauth.reauthenticate), name="account_reauthenticate"),
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
