"""The administration: for administrators alone, through the site's own log-in and second factor."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from ladder.models.roles import Act, Role
from ladder.selectors import roles


class Administration(AdminSite):
    """Django's, with another door. Which acts are whose is said by ``ladder.models.roles``."""

    site_title = site_header = _("Basra: administration")
    index_title = _("Administration")
    enable_nav_sidebar = False  # it needs a script in each page for little: there are few tables

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_authenticated and roles.may(request.user, Act.ADMIN)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Strangers to the site's log-in; administrators without a second factor are told how they
        get one; others have no business here."""
        there = request.GET.get(REDIRECT_FIELD_NAME, request.get_full_path())
        if not request.user.is_authenticated:
            return redirect_to_login(there)
        if roles.role_of(request.user) != Role.ADMINISTRATOR:
            raise PermissionDenied
        if roles.lacks_two_factor(request.user):
            return render(request, "account/needs_two_factor.html", status=403)
        return redirect("admin:index")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """By the site's own page, which ends the other sessions and writes a letter."""
        return redirect("account_change_password")
