"""Addresses. The lobby, the ladder and the profiles are the ladder's; the rest is playing."""

from django.contrib import admin
from django.urls import include, path

from basra_site import health

urlpatterns = [
    path("", include("ladder.urls")),
    path("", include("games.urls")),
    path("accounts/", include("games.account_urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]

handler400 = "basra_site.errors.bad_request"
handler403 = "basra_site.errors.permission_denied"
handler404 = "basra_site.errors.page_not_found"
handler500 = "basra_site.errors.server_error"
