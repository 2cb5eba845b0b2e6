"""Who is on the staff; administrators appoint."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.models import Player
from games.services.errors import Refused
from games.views.members import SeeOther
from ladder.models import Act, Role
from ladder.selectors import profile, staff
from ladder.services import roles
from ladder.views.moderation import moderators


class AppointForm(forms.Form):
    """Whom to give which role, and why."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        required=False,
        choices=[("", gettext_lazy("none: leaves the staff")), *Role.choices],
    )
    why = forms.CharField(label=gettext_lazy("Why"), max_length=500)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        for field in self.fields.values():
            field.widget.attrs |= {"class": "input", "dir": "auto", "autocomplete": "off"}

    def clean_name(self) -> Player:
        try:
            return profile.find(self.cleaned_data["name"])
        except Player.DoesNotExist:
            raise forms.ValidationError(_("Nobody of that name plays here.")) from None


@moderators(Act.APPOINT)
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest) -> HttpResponse:
    """The list; a post gives somebody a role, or takes it."""
    form = AppointForm(request.POST or None)
    refused = ""
    if form.is_valid():
        asked = form.cleaned_data
        role = Role(asked["role"]) if asked["role"] else None
        try:
            roles.appoint(request.user, asked["name"], role, asked["why"])
        except Refused as error:
            refused = error.message
        else:
            messages.success(request, _("Done: it holds at once."))
            return SeeOther(resolve_url("ladder:moderation-staff"))
    context = {"form": form, "members": staff.members(), "refused": refused}
    return render(request, "moderation/staff.html", context, status=409 if refused else 200)
