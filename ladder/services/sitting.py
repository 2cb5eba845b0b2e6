"""Who may sit down and who may speak: what ``games.ports`` asks."""

from django.utils.translation import gettext as _

from games.models import Kind, Player, PlayerKind, clock
from games.ports import Verdict
from ladder.selectors import pauses, sanctions
from ladder.services import switches

ALLOWED = Verdict(True)


def may_sit(player: Player, kind: str) -> Verdict:
    """May ``player`` play a match of ``kind`` now? A pause is from ranked play alone; whom a
    moderator has shut out plays none."""
    verdict = may_ever_sit(player, kind)
    if not verdict.allowed:
        return verdict
    if refused := sanctions.why_not_sit(player, kind):
        return Verdict(False, refused)
    if kind != Kind.RANKED:
        return verdict
    if not switches.value("queue_open"):
        return Verdict(False, _("Ranked play is closed for the moment. Come back a little later."))
    pause = pauses.running(player, clock.now())
    return Verdict(False, pauses.refusal(pause)) if pause else ALLOWED


def may_ever_sit(player: Player, kind: str) -> Verdict:
    """The same without pauses and sanctions. Guests practise only; ranked is for people who are not
    staff."""
    if player.is_closed or not player.is_active:
        return Verdict(False, _("This account is closed."))
    if kind == Kind.PRACTICE:
        return ALLOWED
    if player.kind != PlayerKind.PERSON:
        return Verdict(False, _("Matches between people need an account. Practice needs none."))
    if kind != Kind.RANKED:
        return ALLOWED
    if player.is_staff:
        return Verdict(
            False,
            _(
                "Staff don't play ranked: whoever can rule on a match must not gain by one. "
                "Practice is open to you."
            ),
        )
    return ALLOWED


def may_speak(player: Player) -> Verdict:
    """May ``player`` say something at a table? People with an account may, unless muted."""
    if player.kind == PlayerKind.PERSON and player.is_active:
        refused = sanctions.why_not_speak(player)
        return Verdict(False, refused) if refused else ALLOWED
    return Verdict(False, _("Only people with an account can write here."))


def may_write(_player: Player) -> Verdict:
    """May own words be written at a table now?"""
    if switches.value("free_text"):
        return ALLOWED
    return Verdict(False, _("For the moment only the phrases can be said."))


def may_sign_up() -> Verdict:
    """Can there be new accounts now?"""
    if switches.value("sign_up_open"):
        return ALLOWED
    return Verdict(False, _("No new accounts are made for the moment."))
