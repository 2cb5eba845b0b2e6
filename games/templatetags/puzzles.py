"""Words of the puzzles: what speaks for a play, and what plays are worth."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import Basra, Play
from games.selectors.puzzles import Position
from games.selectors.reasons import Reasons, reasons
from games.templatetags.look import card_name, card_names, rank_name

register = template.Library()


@register.filter
def points_of(value: float) -> str:
    """Points with their sign and one decimal, as the reader writes them: "+12.5", "−3.0"."""
    sign = "+" if value > 0 else "−" if value < 0 else ""
    return sign + number_format(abs(value), 1)


@register.filter
def play_label(play: Play) -> str:
    """A play in words alone."""
    facts = {"card": card_name(play.card), "cards": card_names(sorted(play.capture))}
    text = _("%(card)s takes %(cards)s") if play.capture else _("lay %(card)s")
    return text % facts


@register.simple_tag
def speaks_for(position: Position, play: Play) -> list[str]:
    """What the best play brings, a sentence each."""
    facts = _reasons(position, play)
    said = [*_brings(facts)]
    if facts.basra is Basra.NONE and facts.leaves_no_basra:
        said.append(_("It leaves nothing that a hidden card could take for a basra."))
    if facts.keeps is not None:
        keeps = _("It keeps the %(card)s for later.")
        said.append(keeps % {"card": _called(str(facts.keeps))})
    if position.stock == 0:
        said.append(
            _("The stock is empty, so the cards not yet seen are exactly the opponent’s hand.")
        )
    return said


@register.simple_tag
def speaks_against(position: Position, play: Play) -> list[str]:
    """What is wrong with another play, a sentence each; nothing if it cannot be said shortly."""
    facts = _reasons(position, play)
    said = []
    if facts.threats:
        ranks = _(", ").join(_called(rank) for rank in facts.threats)
        said.append(_("It leaves a basra to who holds one of these: %(ranks)s.") % {"ranks": ranks})
    if str(play.card) == "7d":
        said.append(_("It gives the komi away."))
    elif play.card.rank == "J":
        said.append(_("It gives the jack away."))
    if not facts.won:
        said.append(_("It takes nothing."))
    return said


def _called(card: str) -> str:
    """A rank in words, and the komi by its name."""
    return _("komi") if card == "7d" else rank_name(card)


def _brings(facts: Reasons) -> list[str]:
    if not facts.won:
        return [_("It takes nothing now.")]
    brings = ngettext(
        "It brings %(n)s card.", "It brings %(n)s cards.", facts.won
    ) % {"n": facts.won}  # fmt: skip
    if facts.basra is Basra.NONE:
        return [brings]
    made = _("It makes a jack basra.") if facts.basra is Basra.JACK else _("It makes a basra.")
    return [made, brings]


def _reasons(position: Position, play: Play) -> Reasons:
    return reasons(position.hand, position.floor, play, position.gone)
