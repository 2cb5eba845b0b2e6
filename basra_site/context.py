"""What every page may use."""

from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.look import look_of
from games.selectors import notifications
from games.views.fragments import wants_fragment
from ladder.selectors import waiting
from ladder.services import switches


def site(request: HttpRequest) -> dict[str, Any]:
    """``base``: the frame to extend: the whole page, or for htmx the live part alone; the ``look``
    that the page's root carries; the ``bell`` of a person, counted where a page shows it, and
    likewise the ``place`` in the queue for ranked play, the ``notice`` of the day, the
    ``reports_a_day`` that one may make, and what a ``held`` player has to read."""
    return {
        "base": "fragment.html" if wants_fragment(request) else "base.html",
        "look": look_of(request),
        "bell": SimpleLazyObject(lambda: notifications.bell(request.user)),
        "notice": SimpleLazyObject(switches.notice),
        "reports_a_day": partial(switches.value, "reports_a_day"),
        "place": SimpleLazyObject(lambda: waiting.place_of(request.user)),
        "held": getattr(request, "held", None),
    }
