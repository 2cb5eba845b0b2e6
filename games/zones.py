"""The time zone of a reader's browser, which its pages name in a cookie (``kept.js``)."""

from collections.abc import Mapping
from datetime import tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

COOKIE = "zone"


def of_browser(cookies: Mapping[str, str]) -> tzinfo:
    """The zone that these cookies name; the site's own if they name none that there is.

    >>> str(of_browser({"zone": "Africa/Cairo"}))
    'Africa/Cairo'
    """
    name = cookies.get(COOKIE, "")
    return ZoneInfo(name) if name in _known() else timezone.get_default_timezone()


@cache
def _known() -> frozenset[str]:
    return frozenset(available_timezones())
