"""What every page may use."""

from typing import Any

from django.http import HttpRequest

from games.look import look_of
from games.views.fragments import wants_fragment


def site(request: HttpRequest) -> dict[str, Any]:
    """``base``: the frame to extend: the whole page, or for htmx the live part alone; and the
    ``look`` that the page's root carries."""
    return {
        "base": "fragment.html" if wants_fragment(request) else "base.html",
        "look": look_of(request),
    }
