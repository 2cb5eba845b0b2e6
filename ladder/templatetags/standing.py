"""Ratings and names as templates write them."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.models import Player
from ladder.selectors import pauses

register = template.Library()


@register.filter
def delta(points: int | None) -> SafeString:
    """A change of rating with its sign, "+15" or "−11"; nothing for None."""
    if points is None:
        return SafeString("")
    if points == 0:
        return format_html('<span class="delta soft"><bdi dir="ltr">0</bdi></span>')
    way, sign = ("up", "+") if points > 0 else ("down", "−")
    return format_html(
        '<span class="delta delta-{}"><bdi dir="ltr">{}{}</bdi></span>', way, sign, abs(points)
    )


register.filter("moment", pauses.moment)


@register.inclusion_tag("ladder/_name.html")
def name(player: Player) -> dict[str, Player]:
    """A player's name with the link to the page; a house player's says that it is a computer."""
    return {"player": player}
