"""The languages of the site, and the reader's digits."""

from typing import Any

from django import template
from django.conf import settings
from django.utils.translation import get_language, get_language_info

from games import digits

register = template.Library()


@register.simple_tag
def other_languages() -> list[dict[str, Any]]:
    """Every language but the one that is read now: its code, its own name, a short one, and its
    direction."""
    return [
        {
            "code": code,
            "name": name,
            "short": short_name(code, name),
            "dir": "rtl" if get_language_info(code)["bidi"] else "ltr",
        }
        for code, name in settings.LANGUAGES
        if code != get_language()
    ]


def short_name(code: str, name: str) -> str:
    """What there is room for beside a table on a phone: "EN", "ع"."""
    bare = code.partition("-")[0]
    return name.removeprefix("ال")[:1] if get_language_info(bare)["bidi"] else bare.upper()


@register.simple_tag(takes_context=True)
def digits_wanted(context: template.Context) -> bool:
    """Does the reader want Arabic-Indic digits?"""
    return digits.are_wanted(context.get("user"))
