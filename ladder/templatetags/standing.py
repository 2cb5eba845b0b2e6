"""Ratings and names as templates write them."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from games.models import Player
from ladder.models import Season
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


@register.simple_tag
def climbed(places: int) -> SafeString:
    """How many places were won in a week, "▲ 3", or lost, "▼ 2"; said in words to who listens."""
    if places > 0:
        words = ngettext("up %(n)d place in a week", "up %(n)d places in a week", places)
    else:
        words = ngettext("down %(n)d place in a week", "down %(n)d places in a week", -places)
    way, sign = ("up", "▲") if places > 0 else ("down", "▼")
    return format_html(
        '<small class="delta delta-{}"><span aria-hidden="true">{}{}</span>'
        '<span class="vh">{}</span></small>',
        way,
        sign,
        abs(places),
        words % {"n": abs(places)},
    )


@register.simple_tag
def form_marks(results: tuple[bool, ...]) -> SafeString:
    """The last results as marks, newest last; in words to who listens."""
    if not results:
        return SafeString("")
    marks = format_html_join("", '<i class="{}"></i>', (("on" if won else "",) for won in results))
    won = sum(results)
    words = ngettext(
        "won %(won)d of the last match", "won %(won)d of the last %(n)d matches", len(results)
    ) % {"won": won, "n": len(results)}
    return format_html('<span class="form" role="img" aria-label="{}">{}</span>', words, marks)


@register.simple_tag
def season_name(season: Season) -> str:
    """A season as people call it."""
    return gettext("Season %(quarter)d of %(year)d") % {
        "quarter": season.quarter,
        "year": season.year,
    }
