"""Work on cases: opened, claimed, released, noted on, cleared of findings, closed. Each act is one
entry of the trail."""

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Player, clock
from games.services import free_text
from games.services.errors import Refused
from games.services.locks import lock
from ladder.models import Act, Case, Finding, Note, Report
from ladder.services import audit, docket, reports
from ladder.services.roles import require

LONGEST_NOTE = Note._meta.get_field("text").max_length


def open_case(player: Player, by: Player) -> Case:
    """The open case of ``player``, opened by a moderator where nothing else has opened one."""
    with transaction.atomic():
        player = lock(Player.objects.filter(pk=player.pk), no_key=True).get()
        require(by, Act.OPEN, player)
        if not player.is_person:
            raise Refused(_("Only people with an account have a case."))
        if found := Case.objects.filter(player=player, closed_at=None).first():
            return found
        case = docket.case_of(player)
        docket.weigh(case)
        audit.record(by, Act.OPEN, player=player, after={"case": case.pk})
        return case


def claim(case: Case, by: Player) -> Case:
    """Take an open case for 20 minutes, or for 20 more.

    Raises ``Refused`` while somebody else has it.
    """
    with transaction.atomic():
        case = _locked(case)
        require(by, Act.CLAIM, case.player)
        if case.closed_at is not None:
            raise Refused(_("This case has been closed."))
        holder = case.claimed_by_id if _is_claimed(case) else None
        if holder not in (None, by.pk):
            raise Refused(_("Somebody else has claimed this case."))
        case.claimed_by, case.claimed_until = by, clock.now() + docket.CLAIMED_FOR
        case.save(update_fields=["claimed_by", "claimed_until"])
        if holder is None:
            audit.record(by, Act.CLAIM, player=case.player_id, after={"case": case.pk})
        return case


def release(case: Case, by: Player) -> Case:
    """Give a claimed case back to the queue. One that is not claimed, or no more, stays so."""
    with transaction.atomic():
        case = _locked(case)
        require(by, Act.RELEASE, case.player)
        if case.claimed_by_id != by.pk or not _is_claimed(case):
            return case
        case.claimed_by = case.claimed_until = None
        case.save(update_fields=["claimed_by", "claimed_until"])
        audit.record(by, Act.RELEASE, player=case.player_id, before={"case": case.pk})
        return case


def close(case: Case, by: Player, rest: bool | None = None, why: str = "") -> Case:
    """Close a case that ``by`` has claimed. ``rest``: what the reports that are still open are
    answered with.

    Raises ``Refused`` if some are open and nothing is said of them.
    """
    with transaction.atomic():
        case = docket.hold(case.pk, by)
        require(by, Act.CLOSE, case.player)
        still = list(lock(Report.objects.filter(case=case, answered_at=None)))
        if still and rest is None:
            raise Refused(_("Some reports are open: say what becomes of them."))
        for row in still:
            reports.settle(row, by, bool(rest))
        docket.weigh(case)
        case.closed_at, case.closed_by = clock.now(), by
        case.claimed_by = case.claimed_until = None
        case.save(update_fields=["closed_at", "closed_by", "claimed_by", "claimed_until"])
        audit.record(
            by,
            Act.CLOSE,
            player=case.player_id,
            why=free_text.visible(why),
            before={"case": case.pk, "open": [row.pk for row in still]},
            after={"case": case.pk, "upheld": rest if still else None},
        )
        return case


def note(case: Case, by: Player, text: str) -> Note:
    """Write down something for the other moderators; needs no claim. Raises ``Refused`` for nothing
    and for more than 1000 characters."""
    words = free_text.visible(text[: 4 * LONGEST_NOTE])
    if not words:
        raise Refused(_("There is nothing in the note: write something first."))
    if len(words) > LONGEST_NOTE:
        raise Refused(_("That is too long: a note has room for 1000 characters."))
    with transaction.atomic():
        require(by, Act.NOTE, case.player)
        made = Note.objects.create(player=case.player, by=by, text=words, made_at=clock.now())
        audit.record(by, Act.NOTE, player=case.player_id, after={"note": made.pk})
        return made


def clear(finding: Finding, case: Case, by: Player) -> Finding:
    """Find harmless what was found about the player of ``case``: the same evidence does not bring
    it back. Raises ``Refused`` also where it is about somebody on whom ``by`` may not act."""
    with transaction.atomic():
        players = list(lock(finding.players.all(), no_key=True))
        for player in players:
            require(by, Act.CLEAR, player)
        row = lock(Finding.objects.filter(pk=finding.pk)).get()
        if row.cleared_at is not None:
            return row
        row.cleared_at, row.cleared_by = clock.now(), by
        row.save(update_fields=["cleared_at", "cleared_by"])
        for one in lock(Case.objects.filter(player__in=players, closed_at=None)):
            docket.weigh(one)
        audit.record(by, Act.CLEAR, player=case.player_id, after={"finding": row.key})
        return row


def _locked(case: Case) -> Case:
    return lock(Case.objects.select_related("player").filter(pk=case.pk)).get()


def _is_claimed(case: Case) -> bool:
    return case.claimed_by_id is not None and case.claimed_until > clock.now()
