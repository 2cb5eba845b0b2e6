"""What a play in a lesson did, in words: the engine's answer, told."""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine import Basra, Turn
from games.selectors.lessons import Outcome
from games.templatetags.look import card_name, card_names

register = template.Library()


@register.filter
def happened(outcome: Outcome) -> str:
    """What the play did at once."""
    card = card_name(outcome.play.card)
    if not outcome.took:
        return _("You laid %(card)s: it takes nothing and stays.") % {"card": card}
    said = _("You took %(cards)s with %(card)s.") % {
        "cards": card_names(outcome.took),
        "card": card,
    }
    if outcome.basra is not Basra.NONE:
        return f"{said} {_points(outcome.basra)}"
    no_basra = _("The floor is empty, but it is no basra.")
    return f"{said} {no_basra}" if outcome.empties else said


def _points(basra: Basra) -> str:
    named = _("Jack basra: %(points)s points.") if basra is Basra.JACK else _("Basra: %(points)s.")
    return named % {"points": basra.points}


@register.filter
def threatened(outcome: Outcome) -> str:
    """With what the opponent could make a basra now, if with anything; nothing where none is
    looked for."""
    if not outcome.threats:
        return ""
    ranks = {card.rank for card in outcome.threats if str(card) != "7d"}
    card = next((card for card in outcome.threats if card.rank in ranks), outcome.threats[0])
    cards = [other for other in outcome.threats if other.rank == card.rank]
    return ngettext(
        "Now %(cards)s would be a basra.", "Now any of these would be a basra: %(cards)s.",
        len(cards),
    ) % {"cards": card_names(cards)}  # fmt: skip


@register.simple_tag
def followed(outcome: Outcome, turn: Turn) -> str:
    """One of the turns that followed until the end of the deal."""
    facts = {"card": card_name(turn.play.card), "cards": card_names(sorted(turn.play.capture))}
    mine = turn.seat == outcome.reader
    if not turn.play.capture:
        text = _("You laid %(card)s.") if mine else _("Your opponent laid %(card)s.")
    elif mine:
        text = _("You took %(cards)s with %(card)s.")
    else:
        text = _("Your opponent took %(cards)s with %(card)s.")
    return text % facts


@register.simple_tag
def swept(outcome: Outcome) -> str:
    """Who got what was left on the floor."""
    number = len(outcome.ending.swept) if outcome.ending else 0
    if outcome.is_mine_at_last:
        text = ngettext(
            "You captured last: %(n)s card of the floor is yours.",
            "You captured last: %(n)s cards of the floor are yours.",
            number,
        )
    else:
        text = ngettext(
            "Your opponent captured last, and gets %(n)s card of the floor.",
            "Your opponent captured last, and gets %(n)s cards of the floor.",
            number,
        )
    return text % {"n": number}


@register.simple_tag
def counted(outcome: Outcome) -> str:
    """The cards of both at the end, and who has the points for them."""
    mine, other = outcome.lines
    facts = {"mine": mine.cards, "other": other.cards}
    if mine.majority_points:
        return _("%(mine)s cards to %(other)s: 30 points for you.") % facts
    if other.majority_points:
        return _("%(mine)s cards to %(other)s: 30 points for your opponent.") % facts
    return _("%(mine)s cards to %(other)s: nobody gets points for them.") % facts
