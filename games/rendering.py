"""The table as HTML: the page and the socket send the same fragment, made by the same file."""

import re
import time
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from games import digits, ports
from games.models import Player
from games.selectors.challenges import again_of, next_to_watch
from games.selectors.presence import seats_present, watchers
from games.selectors.replay import replay_of
from games.selectors.table import Table, table_for, watched_table

# What runs on by itself in a fragment, and by how much in a second.
_RUNNING = re.compile(r'(data-elapsed|data-countdown)="(\d+)"')
_A_SECOND = {"data-elapsed": 1000, "data-countdown": -1}


@dataclass(frozen=True, slots=True)
class Reading:
    """How a watcher reads: all that a fragment depends on in which nobody's own cards are."""

    language: str
    arabic_digits: bool = False

    @classmethod
    def of(cls, viewer: Player | None, language: str) -> "Reading":
        """How ``viewer`` reads that language."""
        with translation.override(language):
            return cls(language, digits.are_wanted(viewer))


class Fragment:
    """HTML as it was when it was made; later its clocks must be set on."""

    def __init__(self, html: str, made_at: float) -> None:
        self._parts = _RUNNING.split(html)
        self._made_at = made_at

    def __eq__(self, other: object) -> bool:
        """Was it made of the same HTML, whenever that was?"""
        return isinstance(other, Fragment) and self._parts == other._parts

    __hash__ = None  # type: ignore[assignment]

    def now(self) -> str:
        """The HTML with its clocks as they are now."""
        age = time.monotonic() - self._made_at
        html, *running = self._parts
        for name, then, after in zip(running[::3], running[1::3], running[2::3], strict=True):
            value = max(0, round(int(then) + age * _A_SECOND[name]))
            html += f'{name}="{value}"{after}'
        return html


def table_context(table: Table, deal: int = 1, place: int = 0) -> dict[str, Any]:
    """What ``games/table.html`` needs; of a match that is over, the replay at that place."""
    return (
        presence_context(table)
        | onward_context(table)
        | {
            "replay": replay_of(table.match, deal, place) if table.match.is_over else None,
        }
    )


def onward_context(table: Table) -> dict[str, Any]:
    """What comes after a match, asked of the database only where it is shown: for its players the
    offer to play again, and whether they wait for another match; for everybody else the match in
    which they play again.
    """
    if not table.match.is_over:
        return {}
    if table.watching:
        return {"next_to_watch": partial(next_to_watch, table.match)}
    me = table.me.player
    return {
        "again": partial(again_of, table.match, me, table.opponent.player),
        "is_waiting": partial(ports.is_waiting, me),
    }


def presence_context(table: Table) -> dict[str, Any]:
    """What ``games/table/presence.html`` needs; asked of the database only where it is shown."""
    match_id = table.match.pk
    return {
        "table": table,
        "here": partial(seats_present, match_id),
        "watchers": partial(watchers, match_id),
    }


def table_fragment(match_id: str, viewer: Player | None, language: str) -> str:
    """The table as HTML for ``viewer``, to be swapped in out of band.

    Raises ``Match.DoesNotExist`` where the viewer may not look.
    """
    return _table_html(table_for(match_id, viewer), viewer, language)


def presence_fragment(match_id: str, viewer: Player | None, language: str) -> str:
    """Who is at the table and who is away, as HTML to be swapped in out of band.

    Raises ``Match.DoesNotExist`` where the viewer may not look.
    """
    return _presence_html(table_for(match_id, viewer), viewer, language)


def watched_table_fragment(match_id: str, reading: Reading) -> Fragment:
    """The table for all watchers who read so. Who may watch is asked elsewhere."""
    made_at = time.monotonic()
    return Fragment(_table_html(watched_table(match_id), reading, reading.language), made_at)


def watched_presence_fragment(match_id: str, reading: Reading) -> Fragment:
    """The same of who is at the table."""
    made_at = time.monotonic()
    return Fragment(_presence_html(watched_table(match_id), reading, reading.language), made_at)


def _table_html(table: Table, reader: Player | Reading | None, language: str) -> str:
    with translation.override(language):
        context = table_context(table) | {"base": "fragment.html", "oob": True, "user": reader}
        return digits.for_reader(render_to_string("games/table.html", context), reader)


def _presence_html(table: Table, reader: Player | Reading | None, language: str) -> str:
    with translation.override(language):
        context = presence_context(table) | {"oob": True}
        return digits.for_reader(render_to_string("games/table/presence.html", context), reader)
