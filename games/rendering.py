"""The table as HTML: the page and the socket send the same fragment, made by the same file."""

from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from games import digits
from games.models import Player
from games.selectors.presence import seats_present
from games.selectors.replay import replay_of
from games.selectors.table import Table, table_for


def table_context(table: Table, deal: int = 1, place: int = 0) -> dict[str, Any]:
    """What ``games/table.html`` needs; of a match that is over, the replay at that place."""
    return {
        "table": table,
        "here": seats_present(table.match.pk),
        "replay": replay_of(table.match, deal, place) if table.match.is_over else None,
    }


def table_fragment(match_id: str, viewer: Player | None, language: str) -> tuple[str, int | None]:
    """The table as HTML for ``viewer``, to be swapped in out of band; and the viewer's seat.

    Raises ``Match.DoesNotExist`` where the viewer may not look.
    """
    table = table_for(match_id, viewer)
    with translation.override(language):
        context = table_context(table) | {"base": "fragment.html", "oob": True, "user": viewer}
        html = render_to_string("games/table.html", context)
        return digits.for_reader(html, viewer), table.seat


def presence_fragment(match_id: str, viewer: Player | None, language: str) -> str:
    """Who is at the table and who is away, as HTML to be swapped in out of band.

    Raises ``Match.DoesNotExist`` where the viewer may not look.
    """
    table = table_for(match_id, viewer)
    with translation.override(language):
        context = {"table": table, "here": seats_present(match_id), "oob": True}
        html = render_to_string("games/table/presence.html", context)
        return digits.for_reader(html, viewer)
