"""What moderators do to players and matches: imposed, undone, annulled."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Match, Player, clock
from games.services.errors import Refused
from games.views.members import way_back
from ladder.models import Act, Measure, Reason, Sanction, act_of
from ladder.selectors import roles
from ladder.selectors import sanctions as selector
from ladder.selectors.standing import annulled, results_of
from ladder.services import annulments
from ladder.services import sanctions as services
from ladder.views.moderation import moderators

DAYS = [
    ("0.041667", gettext_lazy("one hour")),
    ("1", gettext_lazy("one day")),
    ("3", gettext_lazy("3 days")),
    ("7", gettext_lazy("a week")),
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("a year")),
    ("", gettext_lazy("without an end")),
]
RUNNING = [
    (services.GO_ON, gettext_lazy("go on")),
    (services.LOST, gettext_lazy("are lost at once")),
]


class SanctionForm(forms.Form):
    """A measure against a player, as far as ``by`` may take it."""

    measure = forms.ChoiceField(label=gettext_lazy("Measure"))
    reason = forms.ChoiceField(label=gettext_lazy("Reason"), choices=Reason.choices)
    days = forms.ChoiceField(label=gettext_lazy("For"), choices=DAYS, required=False)
    running = forms.ChoiceField(
        label=gettext_lazy("The matches that this player plays now"),
        choices=RUNNING,
        initial=services.GO_ON,
        widget=forms.RadioSelect,
    )
    message = forms.CharField(
        label=gettext_lazy("What the player reads"),
        required=False,
        max_length=services.MESSAGE_LONGEST,
        widget=forms.Textarea({"rows": 4, "dir": "auto"}),
    )

    def __init__(self, *args: Any, by: Player, player: Player, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "sanction_%s")
        super().__init__(*args, **kwargs)
        may = roles.acts(by, player)
        self.fields["measure"].choices = [
            (value, label) for value, label in Measure.choices if act_of(value) in may
        ]
        for name in ("measure", "reason", "days", "message"):
            self.fields[name].widget.attrs["class"] = "input"
        self.fields["days"].initial = "7"

    @property
    def asked(self) -> dict[str, Any]:
        """What ``services.impose`` takes, of a valid form."""
        found = self.cleaned_data
        return {**found, "days": float(found["days"]) if found["days"] else None}


@moderators(Act.QUEUE)
@require_http_methods(["GET", "POST"])
def sanction(request: HttpRequest, player_id: int) -> HttpResponse:
    """The form; with a measure and a reason in the address also the ready text. Posted it is
    imposed, a grave one after it has been asked once more; ``back`` from there to the form keeps
    what was filled in."""
    player = _get(Player, player_id)
    if request.method == "GET":
        return _form(request, player, _with_ready_text(request, player))
    form = SanctionForm(request.POST, by=request.user, player=player)
    if not form.is_valid():
        return _form(request, player, form, status=409)
    if "back" in request.POST:
        return _form(request, player, form)
    if form.asked["measure"] in selector.GRAVE and "sure" not in request.POST:
        context = {"measures": form, "player": player, "next": request.POST.get("next", "")}
        return render(request, "moderation/sanction_confirm.html", context)
    try:
        services.impose(request.user, player, **form.asked)
    except Refused as refused:
        form.add_error(None, refused.message)
        return _form(request, player, form, status=409)
    messages.success(request, _("It is done, and the player is told."))
    return way_back(request, player.get_absolute_url())


@moderators(Act.UNDO)
@require_POST
def undo(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """Take a sanction back."""
    found = _get(Sanction, sanction_id)
    return _act(
        request,
        lambda: services.undo(found, request.user, _why(request)),
        _("It is taken back, and the player is told."),
        found.player.get_absolute_url(),
    )


@moderators(Act.ANNUL)
@require_http_methods(["GET", "POST"])
def annul(request: HttpRequest, match_id: str) -> HttpResponse:
    """What annulling a match would move; posted, it is annulled, or with ``undo`` that is
    reversed."""
    match = get_object_or_404(Match.objects.defer("sealed", "server_seed"), pk=match_id)
    if request.method == "GET":
        context = {
            "match": match,
            "results": results_of(match),
            "is_annulled": bool(annulled([match.pk])),
            "next": request.GET.get("next", ""),
            "longest": services.WHY_LONGEST,
        }
        return render(request, "moderation/annul.html", context)
    act = annulments.undo if "undo" in request.POST else annulments.annul
    return _act(
        request,
        lambda: act(request.user, match, _why(request)),
        _("It is done, and both players are told."),
        match.get_absolute_url(),
    )


def _act(request: HttpRequest, act: Any, done: str, otherwise: str) -> HttpResponse:
    try:
        act()
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done)
    return way_back(request, otherwise)


def _why(request: HttpRequest) -> str:
    """The reason that the trail keeps. Raises ``Refused`` without one."""
    why = services.clean(request.POST.get("why", ""), services.WHY_LONGEST)
    if not why:
        raise Refused(_("Say why."))
    return why


def _get(model: Any, key: int) -> Any:
    try:
        return get_object_or_404(model, pk=key)
    except OverflowError as error:  # no key is so long
        raise Http404 from error


def _with_ready_text(request: HttpRequest, player: Player) -> SanctionForm:
    """The form as it was filled in so far, with the ready text for it."""
    asked = request.GET.dict()
    form = SanctionForm(by=request.user, player=player, initial=asked)
    known = asked.get("measure") in Measure.values and asked.get("reason") in Reason.values
    if known:
        given = {**asked, "message": "", "running": services.GO_ON}
        bound = SanctionForm(given, by=request.user, player=player)
        days = bound.asked["days"] if bound.is_valid() else None
        until = services.until(Measure(asked["measure"]), clock.now(), days)
        text = selector.ready_text(player, asked["measure"], asked["reason"], until)
        form.initial["message"] = text
    return form


def _form(
    request: HttpRequest, player: Player, form: SanctionForm, status: int = 200
) -> HttpResponse:
    context = {"measures": form, "player": player, "next": request.POST.get("next", "")}
    return render(request, "moderation/sanction.html", context, status=status)
