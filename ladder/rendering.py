"""The live part of the lobby as HTML: the page and the socket send the same fragment."""

import time

from django.template.loader import render_to_string
from django.utils import translation

from games import digits
from games.rendering import Fragment, Reading
from ladder.selectors.lobby import live


def lobby_fragment(reading: Reading) -> Fragment:
    """What of the lobby all see alike, to be swapped in out of band."""
    with translation.override(reading.language):
        html = render_to_string("ladder/lobby/live.html", live() | {"oob": True})
        return Fragment(digits.for_reader(html, reading), time.monotonic())
