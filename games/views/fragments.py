"""Whole page or fragment: one view answers both."""

from django.http import HttpRequest


def wants_fragment(request: HttpRequest) -> bool:
    """Does htmx ask for the live part of a page alone?"""
    htmx = getattr(request, "htmx", None)
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request
