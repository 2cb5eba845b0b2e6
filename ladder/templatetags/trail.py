"""What an entry of the trail keeps, in words."""

from collections.abc import Callable
from typing import Any

from django import template
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import is_naive
from django.utils.translation import gettext, gettext_lazy

from ladder.models import Act, FindingKind, Measure, Reason, Role
from ladder.selectors.sanctions import moment
from ladder.services.switches import SWITCHES
from ladder.templatetags.standing import delta
from ladder.views.moderation.sanctions import RUNNING

register = template.Library()

NOTHING: tuple[Any, ...] = (None, "", [], {})
FACTS = {
    "act": gettext_lazy("what"),
    "annulled": gettext_lazy("annulled"),
    "appeal": gettext_lazy("appeal"),
    "by": gettext_lazy("who"),
    "case": gettext_lazy("case"),
    "changes": gettext_lazy("ratings"),
    "finding": gettext_lazy("finding"),
    "granted": gettext_lazy("granted"),
    "in_force": gettext_lazy("in force"),
    "note": gettext_lazy("note"),
    "open": gettext_lazy("open reports"),
    "player": gettext_lazy("whom"),
    "reason": gettext_lazy("reason"),
    "report": gettext_lazy("report"),
    "role": gettext_lazy("role"),
    "running": gettext_lazy("running matches"),
    "sanction": gettext_lazy("sanction"),
    "since": gettext_lazy("from"),
    "until": gettext_lazy("until"),
    "upheld": gettext_lazy("upheld"),
    **{name: switch.label for name, switch in SWITCHES.items()},
}


@register.filter
def told(facts: dict[str, Any]) -> SafeString:
    """Plain facts in one line, without those that say nothing; what is known no longer as it was
    written."""
    return format_html_join(
        gettext(", "),
        "{}{}<bdi>{}</bdi>",
        (
            (FACTS.get(name, name), gettext(": "), _value(name, value))
            for name, value in facts.items()
            if value not in NOTHING
        ),
    )


def _value(name: str, value: Any) -> Any:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return format_html_join(gettext(", "), "{}", ((_value(name, one),) for one in value))
    try:
        return VALUES[name](value) if name in VALUES else value
    except (ValueError, TypeError, AttributeError):  # written when it was kept in another way
        return value


def _date(text: str) -> str:
    """The moment, or the day that was searched for."""
    at = parse_datetime(text)
    if at is None:
        return text
    return date_format(at, "DATE_FORMAT") if is_naive(at) else moment(at)


def _number(player_id: int | str) -> SafeString:
    """A player, as the search takes it."""
    return format_html('<bdi dir="ltr">#{}</bdi>', int(player_id))


def _changes(changes: dict[str, int]) -> SafeString:
    """How many points each player's rating moved."""
    moved = ((_number(key), delta(points)) for key, points in changes.items())
    return format_html_join(gettext(", "), "{} {}", moved)


def _finding(key: str) -> SafeString:
    """What was found, and about whom."""
    kind, _colon, players = key.partition(":")
    numbers = format_html_join(" ", "{}", ((_number(one),) for one in players.split("-")))
    return format_html("{} {}", FindingKind(kind).label, numbers)


VALUES: dict[str, Callable[[Any], Any]] = {
    "act": lambda value: Act(value).label,
    "by": _number,
    "changes": _changes,
    "finding": _finding,
    "in_force": lambda value: Measure(value).label,
    "player": _number,
    "reason": lambda value: Reason(value).label,
    "role": lambda value: Role(value).label,
    "running": lambda value: dict(RUNNING).get(value, value),
    "since": _date,
    "until": _date,
}
