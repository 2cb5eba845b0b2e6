"""The reader's own matches: the list, and all their records as a file."""

import json
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Kind, Player
from games.selectors import history
from games.views.streaming import download

# A day beyond these is as good as they are, and every calendar and time zone has them.
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2999, 12, 31)
DAY = timedelta(days=1)
DATES = ("since", "until")
NO_DATE = {"invalid": _("This is no day. Write it as year-month-day, such as 2026-01-31.")}
NO_CHOICE = {"invalid_choice": _("There is no such choice: take one of the list.")}


def _date_field(label: Any) -> forms.DateField:
    picker = forms.DateInput({"class": "input", "dir": "ltr"}, format="%Y-%m-%d")
    picker.input_type = "date"
    return forms.DateField(
        label=label,
        required=False,
        widget=picker,
        input_formats=["%Y-%m-%d"],
        error_messages=NO_DATE,
    )


def _choice_field(label: Any, choices: list[tuple[str, Any]]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        required=False,
        choices=choices,
        widget=forms.Select({"class": "input"}),
        error_messages=NO_CHOICE,
    )


class FilterForm(forms.Form):
    """What to show of the list. Days are the reader's own, the last one included."""

    opponent = forms.CharField(
        label=_("Opponent"),
        required=False,
        max_length=80,
        widget=forms.TextInput({"class": "input", "dir": "auto", "autocapitalize": "none",
                                "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip
    result = _choice_field(
        _("Result"),
        [("", _("any")), ("won", _("won")), ("lost", _("lost")), ("aborted", _("aborted"))],
    )
    kind = _choice_field(_("Kind"), [("", _("any")), *Kind.choices])
    since = _date_field(_("From"))
    until = _date_field(_("To"))

    def __init__(self, data: Any) -> None:
        """Digits of other scripts are read as the digits that they are."""
        read = {name: data.get(name, "") for name in self.base_fields}
        super().__init__(read | {name: _iso(read[name]) for name in DATES})

    def clean_opponent(self) -> Player | None:
        name = self.cleaned_data["opponent"]
        try:
            return history.opponent_called(name) if name else None
        except Player.DoesNotExist:
            raise forms.ValidationError(_("Nobody of that name plays here.")) from None

    def clean(self) -> None:
        since, until = (self.cleaned_data.get(name) for name in DATES)
        if since and until and since > until:
            self.add_error("until", _("This is before the first day: no match lies in between."))

    def full_clean(self) -> None:
        """A picker of dates would not show what is no date: then it is a field for text."""
        super().full_clean()
        for name in DATES:
            if self._errors and name in self._errors:
                self.fields[name].widget.input_type = "text"

    @property
    def filters(self) -> history.Filters:
        """What was asked for, once it is known to be sound."""
        asked = self.cleaned_data
        until = asked["until"]
        return history.Filters(
            result=asked["result"],
            opponent=asked["opponent"],
            kind=asked["kind"],
            since=_midnight(asked["since"]),
            until=_midnight(until and min(until, LAST_DAY - DAY) + DAY),
        )


@never_cache
@login_required
@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """The matches of the reader: those that run, then a page of those that are over."""
    form = FilterForm(request.GET)
    context: dict[str, Any] = {"form": form, "is_filtered": any(form.data.values())}
    if form.is_valid():
        filters = form.filters
        before, after = request.GET.get("before", ""), request.GET.get("after", "")
        page = history.finished(request.user, filters, before, after)
        context["page"] = page
        if not (page.newer or filters.result or filters.since or filters.until):
            context["running"] = history.running(request.user, filters)
    return render(request, "games/matches.html", context)


@never_cache
@login_required
@require_safe
def records(request: HttpRequest) -> HttpResponseBase:
    """The records of all finished matches of the reader, a line each, oldest first."""
    lines = _lines(history.records(request.user))
    return download(request, lines, "basra-records.jsonl", "application/jsonl")


def _lines(chunks: Iterator[list[dict[str, Any]]]) -> Iterator[str]:
    for chunk in chunks:
        yield "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in chunk)


def _iso(text: str) -> str:
    """A day as a date picker has it, where that can be read out of ``text``."""
    digits = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text.strip())
    try:
        return datetime.strptime(digits, "%Y-%m-%d").date().isoformat()
    except ValueError:
        return text


def _midnight(day: date | None) -> datetime | None:
    """When ``day`` begins where the reader is."""
    if day is None:
        return None
    return timezone.make_aware(datetime.combine(min(max(day, FIRST_DAY), LAST_DAY), time.min))
