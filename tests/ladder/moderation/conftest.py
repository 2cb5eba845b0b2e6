"""People who report, and staff who work on it."""

from datetime import timedelta

import pytest
from django.test import Client

from games.models import Kind, Match, Player, Utterance, clock
from ladder.models import Case, Report
from ladder.services import cases, reports
from tests.factories import dealt, person


@pytest.fixture
def as_():
    """A browser in which ``player`` is logged in."""

    def log_in(player: Player | None) -> Client:
        client = Client()
        if player is not None:
            client.force_login(player)
        return client

    return log_in


@pytest.fixture
def reported():
    """Makes an open report: ``reported(suspect, reason="insults", by=…)``."""

    def make(suspect: Player, reason: str = "insults", by: Player | None = None, **more) -> Report:
        return reports.report(by or person(), suspect, reason, **more)

    return make


@pytest.fixture
def claimed(reported):
    """Makes a case of ``suspect`` with one report, which ``by`` has claimed."""

    def make(suspect: Player, by: Player, **more) -> Case:
        return cases.claim(reported(suspect, **more).case, by)

    return make


@pytest.fixture
def insulted():
    """A running match with what was said in it: ``insulted("first", "second")``, in turn."""

    def make(*said: str, kind: str = Kind.RANKED) -> tuple[Match, list[Player], list[Utterance]]:
        two = [person(date_joined=clock.now() - timedelta(days=9)) for _seat in range(2)]
        match = dealt(kind, two)
        lines = [
            Utterance.objects.create(match=match, player=two[n % 2], text=text, said_at=clock.now())
            for n, text in enumerate(said)
        ]
        return match, two, lines

    return make
