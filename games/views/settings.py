"""Preferences."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.models import Player

SHOWN = ("Ac", "Kd", "Qh", "Js")


class PreferencesForm(forms.ModelForm):
    """What a player may choose."""

    class Meta:
        model = Player
        fields = ("back", "four_colours", "more_time", "chooses_seed")
        widgets = {"back": forms.RadioSelect}

    def save(self, commit: bool = True) -> Any:
        """Write the preferences alone: the rest of the row may have changed since it was read."""
        if commit:
            self.instance.save(update_fields=self.Meta.fields)
        return self.instance


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show the preferences; a post keeps them."""
    form = PreferencesForm(request.POST or None, instance=Player.objects.get(pk=request.user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Your settings are kept."))
        return redirect("games:settings")
    status = 422 if form.errors else 200
    return render(request, "games/settings.html", {"form": form, "shown": SHOWN}, status=status)
