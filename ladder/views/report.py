"""Reporting somebody, and what came of one's reports."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Match, Player, Utterance
from games.services.errors import Refused
from games.views.members import members_only, way_back
from ladder.models import Reason
from ladder.selectors import reporting as selector
from ladder.services import reports as services

LARGEST_ID = 2**63 - 1
NO_CHOICE = {"invalid_choice": gettext_lazy("There is no such choice: take one of the list.")}


class SubjectForm(forms.Form):
    """Where the report button was: at a player, a match, or a line of talk."""

    player = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    match = forms.CharField(required=False, max_length=12)
    line = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)


class ReportForm(forms.Form):
    """Who, for what, and a line of text."""

    suspect = forms.ChoiceField(
        label=gettext_lazy("Whom you report"), widget=forms.RadioSelect, error_messages=NO_CHOICE
    )
    reason = forms.ChoiceField(
        label=gettext_lazy("What it is about"),
        choices=Reason.choices,
        widget=forms.RadioSelect,
        error_messages=NO_CHOICE,
    )
    text = forms.CharField(
        label=gettext_lazy("In your words"),
        required=False,
        max_length=services.LONGEST,
        widget=forms.Textarea({"class": "input", "rows": 3, "dir": "auto"}),
    )

    def __init__(self, data: Any, subject: selector.Subject) -> None:
        super().__init__(data)
        self.suspects = {str(one.pk): one for one in subject.suspects}
        self.fields["suspect"].choices = [
            (key, one.shown_name) for key, one in self.suspects.items()
        ]
        if len(self.suspects) == 1:
            self.fields["suspect"].initial = next(iter(self.suspects))


@never_cache
@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """The form, about what the address names; a post sends the report."""
    subject = _subject(request)
    form = ReportForm(request.POST if request.method == "POST" else None, subject)
    refused = ""
    if form.is_valid():
        try:
            _send(request.user, form, subject)
        except Refused as error:
            refused = error.message
        else:
            messages.success(
                request, _("Thank you. A moderator looks at it, and you are told what came of it.")
            )
            return way_back(request, "ladder:my-reports")
    context = {
        "form": form,
        "subject": subject,
        "said": subject.utterance and _said(subject.utterance),
        "refused": refused,
        "back": _back(subject),
        "then": "" if subject.is_running else _back(subject),
    }
    return render(request, "ladder/report.html", context, status=409 if refused else 200)


@never_cache
@members_only
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The reader's reports, with their answers."""
    return render(request, "ladder/my_reports.html", {"reports": selector.mine(request.user)})


def _subject(request: HttpRequest) -> selector.Subject:
    asked = SubjectForm(request.GET)
    if not asked.is_valid():
        raise Http404
    try:
        return selector.subject(request.user, **asked.cleaned_data)
    except (Player.DoesNotExist, Match.DoesNotExist, Utterance.DoesNotExist) as error:
        raise Http404 from error


def _send(me: Player, form: ReportForm, subject: selector.Subject) -> None:
    services.report(
        me,
        form.suspects[form.cleaned_data["suspect"]],
        form.cleaned_data["reason"],
        form.cleaned_data["text"],
        match=subject.match,
        utterance=subject.utterance,
    )


def _said(utterance: Utterance) -> str:
    return utterance.text or utterance.get_phrase_display()


def _back(subject: selector.Subject) -> str:
    """The page that the reader came from."""
    return (subject.match or subject.suspects[0]).get_absolute_url()
