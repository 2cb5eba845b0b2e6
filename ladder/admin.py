"""Standing in the administration: players and their roles, the ledger, seasons, the settings.

Ratings change by results and never by hand. Each act on a player, and each setting that is changed,
is one entry of the trail.
"""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from games.admin import ReadOnly
from games.models import Player
from games.names import name_key
from games.services.errors import Refused
from ladder.models import (
    AuditEntry,
    Lapse,
    Pairing,
    QueueEntry,
    RankedPause,
    Rating,
    RatingChange,
    Season,
    SiteSetting,
)
from ladder.models.roles import Act, Role
from ladder.services import roles, switches

NAME = "player__name_key__startswith"
NAME_HELP = _("The beginning of a player’s name in small letters.")


class RoleForm(forms.ModelForm):
    """A player's role, and why it is changed."""

    role = forms.ChoiceField(
        label=_("role"), choices=[("", _("none")), *Role.choices], required=False
    )
    why = forms.CharField(
        label=_("why"), max_length=500, required=False, help_text=_("It is kept in the trail.")
    )

    class Meta:
        model = Player
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].initial = roles.role_of(self.instance) or ""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if "role" in self.changed_data:
            if not cleaned.get("why"):
                self.add_error("why", _("Say why."))
            try:
                roles.require(self.by, Act.APPOINT, self.instance)
            except Refused as refused:
                raise forms.ValidationError(refused.message) from None
            if not self.instance.is_person:
                raise forms.ValidationError(_("Only people with an account can be on the staff."))
        return cleaned


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    """Who plays. Of what is in the account only the role is changed here."""

    form = RoleForm
    list_display = ("pk", "name", "kind", "is_staff", "date_joined", "last_login", "closed_at")
    list_filter = ("kind", "is_staff")
    search_fields = ("name_key__startswith",)
    search_help_text = _("The beginning of a name, as it is typed.")
    ordering = ("-date_joined", "-pk")
    fields = (
        "name", "kind", "level", "date_joined", "last_login", "closed_at", "is_active",
        "is_superuser", "role", "why",
    )  # fmt: skip
    readonly_fields = fields[:-2]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """By the key of what was typed: capitals, marks and digits make no difference."""
        return super().get_search_results(request, queryset, name_key(search_term))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super(ReadOnly, self).has_change_permission(request, obj)

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> type[RoleForm]:
        """The form knows who asks."""
        return type("RoleForm", (super().get_form(request, *args, **kwargs),), {"by": request.user})

    def save_model(self, request: HttpRequest, obj: Player, form: RoleForm, change: bool) -> None:
        """Appoint, or take the role away; nothing else of the row is written."""
        if "role" in form.changed_data:
            chosen = form.cleaned_data["role"]
            roles.appoint(
                request.user, obj, Role(chosen) if chosen else None, form.cleaned_data["why"]
            )

    def log_change(self, *_args: Any, **_kwargs: Any) -> None:
        """The trail has it: Django's own log would keep the name."""


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ("player", "pool", "rating", "matches", "won", "lost")
    list_select_related = ("player",)
    search_fields = (NAME,)
    search_help_text = NAME_HELP


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly):
    list_display = (
        "id", "kind", "pool", "player", "match_id", "before", "after", "cut", "k", "created_at",
    )  # fmt: skip
    list_select_related = ("player",)
    list_filter = ("kind", "pool")
    search_fields = (NAME, "=match__id")
    search_help_text = _("The beginning of a player’s name in small letters, or a match’s id.")
    ordering = ("-id",)


@admin.register(Season)
class SeasonAdmin(ReadOnly):
    list_display = ("__str__", "began_at", "ends_at", "frozen_at", "places")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        return super().get_queryset(request).annotate(count=Count("places"))

    @admin.display(description=_("places"))
    def places(self, season: Season) -> int:
        """How long its final table is."""
        return season.count


@admin.register(QueueEntry)
class QueueEntryAdmin(ReadOnly):
    list_display = ("player", "rating", "entered_at", "seen_at")
    list_select_related = ("player",)


@admin.register(Pairing)
class PairingAdmin(ReadOnly):
    list_display = ("match_id", "since_0", "since_1")
    search_fields = ("=match__id",)


@admin.register(Lapse)
class LapseAdmin(ReadOnly):
    list_display = ("player", "what", "match_id", "at")
    list_select_related = ("player",)
    list_filter = ("what",)
    search_fields = (NAME, "=match__id")


@admin.register(RankedPause)
class RankedPauseAdmin(ReadOnly):
    list_display = ("player", "nth", "began_at", "until")
    list_select_related = ("player",)
    search_fields = (NAME,)
    search_help_text = NAME_HELP


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly):
    list_display = ("id", "at", "by", "role", "act", "player", "match", "why")
    list_filter = ("act", "role")
    search_fields = ("=by", "=player", "=match")
    search_help_text = _("The number of who did it or of the player, or a match’s id.")
    list_display_links = None


class SettingsForm(forms.Form):
    """All that may change without a deploy, as it is set now."""

    why = forms.CharField(label=_("why"), max_length=500, help_text=_("It is kept in the trail."))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for switch in switches.SWITCHES.values():
            self.fields[switch.name] = self._field(switch)
        self.order_fields([*switches.SWITCHES, "why"])

    @staticmethod
    def _field(switch: switches.Switch) -> forms.Field:
        given = {"label": switch.label, "initial": switches.value(switch.name), "required": False}
        if isinstance(switch.default, bool):
            return forms.BooleanField(**given)
        if isinstance(switch.default, int):
            bounds = {"min_value": switch.least, "max_value": switch.most}
            return forms.IntegerField(**{**given, **bounds, "required": True})
        return forms.CharField(
            **given, max_length=switch.most, widget=forms.Textarea({"rows": 2, "cols": 60})
        )


@admin.register(SiteSetting)
class SiteSettingAdmin(ReadOnly):
    """One page with all settings, in place of a list of rows."""

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not roles.may(request.user, Act.SET):
            raise PermissionDenied
        switches.forget()
        form = SettingsForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            return self._changed(request, form)
        context = {
            **self.admin_site.each_context(request), "title": _("Settings"), "form": form,
            "opts": self.opts,
        }  # fmt: skip
        return TemplateResponse(request, "admin/ladder/settings.html", context)

    def _changed(self, request: HttpRequest, form: SettingsForm) -> HttpResponse:
        try:
            for name in switches.SWITCHES.keys() & set(form.changed_data):
                why = form.cleaned_data["why"]
                switches.change(request.user, name, form.cleaned_data[name], why)
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _("Changed. It holds everywhere within a few seconds."))
        return redirect("admin:ladder_sitesetting_changelist")
