"""The trail: searched, and exported."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from games.views.streaming import download
from ladder.models import Act, AuditEntry
from ladder.selectors import audit as selector
from ladder.selectors.roles import acts
from ladder.services import audit as services
from ladder.views.moderation import moderators

COLUMNS = ("id", "at", "by", "role", "act", "player", "match", "why", "before", "after")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a spreadsheet's formula begins
DAY = timedelta(days=1)
YEARS = range(1990, 9000)


class SearchForm(forms.Form):
    """By who, whom, act and days. What is empty restricts nothing."""

    by = forms.CharField(label=gettext_lazy("Who"), required=False, max_length=80)
    player = forms.CharField(label=gettext_lazy("Whom"), required=False, max_length=80)
    act = forms.ChoiceField(
        label=gettext_lazy("What"),
        required=False,
        choices=[("", gettext_lazy("anything")), *Act.choices],
    )
    since = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=forms.DateInput({"type": "date"})
    )
    until = forms.DateField(
        label=gettext_lazy("To"), required=False, widget=forms.DateInput({"type": "date"})
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        for field in self.fields.values():
            field.widget.attrs |= {"class": "input", "dir": "auto"}

    def clean_by(self) -> int | None:
        return self._id("by")

    def clean_player(self) -> int | None:
        return self._id("player")

    def clean_since(self) -> date | None:
        return self._day("since")

    def clean_until(self) -> date | None:
        return self._day("until")

    @property
    def search(self) -> selector.Search:
        """What was asked for, once it is known to be sound."""
        asked = self.cleaned_data
        return selector.Search(
            by=asked["by"],
            player=asked["player"],
            act=asked["act"],
            since=_midnight(asked["since"]),
            until=_midnight(asked["until"] and asked["until"] + DAY),
        )

    def _id(self, name: str) -> int | None:
        text = self.cleaned_data[name]
        found = selector.whom(text) if text else None
        if text and found is None:
            raise forms.ValidationError(_("Nobody of that name plays here. #17 finds number 17."))
        return found

    def _day(self, name: str) -> date | None:
        day = self.cleaned_data[name]
        if day and day.year not in YEARS:
            raise forms.ValidationError(_("Nothing happened here in that year."))
        return day


@moderators(Act.SEE_TRAIL)
@require_safe
def trail(request: HttpRequest) -> HttpResponse:
    """A page of what is found."""
    form = SearchForm(request.GET)
    context: dict[str, Any] = {"form": form, "acts": acts(request.user), "Act": Act}
    if form.is_valid():
        context["page"] = selector.page(form.search, request.GET.get("before", ""))
        context["is_filtered"] = any(form.cleaned_data.values())
    return render(request, "moderation/audit.html", context)


@moderators(Act.EXPORT_TRAIL)
@require_POST
def export(request: HttpRequest) -> HttpResponseBase:
    """All that is found, as CSV; that it was exported is an entry too, of ids and no names."""
    form = SearchForm(request.POST)
    if not form.is_valid():
        context = {"form": form, "acts": acts(request.user), "Act": Act}
        return render(request, "moderation/audit.html", context, status=409)
    asked = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in form.cleaned_data.items()
        if value
    }
    with transaction.atomic():
        services.record(request.user, Act.EXPORT_TRAIL, after=asked)
    return download(request, _rows(form.search), "basra-audit.csv", "text/csv")


def _rows(search: selector.Search) -> Iterator[str]:
    yield _csv([COLUMNS])
    for chunk in selector.every(search):
        yield _csv([_cells(entry) for entry in chunk])


def _cells(entry: AuditEntry) -> list[str]:
    values = [getattr(entry, name) for name in COLUMNS]
    return [_safe(_text(value)) for value in values]


def _text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return "" if value is None else str(value)


def _safe(text: str) -> str:
    """No cell is a formula to who opens the file in a spreadsheet."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _csv(rows: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def _midnight(day: date | None) -> datetime | None:
    """When ``day`` begins where the reader is."""
    return day and timezone.make_aware(datetime.combine(day, time.min))
