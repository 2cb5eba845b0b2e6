"""Preferences: a player's in the account, a stranger's in a cookie; and what a browser keeps."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games import filters, languages
from games.learning import COOKIE as LEARNED
from games.look import COOKIE, Look, keep, look_of
from games.models import Player
from games.models.player import ABOUT_LONGEST, ABOUT_STORED
from games.ports import TextKind
from games.services import free_text, texts
from games.solved import COOKIE as SOLVED

SHOWN = ("Ac", "Kd", "Qh", "Js")
RADIOS = ("scheme", "animation", "back", "challengers")
SOFT = ("scheme", "animation", "challengers")  # left out of a post, they stay as they are
ON_PAGE = ("about", "shows_matches", "shows_online", "publishes")  # only a person has a page


class LanguageSelect(forms.Select):
    """Each language in its own name, and marked as being in that language."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if value:
            option["attrs"] |= {"lang": value, "dir": "auto"}
        return option


class PreferencesForm(forms.ModelForm):
    """What a player may choose."""

    class Meta:
        model = Player
        fields = (
            "scheme", "four_colours", "back", "animation", "sounds",
            "confirm_play", "more_time", "chooses_seed", "challengers", "language", "arabic_digits",
            *ON_PAGE, "wants_digest",
        )  # fmt: skip
        widgets = {
            **dict.fromkeys(RADIOS, forms.RadioSelect),
            "about": forms.Textarea({"class": "input", "rows": 3, "dir": "auto"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in SOFT:
            self.fields[name].required = False
        if not self.instance.is_person:
            for name in ON_PAGE:
                del self.fields[name]
        if not (self.instance.is_person and self.instance.is_staff):
            del self.fields["wants_digest"]
        self.fields["language"] = forms.ChoiceField(
            label=Player._meta.get_field("language").verbose_name,
            choices=[("", _("As my browser")), *settings.LANGUAGES],
            widget=LanguageSelect({"class": "input"}),
            required=False,
        )

    def save(self, commit: bool = True) -> Any:
        """Write the preferences alone: the rest of the row may have changed since it was read."""
        if commit:
            self.instance.save(update_fields=list(self.fields))
            if "about" in self.changed_data:
                texts.written(self.instance, TextKind.PROFILE, self.instance.about)
        return self.instance

    def clean_about(self) -> str:
        """One line of what can be seen. Raises ``ValidationError`` for a long one, or a link."""
        shown = free_text.visible(self.cleaned_data["about"])
        over = free_text.length(shown) - ABOUT_LONGEST
        if over > 0:
            text = ngettext(
                "That is %(n)s character too long: there is room for 200.",
                "That is %(n)s characters too long: there is room for 200.",
                over,
            )
            raise forms.ValidationError(text % {"n": over})
        if len(shown) > ABOUT_STORED:
            raise forms.ValidationError(_("That is too long: there is room for 200 characters."))
        if filters.has_link(shown):
            raise forms.ValidationError(_("Links and addresses cannot be shown here."))
        return shown


class LookForm(forms.Form):
    """What a stranger may choose, for this browser."""

    scheme = forms.ChoiceField(widget=forms.RadioSelect, required=False)
    four_colours = forms.BooleanField(required=False)
    animation = forms.ChoiceField(widget=forms.RadioSelect, required=False)
    sounds = forms.BooleanField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            known = Player._meta.get_field(name)
            field.label = known.verbose_name
            if known.choices:
                field.choices = known.choices

    @property
    def look(self) -> Look:
        """What was chosen."""
        return Look(**{name: value for name, value in self.cleaned_data.items() if value})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show the preferences; a post keeps them."""
    if not request.user.is_authenticated:
        return _stranger(request)
    form = PreferencesForm(request.POST or None, instance=Player.objects.get(pk=request.user.pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        return _kept_for(request, form)
    return _page(request, form)


def _kept_for(request: HttpRequest, form: PreferencesForm) -> HttpResponse:
    """Answer in the language that was chosen, and let the cookie follow it."""
    if "language" not in form.changed_data or "language" not in form.data:
        return _kept(request)
    code = form.cleaned_data["language"]
    with translation.override(code or languages.of_reader(None, {}, _wish(request))):
        response = _kept(request)
    languages.remember(response, code)
    return response


def _wish(request: HttpRequest) -> str:
    return request.headers.get("Accept-Language", "")


def _stranger(request: HttpRequest) -> HttpResponse:
    now = look_of(request)
    first = {name: getattr(now, name) for name in LookForm.base_fields}
    form = LookForm(request.POST if request.method == "POST" else None, initial=first)
    if not form.is_valid():
        return _page(request, form)
    response = _kept(request)
    keep(response, form.look, secure=request.is_secure())
    return response


def _page(request: HttpRequest, form: forms.BaseForm) -> HttpResponse:
    status = 422 if form.errors else 200
    return render(request, "games/settings.html", {"form": form, "shown": SHOWN}, status=status)


def _kept(request: HttpRequest) -> HttpResponse:
    messages.success(request, _("Your settings are kept."))
    return redirect("games:settings")


@require_POST
@login_required
def confirm_plays(request: HttpRequest) -> HttpResponse:
    """Switch on that each play is confirmed: what a touch player is offered once."""
    Player.objects.filter(pk=request.user.pk).update(confirm_play=True)
    messages.success(request, _("From now on you are asked before each play."))
    there = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return redirect(there if ours and there.startswith("/") else "games:settings")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def local(request: HttpRequest) -> HttpResponse:
    """What this browser keeps, and a button that makes it forget; a post forgets the cookie, the
    page's own script the rest."""
    if request.method != "POST":
        return render(request, "games/local.html")
    messages.success(request, _("This browser has forgotten what it kept for the site."))
    response = redirect("games:settings")
    for cookie in (COOKIE, LEARNED, SOLVED):
        response.delete_cookie(cookie, samesite="Lax")
    response["Clear-Site-Data"] = '"storage"'
    return response
