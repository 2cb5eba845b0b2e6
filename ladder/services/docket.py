"""The open cases: one for each player of whom something is open, weighed for the queue, and held
by one moderator at a time."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from games.models import Player, clock
from games.services.errors import Refused
from games.services.locks import lock
from ladder.models import Case, Finding, Reason, Report

CLAIMED_FOR = timedelta(minutes=20)
# How much a report of each reason weighs, from a reporter of whom nothing is known.
SEVERITY = {
    Reason.CHEATING: 40,
    Reason.MANIPULATION: 35,
    Reason.INSULTS: 30,
    Reason.NAME: 25,
    Reason.STALLING: 15,
    Reason.OTHER: 10,
}
FINDING = 20  # for each point of its severity
MOST_WEIGHED = 100  # open reports: a case with so many stands in front anyway
FIRST_COUNT = 2  # answers that every reporter begins with, half of them upheld


def case_of(player: Player) -> Case:
    """The open case of ``player``, whose row is locked; opened if there is none."""
    found = lock(Case.objects.filter(player=player, closed_at=None)).first()
    return found or Case.objects.create(player=player, opened_at=clock.now())


def weigh(case: Case) -> None:
    """Count and weigh what is open in a locked ``case``. 5 queries.

    A report weighs its severity, times the share of the reporter's former reports that were
    upheld, twice over: somebody new counts once, somebody who was always wrong next to nothing.
    """
    unanswered = Report.objects.filter(case=case, answered_at=None)
    newest = list(unanswered.order_by("-id").values_list("reason", "reporter")[:MOST_WEIGHED])
    trust = _trust({reporter for _reason, reporter in newest if reporter})
    weight = sum(SEVERITY[Reason(why)] * trust.get(by, 1.0) for why, by in newest)
    found = Finding.objects.filter(players=case.player_id, cleared_at=None)
    weight += FINDING * (found.aggregate(sum=Sum("severity"))["sum"] or 0)
    case.weight, case.reports_open = round(weight), unanswered.count()
    case.save(update_fields=["weight", "reports_open"])


def found(player_ids: Iterable[int], severity: int) -> None:
    """Something has been found about these players: it opens a case, or weighs in one that is open.

    What is of the least severity opens none: there are families that share a computer.
    """
    for player in list(lock(Player.objects.filter(pk__in=player_ids), no_key=True)):
        if severity > 1:
            weigh(case_of(player))
        elif case := lock(Case.objects.filter(player=player, closed_at=None)).first():
            weigh(case)


def hold(case_id: int, by: Player) -> Case:
    """The open case of that id, locked, whose claim by ``by`` is renewed.

    Raises ``Case.DoesNotExist``, and ``Refused`` unless ``by`` has claimed it.
    """
    case = lock(Case.objects.filter(pk=case_id)).get()
    if case.closed_at is not None:
        raise Refused(_("This case has been closed."))
    if case.claimed_by_id != by.pk or case.claimed_until <= clock.now():
        raise Refused(_("Claim the case first: nobody else then works on it."))
    case.claimed_until = clock.now() + CLAIMED_FOR
    case.save(update_fields=["claimed_until"])
    return case


def _trust(reporters: set[int]) -> dict[int, float]:
    """What reports of each of these are worth: 1 for who is new, from almost 0 to almost 2."""
    answered = Report.objects.filter(reporter__in=reporters, answered_at__isnull=False)
    rows = answered.values_list("reporter").annotate(
        right=Count("pk", filter=Q(upheld=True)), all=Count("pk")
    )
    return {
        reporter: 2 * (right + FIRST_COUNT / 2) / (all_ + FIRST_COUNT)
        for reporter, right, all_ in rows
    }
