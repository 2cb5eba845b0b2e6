"""Which part of the site a page belongs to."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

# The pages below each page of the main navigation, by the names of their addresses.
_BELOW = {
    "ladder:lobby": {
        "games:challenges", "games:challenge-new", "games:challenge", "games:challenges-open",
        "games:challenge-accept", "games:challenge-decline", "games:challenge-cancel",
    },
    "ladder:leaderboard": {"ladder:season", "ladder:past-season", "ladder:following"},
}  # fmt: skip


@register.simple_tag(takes_context=True)
def current(context: template.Context, name: str) -> SafeString:
    """``aria-current`` for the link to the page of that name: on the page itself, and on those
    below it. Nothing on a page that has no address of its own, such as that of an error."""
    found = getattr(context.get("request"), "resolver_match", None)
    shown = found.view_name if found else ""
    if shown != name and shown not in _BELOW.get(name, ()):
        return SafeString("")
    return format_html(' aria-current="{}"', "page" if shown == name else "true")
