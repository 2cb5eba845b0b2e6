"""Words of the puzzles: what speaks for a play, and what plays are worth."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.ai.reasons import Reasons
from games.engine import KOMI, Basra, Card, Play
from games.selectors.puzzles import Position, Worth
from games.selectors.table import Table
from games.templatetags.look import card_name, card_names, rank_name

register = template.Library()


@register.filter
def points_of(value: float) -> str:
    """Points with their sign and one decimal, as the reader writes them: "+12.5", "−3.0"."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return sign + number_format(abs(value), 1)


@register.filter
def points_whole(value: int) -> str:
    """Whole points with their sign: "+12", "−3", "0"."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return sign + number_format(abs(value), 0)


@register.filter
def play_label(play: Play) -> str:
    """A play in words alone."""
    facts = {"card": card_name(play.card), "cards": card_names(sorted(play.capture))}
    text = _("%(card)s takes %(cards)s") if play.capture else _("lay %(card)s")
    return text % facts


@register.simple_tag
def speaks_for(position: Position | Table, best: Worth) -> list[str]:
    """What the best play brings, a sentence each."""
    why = best.why
    said = [_made(why)] if why.points else []
    if why.cards:
        said.append(
            ngettext("It brings %(n)s card.", "It brings %(n)s cards.", why.cards)
            % {"n": why.cards}
        )
    else:
        said.append(_("It takes nothing now."))
    if why.leaves_no_basra and not why.clears:
        said.append(_("It leaves nothing that a hidden card could take for a basra."))
    if why.keeps and not _is_honour(best.play.card):
        said.append(_("It keeps the %(card)s for later.") % {"card": _called(why.keeps[0])})
    if position.stock == 0:
        said.append(
            _("The stock is empty, so the cards not yet seen are exactly the opponent’s hand.")
        )
    return said


@register.simple_tag
def speaks_against(other: Worth) -> list[str]:
    """What is wrong with another play, a sentence each; nothing if it cannot be said shortly."""
    said = []
    if number := other.why.basra_cards:
        text = ngettext(
            "It leaves what %(n)s hidden card would take for a basra.",
            "It leaves what %(n)s hidden cards would take for a basra.",
            number,
        )
        said.append(text % {"n": number})
    if _is_honour(other.play.card):
        said.append(_("It gives the %(card)s away.") % {"card": _called(other.play.card)})
    if not other.why.cards:
        said.append(_("It takes nothing."))
    return said


def _made(why: Reasons) -> str:
    is_jack_basra = why.points == Basra.JACK.points
    return _("It makes a jack basra.") if is_jack_basra else _("It makes a basra.")


def _is_honour(card: Card) -> bool:
    return card is KOMI or card.rank == "J"


def _called(card: Card) -> str:
    """A jack or the komi by its name."""
    return _("komi") if card is KOMI else rank_name(card)
