"""The ladder in the administration: to look at only. Ratings change by results, never by hand."""

from typing import Any

from django.contrib import admin

from ladder.models import Lapse, Pairing, QueueEntry, RankedPause, Rating, RatingChange


class ReadOnly(admin.ModelAdmin):
    """Shows rows; adds, changes and deletes none."""

    def has_add_permission(self, *_args: Any, **_kwargs: Any) -> bool:
        return False

    def has_change_permission(self, *_args: Any, **_kwargs: Any) -> bool:
        return False

    def has_delete_permission(self, *_args: Any, **_kwargs: Any) -> bool:
        return False


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ("player", "pool", "rating", "matches", "won", "lost")
    list_select_related = ("player",)
    search_fields = ("player__name",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly):
    list_display = (
        "id", "kind", "pool", "player", "match_id", "before", "after", "cut", "k", "created_at",
    )  # fmt: skip
    list_select_related = ("player",)
    list_filter = ("kind", "pool")
    search_fields = ("player__name", "match__id")


@admin.register(QueueEntry)
class QueueEntryAdmin(ReadOnly):
    list_display = ("player", "rating", "entered_at", "seen_at")
    list_select_related = ("player",)


@admin.register(Pairing)
class PairingAdmin(ReadOnly):
    list_display = ("match_id", "since_0", "since_1")
    search_fields = ("match__id",)


@admin.register(Lapse)
class LapseAdmin(ReadOnly):
    list_display = ("player", "what", "match_id", "at")
    list_select_related = ("player",)
    list_filter = ("what",)
    search_fields = ("player__name", "match__id")


@admin.register(RankedPause)
class RankedPauseAdmin(ReadOnly):
    list_display = ("player", "nth", "began_at", "until")
    list_select_related = ("player",)
    search_fields = ("player__name",)
