"""Several people at once on PostgreSQL, where transactions really run side by side."""

from collections.abc import Callable

import pytest
from django.conf import settings

from games.services.errors import Refused
from ladder.models import Act, AuditEntry, Case, Report
from ladder.services import cases, reports
from tests.factories import person, staff
from tests.ladder.test_together import at_once

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" in settings.DATABASES["default"]["ENGINE"], reason="needs PostgreSQL"
    ),
]


def trying(act: Callable[[], object], refused: list[str]) -> Callable[[], None]:
    """Does ``act``, and notes if it is refused."""

    def attempt() -> None:
        try:
            act()
        except Refused as error:
            refused.append(error.message)

    return attempt


def test_reports_by_many_open_one_case():
    suspect = person()
    reporters = [person() for _one in range(6)]
    at_once(*[lambda by=by: reports.report(by, suspect, "cheating") for by in reporters])
    case = Case.objects.get()
    assert case.reports_open == 6


def test_of_two_clicks_one_is_a_report():
    me, suspect, refused = person(), person(), []
    at_once(*[trying(lambda: reports.report(me, suspect, "cheating"), refused)] * 2)
    assert Report.objects.count() == 1
    assert len(refused) == 1


def test_two_people_who_report_each_other_do_not_wait_for_each_other():
    one, two = person(), person()
    at_once(
        lambda: reports.report(one, two, "insults"), lambda: reports.report(two, one, "insults")
    )
    assert Case.objects.count() == 2


def test_one_of_two_moderators_gets_the_case():
    case, refused = reports.report(person(), person(), "cheating").case, []
    two = [staff("helper"), staff("helper")]
    at_once(*[trying(lambda by=by: cases.claim(case, by), refused) for by in two])
    assert len(refused) == 1
    assert AuditEntry.objects.filter(act=Act.CLAIM).count() == 1


def test_two_answers_to_one_report_are_one():
    by, refused = staff("helper"), []
    made = reports.report(person(), person(), "cheating")
    cases.claim(made.case, by)
    at_once(*[trying(lambda: reports.answer(made, by, upheld=True), refused)] * 4)
    assert refused == []
    assert AuditEntry.objects.filter(act=Act.ANSWER).count() == 1
