"""What every page may use."""

from typing import Any

from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    """``base``: the frame to extend: the whole page, or for htmx the live part alone."""
    fragment = getattr(request, "htmx", False) and not request.htmx.boosted
    return {"base": "fragment.html" if fragment else "base.html"}
