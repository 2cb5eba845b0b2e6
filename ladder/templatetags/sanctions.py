"""What the moderators' forms show of measures."""

from typing import Any

from django import template
from django.utils.translation import get_language_info

from games.models import Player
from ladder.models import Act, Measure, act_of
from ladder.selectors.sanctions import language_of
from ladder.views.moderation.sanctions import SanctionForm

register = template.Library()


@register.simple_tag(takes_context=True)
def sanction_form(context: dict[str, Any], player: Player) -> SanctionForm:
    """The form of the measures that the reader may take against ``player``."""
    return SanctionForm(by=context["request"].user, player=player)


@register.filter
def reads(player: Player) -> str:
    """The name of the language in which ``player`` is written to, in the reader's."""
    return str(get_language_info(language_of(player))["name_translated"])


@register.filter
def act(measure: str) -> Act:
    """The act of imposing ``measure``, which whoever takes it back must be allowed too."""
    return act_of(measure)


@register.filter
def measure_name(value: str) -> str:
    """The name of a measure."""
    return str(Measure(value).label)
