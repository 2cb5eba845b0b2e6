"""The admin: players and matches to look at. No match can be changed, nothing sealed is shown."""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.http import HttpRequest

from games.models import ContactMessage, Match, Player


class ReadOnly(admin.ModelAdmin):
    """Rows to look at: none is added, changed or deleted here.

    The address can ask for the filters of the page and for nothing else: Django's own admin lets
    it ask of any column whether it begins with this or that, a hash of a password included.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        return lookup.split("__")[0] in self.list_filter

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


SHOWN = ("name", "kind", "level", "date_joined", "last_login", "closed_at")
RIGHTS = ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ("name", "kind", "is_staff", "date_joined")
    list_filter = ("kind", "is_staff")
    search_fields = ("name", "name_key")
    fields = (*SHOWN, *RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super(ReadOnly, self).has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return tuple(f.name for f in Player._meta.fields if f.name not in RIGHTS)


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


# An address is its player's affair, and is changed where it can be confirmed.
admin.site.unregister(EmailAddress)


@admin.register(ContactMessage)
class ContactMessageAdmin(ReadOnly):
    """What was written to the operators and went out by no mail."""

    list_display = ("made_at", "player", "address")
    list_select_related = ("player",)
    fields = ("made_at", "player", "address", "text")
