"""Words and controls of the replay of a match that is over."""

from django import template
from django.utils.translation import gettext as _

from games.selectors.replay import Position, SeatView
from games.selectors.table import Table

register = template.Library()


@register.filter
def sides_for(position: Position, table: Table) -> tuple[SeatView, SeatView]:
    """The two sides as they lie on the page: the opponent's above, the viewer's below."""
    return position.sides[table.opponent.seat], position.sides[table.me.seat]


@register.filter
def deals_of(position: Position) -> range:
    """The numbers of the match's deals."""
    return range(1, position.deals + 1)


@register.simple_tag
def controls(position: Position) -> list[tuple[str, str, tuple[int, int] | None]]:
    """Each step to go: its name, its label, and where it leads (None: nowhere)."""
    steps = position.steps
    return [
        ("first", _("First play"), steps.get("first")),
        ("back", _("One play back"), steps.get("back")),
        ("on", _("One play on"), steps.get("on")),
        ("last", _("Last play"), steps.get("last")),
    ]


@register.simple_tag
def speeds() -> list[tuple[int, str]]:
    """How fast it plays by itself: milliseconds for a play, and the word for it."""
    return [(2400, _("slow")), (1200, _("normal")), (500, _("quick"))]


@register.filter
def seconds_of(ms: int) -> str:
    """Milliseconds as seconds with one decimal: "3.2"."""
    return f"{ms / 1000:.1f}"
