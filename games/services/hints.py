"""A hint in a practice match: what ``master`` would play in the player's place, and why."""

import logging

from django.utils.translation import gettext as _

from games.ai.reasons import reasons
from games.models import Player
from games.selectors.puzzles import Worth
from games.services import play, thinking
from games.services.errors import Refused

log = logging.getLogger(__name__)


def hint(*, match_id: str, player: Player, agreed: bool = False) -> Worth:
    """What ``master`` would play now, seeing what ``player`` sees and nothing else.

    Asked again in the same turn it says the same. It is thought of outside any transaction. Raises
    as ``play.take_hint`` does, and ``Refused`` if no thought came.
    """
    number, seen = play.take_hint(match_id=match_id, player=player, agreed=agreed)
    try:
        thought = thinking.think(seen, thinking.seed_of(match_id, number))
    except thinking.NoAnswer as error:
        log.warning("no hint in %s: %s", match_id, error)
        raise Refused(_("No hint could be thought of just now: ask again.")) from error
    return Worth(thought.play, thought.plays[0].value, 0.0, reasons(seen, thought.play))
