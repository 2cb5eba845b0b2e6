"""Challenges: made, looked at, answered; and the offer to play a match once more."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers
from django_htmx.http import HttpResponseClientRedirect

from games.models import Challenge, Clock, Match, Player
from games.selectors import challenges as selector
from games.services import challenges as services
from games.services.errors import Refused
from games.views.fragments import wants_fragment
from games.views.members import SeeOther, members_only
from games.views.table import viewer

PERSON, LINK = "person", "link"
SAME = 204  # what the page shows is still true
CLOCK_NAMES = {
    Clock.FAST: gettext_lazy("fast"),
    Clock.STANDARD: gettext_lazy("standard"),
    Clock.RELAXED: gettext_lazy("relaxed"),
}
NO_CHOICE = {"invalid_choice": gettext_lazy("There is no such choice: take one of the list.")}


class ChallengeForm(forms.Form):
    """Whom, to how many points, and by which clock."""

    whom = forms.ChoiceField(
        label=gettext_lazy("Who may take it"),
        choices=[
            (PERSON, gettext_lazy("somebody by name")),
            (LINK, gettext_lazy("whoever has the link")),
        ],
        widget=forms.RadioSelect,
        error_messages=NO_CHOICE,
    )
    to = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        max_length=selector.LONGEST_NAME,
        widget=forms.TextInput({"class": "input", "dir": "auto", "autocapitalize": "none",
                                "autocomplete": "off", "spellcheck": "false"}),
    )  # fmt: skip
    target = forms.TypedChoiceField(
        label=gettext_lazy("Points to win"),
        coerce=int,
        choices=[(points, points) for points in services.TARGETS],
        widget=forms.RadioSelect,
        error_messages=NO_CHOICE,
    )
    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"),
        choices=[(clock.value, CLOCK_NAMES[clock]) for clock in services.CLOCKS],
        widget=forms.RadioSelect,
        error_messages=NO_CHOICE,
    )

    def clean(self) -> dict[str, Any]:
        """The challenged player as ``opponent``, or None for a link."""
        cleaned = super().clean() | {"opponent": None}
        if cleaned.get("whom") == PERSON and not self.errors:
            try:
                cleaned["opponent"] = selector.named(cleaned["to"])
            except Player.DoesNotExist:
                self.add_error("to", _("Nobody of that name plays here."))
        return cleaned


@never_cache
@members_only
@require_safe
def challenges(request: HttpRequest) -> HttpResponse:
    """What is open with the reader."""
    return render(
        request, "games/challenges.html", {"open": selector.open_challenges(request.user)}
    )


@never_cache
@require_safe
def open_challenges(request: HttpRequest) -> HttpResponse:
    """The same as a part of another page; or the way to the table of a match that begins."""
    me = viewer(request)
    if me is None:
        return HttpResponse(status=SAME)
    if match := selector.match_that_begins(me):
        return HttpResponseClientRedirect(match.get_absolute_url())
    return _list(request)


@never_cache
@members_only
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form of a challenge, for ``to`` or for a link; a post makes one."""
    to = request.GET.get("to", "")[: selector.LONGEST_NAME]
    first = {"whom": PERSON, "to": to, "target": 101, "clock": Clock.STANDARD.value}
    form = ChallengeForm(request.POST if request.method == "POST" else None, initial=first)
    if not form.is_valid():
        return _form(request, form, _house(to), 422 if form.is_bound else 200)
    found = form.cleaned_data
    if found["opponent"] and found["opponent"].is_house:
        return _form(request, form, found["opponent"], 409)
    try:
        made = _offer(request.user, found)
    except Refused as refused:
        form.add_error(None, refused.message)
        return _form(request, form, None, 409)
    return redirect(made.match or made)


