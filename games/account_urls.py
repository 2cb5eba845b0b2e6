"""Addresses of accounts beside allauth's own, which follow these."""

from django.urls import path
from django.views.generic import RedirectView, TemplateView

from games.views import accounts

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="account_overview")),
    path("signup/", accounts.SignupView.as_view(), name="account_signup"),
    path("overview/", accounts.overview, name="account_overview"),
    path("recovery-code/", accounts.recovery_code, name="account_recovery_code"),
    path("recover/", accounts.recover, name="account_recover"),
    path("close/", accounts.close, name="account_close"),
    path(
        "closed/",
        TemplateView.as_view(template_name="account/closed.html"),
        name="account_closed",
    ),
]
