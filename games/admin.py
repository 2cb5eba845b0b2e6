"""The administration: matches to look at. None can be changed, and nothing sealed is shown."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import ContactMessage, Match


class ReadOnly(admin.ModelAdmin):
    """Rows to look at: none is added, changed or deleted here.

    The address can ask for the filters of the page and for nothing else: Django's own admin lets
    it ask of any column whether it begins with this or that, a hash of a password included.
    """

    show_full_result_count = False
    list_per_page = 50

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        return lookup.split("__")[0] in self.list_filter

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = ("id", "kind", "seated", "status", "how", "created_at", "finished_at")
    list_filter = ("kind", "status", "how")
    search_fields = ("=id", "seats__player__name_key__startswith")
    search_help_text = _("The match’s id, or the beginning of a player’s name in small letters.")
    ordering = ("-created_at", "id")
    fields = (
        "id", "kind", "seated", "status", "target", "clock", "rules_version", "commitment",
        "commitment_number", "deal", "points_0", "points_1", "winner", "how", "unrated",
        "created_at", "finished_at",
    )  # fmt: skip
    readonly_fields = ("seated",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """Without the columns that hold what is hidden."""
        rows = super().get_queryset(request).defer("sealed", "server_seed")
        return rows.prefetch_related("seats__player")

    @admin.display(description=_("players"))
    def seated(self, match: Match) -> str:
        """Who plays, by seat."""
        return " – ".join(seat.player.shown_name for seat in match.seats.all())


@admin.register(ContactMessage)
class ContactMessageAdmin(ReadOnly):
    """What was written to the operators and went out by no mail."""

    list_display = ("made_at", "player", "address")
    list_select_related = ("player",)
    fields = ("made_at", "player", "address", "text")


# An address is its player's affair, and is changed where it can be confirmed; the second factor
# likewise. What groups may do is said by ``ladder.services.roles``.
admin.site.unregister([EmailAddress, Authenticator, Group])
