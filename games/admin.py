"""The admin: players and matches to look at. No match can be changed, nothing sealed is shown."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Match, Player


class ReadOnly(admin.ModelAdmin):
    """Rows to look at: none is added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ("name", "kind", "is_staff", "date_joined")
    list_filter = ("kind", "is_staff")
    search_fields = ("name", "name_key")
    exclude = ("password",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super(ReadOnly, self).has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("name", "name_key", "kind", "level", "date_joined", "closed_at", "last_login")


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = ("id", "kind", "status", "how", "created_at", "finished_at")
    list_filter = ("kind", "status", "how")
    search_fields = ("id",)
    fields = (
        "id", "kind", "status", "target", "clock", "rules_version", "commitment",
        "commitment_number", "deal", "points_0", "points_1", "winner", "how", "created_at",
        "finished_at",
    )  # fmt: skip
