"""Cards and icons as templates draw them. Every card is named in the reader's language."""

from collections.abc import Iterable

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine import Card

register = template.Library()

_RANKS = {
    "A": lambda: _("ace"), "2": lambda: _("two"), "3": lambda: _("three"), "4": lambda: _("four"),
    "5": lambda: _("five"), "6": lambda: _("six"), "7": lambda: _("seven"), "8": lambda: _("eight"),
    "9": lambda: _("nine"), "T": lambda: _("ten"), "J": lambda: _("jack"), "Q": lambda: _("queen"),
    "K": lambda: _("king"),
}  # fmt: skip
_SUITS = {
    "c": lambda: _("clubs"), "d": lambda: _("diamonds"),
    "h": lambda: _("hearts"), "s": lambda: _("spades"),
}  # fmt: skip
_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@register.filter
def card_name(card: Card | str) -> str:
    """The card in words: "six of spades", "seven of diamonds, the komi"."""
    text = str(card)
    if text == "7d":
        return _("seven of diamonds, the komi")
    return _("%(rank)s of %(suit)s") % {"rank": _RANKS[text[0]](), "suit": _SUITS[text[1]]()}


def rank_name(card: Card | str) -> str:
    """The rank in words, of a card or as it is written: "six", "jack"."""
    return _RANKS[str(card)[0]]()


@register.filter
def card_names(cards: Iterable[Card | str]) -> str:
    """Several cards in words, with commas between them."""
    return _(", ").join(card_name(card) for card in cards)


@register.simple_tag
def icon(name: str, extra: str = "") -> SafeString:
    """The icon ``i-name`` of the sheet."""
    return format_html(
        '<svg class="icon {}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        '<use href="{}#i-{}"/></svg>', extra, static("icons.svg"), name,
    )  # fmt: skip


@register.simple_tag
def portrait(level: str) -> SafeString:
    """The drawn face of the house player of a level; who it is stands beside it in words."""
    return format_html(
        '<svg class="portrait" viewBox="0 0 64 64" aria-hidden="true" focusable="false">'
        '<use href="{}#portrait-{}"/></svg>', static("portraits.svg"), level,
    )  # fmt: skip


@register.simple_tag
def face(card: Card | str) -> SafeString:
    """The picture of a card's face, without its name."""
    return _picture(f"card-{card}")


@register.simple_tag
def back(pattern: str = "star") -> SafeString:
    """The picture of a card's back. All backs are alike: nothing in it says which card it is."""
    return _picture(f"back-{pattern or 'star'}")


@register.filter
def mini(card: Card | str) -> SafeString:
    """A card within a sentence: rank and suit sign, named for who cannot see it."""
    text = str(card)
    return format_html(
        '<bdi class="mini mini-{}" dir="ltr" data-digits="latin" aria-label="{}" role="img">'
        "{}{}&#xFE0E;</bdi>",
        text[1], card_name(text), text[0].replace("T", "10"), _SIGNS[text[1]],
    )  # fmt: skip


def _picture(symbol: str) -> SafeString:
    return format_html(
        '<svg viewBox="0 0 250 350" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        static("cards.svg"), symbol,
    )  # fmt: skip
