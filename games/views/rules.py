"""The rules page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Clock, clock
from games.selectors.rule_examples import rule_examples


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules with worked examples drawn as cards."""
    limits = {
        "free": clock.FREE_MS[Clock.STANDARD] // 1000,
        "bank": clock.BANK_MS[Clock.STANDARD] // 1000,
        "more": clock.COUNT_READING_MS // 1000,
        "seed": int(clock.SEED_LIMIT.total_seconds()),
    }
    return render(request, "games/rules.html", {"examples": rule_examples(), "limits": limits})