@never_cache
@require_safe
@vary_on_headers("HX-Request")
def challenge(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """A challenge as it stands for whoever looks; its players are led to the table."""
    return _show(request, challenge_id)


@never_cache
@require_POST
def accept(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Take a challenge, and go to the table."""
    me, shown = viewer(request), request.POST.get("shown", "")
    if me is None:
        query = urlencode({"next": resolve_url("games:challenge", challenge_id)})
        return SeeOther(f"{resolve_url(settings.LOGIN_URL)}?{query}")
    try:
        match = services.accept(challenge_id=challenge_id, player=me, shown=shown)
    except Challenge.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        return _answer(request, challenge_id, refused.message)
    return _go(request, match)


@never_cache
@require_POST
def decline(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Say no to a challenge."""
    return _close(request, challenge_id, services.decline)


@never_cache
@require_POST
def cancel(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Take one's own challenge back."""
    return _close(request, challenge_id, services.cancel)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def again(request: HttpRequest, match_id: str) -> HttpResponse:
    """The offer to play a match that is over once more; a post offers, or accepts what is offered.

    It is a part of the match's page.
    """
    me = viewer(request)
    if request.method != "POST":
        return _again(request, match_id, me) if request.htmx else redirect("games:table", match_id)
    if me is None:
        return _again(request, match_id, me, _("Log in to play."))
    shown = request.POST.get("shown", "")
    try:
        made = services.offer_again(match_id=match_id, player=me, shown=shown)
    except Match.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        return _again(request, match_id, me, refused.message)
    return _go(request, made.match) if made.match else _again(request, match_id, me)


def _house(name: str) -> Player | None:
    """The house player of that name: there practice is offered instead."""
    try:
        found = selector.named(name) if name else None
    except Player.DoesNotExist:
        return None
    return found if found and found.is_house else None


def _form(
    request: HttpRequest, form: ChallengeForm, house: Player | None, status: int
) -> HttpResponse:
    clocks = {clock.value: clock.label for clock in services.CLOCKS}
    context = {"form": form, "house": house, "clocks": clocks}
    return render(request, "games/challenge_new.html", context, status=status)


def _offer(me: Player, found: dict[str, Any]) -> Challenge:
    terms = {"target": found["target"], "clock_preset": Clock(found["clock"])}
    if found["opponent"] is None:
        return services.offer_link(challenger=me, **terms)
    return services.offer(challenger=me, opponent=found["opponent"], **terms)


def _close(request: HttpRequest, challenge_id: str, close: Any) -> HttpResponse:
    me = viewer(request)
    if me is None:
        raise Http404
    try:
        close(challenge_id=challenge_id, player=me)
    except Challenge.DoesNotExist as error:
        raise Http404 from error
    except Refused as refused:
        return _answer(request, challenge_id, refused.message)
    return _answer(request, challenge_id)


def _answer(request: HttpRequest, challenge_id: str, notice: str = "") -> HttpResponse:
    """What is shown after an answer, where it was given: in a list, below a match, or on the
    challenge's own page.
    """
    shown = selector.challenge_for(challenge_id, request.user)
    if request.htmx.target == "challenges":
        return _list(request, notice)
    if shown.challenge.again_id is not None:
        return _again(request, shown.challenge.again_id, request.user, notice)
    if notice:
        return _show(request, challenge_id, notice)
    return redirect(shown.challenge)


def _list(request: HttpRequest, notice: str = "") -> HttpResponse:
    context = {"open": selector.open_challenges(request.user), "notice": notice}
    return render(request, "games/challenges_open.html", context)


def _show(request: HttpRequest, challenge_id: str, notice: str = "") -> HttpResponse:
    """The challenge's page, or its live part; with ``notice`` why what was asked is not done."""
    try:
        shown = selector.challenge_for(challenge_id, viewer(request))
    except Challenge.DoesNotExist as error:
        raise Http404 from error
    match, part = shown.match_to_go_to, wants_fragment(request)
    if match is not None and not notice:
        return _go(request, match)
    if shown.challenge.again_id is not None:
        return redirect(shown.challenge.again)
    if part and request.GET.get("seen") == shown.key and not notice:
        return HttpResponse(status=SAME)
    address = settings.SITE_URL + shown.challenge.get_absolute_url()
    context = {"shown": shown, "notice": notice, "address": address, "site_url": settings.SITE_URL}
    status = 409 if notice and not part else 200
    return render(request, "games/challenge.html", context, status=status)


def _again(
    request: HttpRequest, match_id: str, me: Player | None, notice: str = ""
) -> HttpResponse:
    """The offer to play again as it stands; without htmx, the page that it is a part of."""
    if not request.htmx:
        if notice:
            messages.error(request, notice)
        return redirect(f"{resolve_url('games:table', match_id)}#again")
    try:
        found = selector.again_for(match_id, me)
    except Match.DoesNotExist as error:
        raise Http404 from error
    if request.GET.get("seen") == found.key and not notice:
        return HttpResponse(status=SAME)
    if found.next_to_go_to and not notice:
        return _go(request, found.next_to_go_to)
    return render(request, "games/table/again.html", {"again": found, "notice": notice})


def _go(request: HttpRequest, match: Match) -> HttpResponse:
    """To the table; htmx, which would follow a redirect by itself, is told to load the page."""
    address = match.get_absolute_url()
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)
