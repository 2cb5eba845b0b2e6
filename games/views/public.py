"""What anybody may want to know of the site: its rules for people, what it keeps, how to write."""

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.models.contact import LONGEST
from games.services import contact as services


class ContactForm(forms.Form):
    """A message, and where it may be answered."""

    text = forms.CharField(
        label=gettext_lazy("Your message"),
        max_length=LONGEST,
        widget=forms.Textarea({"class": "input", "rows": 8, "dir": "auto"}),
    )
    address = forms.EmailField(
        label=gettext_lazy("Your e-mail"),
        required=False,
        help_text=gettext_lazy("Only if you want an answer."),
        widget=forms.EmailInput({"class": "input", "dir": "ltr", "autocomplete": "email"}),
    )


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept of whom, and for how long."""
    return render(request, "games/public/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """What the site promises and what it asks."""
    return render(request, "games/public/terms.html")


@require_safe
def fair_play(request: HttpRequest) -> HttpResponse:
    """What is allowed at the table, and what reporting does."""
    return render(request, "games/public/fair_play.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def contact(request: HttpRequest) -> HttpResponse:
    """A form to write to whoever runs the site; a post sends it."""
    player = request.user if getattr(request.user, "is_person", False) else None
    first = {"address": player.email if player else ""}
    form = ContactForm(request.POST if request.method == "POST" else None, initial=first)
    if not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, "games/public/contact.html", {"form": form}, status=status)
    key = str(player.pk) if player else get_adapter(request).get_client_ip(request)
    if limited := ratelimit.consume_or_429(request, action="contact", key=key):
        return limited
    if services.write(player=player, **form.cleaned_data):
        messages.success(request, _("Your message has been sent."))
    else:
        messages.success(request, _("Your message is kept here for the administrators."))
    return redirect("games:contact")
