"""Looks at what is private: each is one entry of the trail, written before anything is shown."""

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Match, Player
from games.services.errors import Refused
from ladder.models import Act, Case, Mark
from ladder.selectors import moderation as selector
from ladder.services import audit
from ladder.services.roles import require, why_not


def talk(case: Case, match_id: str, by: Player) -> selector.Talk:
    """What was said at a table of the player of ``case``.

    Raises ``Match.DoesNotExist`` for a match in which that player has no seat, and ``Refused``
    unless ``by`` stands above both who sat there.
    """
    match = selector.match_of(case, match_id)
    with transaction.atomic():
        _require(by, Act.SEE_TALK, match)
        audit.record(by, Act.SEE_TALK, player=case.player, match=match)
    return selector.talk(case, match)


def marks(case: Case, by: Player) -> list[Mark]:
    """The marks of the player of ``case``, unmasked."""
    with transaction.atomic():
        require(by, Act.SEE_MARKS, case.player)
        audit.record(by, Act.SEE_MARKS, player=case.player)
    return selector.marks_of(case.player)


def match(case: Case, match_id: str, by: Player) -> Match:
    """Let ``by`` look for an hour into a match that is not public: one that is over and that a
    report or a finding about the player of ``case`` names. The entry of the trail is the key.

    Raises ``Match.DoesNotExist`` for one that neither names, and ``Refused`` while it runs, and
    unless ``by`` stands above both of its players.
    """
    found = selector.match_of(case, match_id)
    if not selector.named_matches([found.pk]):
        raise Match.DoesNotExist
    if not found.is_over:
        raise Refused(_("This match is not over: nobody looks into a match that runs."))
    with transaction.atomic():
        _require(by, Act.SEE_MATCH, found)
        audit.record(by, Act.SEE_MATCH, player=case.player, match=found)
    return found


def _require(by: Player, act: Act, match: Match) -> None:
    require(by, act)
    if any(why_not(by, seat.player) for seat in match.seats.select_related("player")):
        raise Refused(_("Only who stands above both players may look at what is private to them."))
