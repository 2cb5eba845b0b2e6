"""What moderators are shown of a match that runs: nothing that a watcher is not."""

import pytest
from django.test import Client

from games.models import Kind, Utterance, clock
from ladder.models import AuditEntry, Finding, FindingKind, Role
from ladder.services import cases, reports
from tests.factories import dealt, house, person, play_on, staff
from tests.secrecy.test_match import cards_told, look_for_secrets

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[Kind.RANKED, Kind.CHALLENGE, Kind.PRACTICE])
def running(request: pytest.FixtureRequest):
    """A match in its first deal that a report and a finding name, and the case of its player."""
    suspect = person()
    other = house() if request.param == Kind.PRACTICE else person()
    match = play_on(dealt(request.param, [suspect, other]), 9)
    said = Utterance.objects.create(match=match, player=suspect, text="hurry", said_at=clock.now())
    report = reports.report(person(), suspect, "cheating", "He knows.", match, said)
    finding = Finding.objects.create(
        kind=FindingKind.MACHINE, key="machine", found_at=clock.now(), renewed_at=clock.now()
    )
    finding.players.add(suspect)
    finding.matches.add(match)
    return match, report


@pytest.mark.parametrize("role", list(Role))
def test_no_role_is_shown_a_hidden_card_of_a_running_match(running, role, caplog):
    match, report = running
    by = staff(role)
    client = Client()
    client.force_login(by)
    cases.claim(report.case, by)
    case = f"/moderation/cases/{report.case_id}/"
    shown = {
        "queue": client.get("/moderation/"),
        "case": client.get(case),
        "look": client.post(f"{case}matches/{match.pk}/"),
        "talk": client.post(f"{case}talk/{match.pk}/"),
        "marks": client.post(f"{case}marks/"),
        "answer": client.post(f"{case}reports/{report.pk}/", {"upheld": "yes"}, follow=True),
        "trail": client.get("/moderation/audit/"),
        "report": client.get(f"/report/?match={match.pk}"),
    }
    assert shown["case"].status_code == 200
    assert shown["look"].status_code in (404, 409)
    for name, response in shown.items():
        assert cards_told(response.text) == set(), name
        look_for_secrets(response.text + str(response.headers), match, by)
    table = client.get(f"/games/{match.pk}/")
    assert table.status_code == (404 if match.kind == Kind.PRACTICE else 200)
    look_for_secrets(table.text, match, by)
    assert client.get(f"/games/{match.pk}/record.json").status_code == 404
    kept = f"{report.evidence} {list(AuditEntry.objects.values())} {caplog.text}"
    assert cards_told(kept) == set()
    look_for_secrets(kept, match, by)


def test_an_export_of_the_trail_tells_no_card(running):
    match, report = running
    by = staff(Role.SENIOR)
    cases.claim(report.case, by)
    client = Client()
    client.force_login(by)
    response = client.post("/moderation/audit/trail.csv")
    text = b"".join(response.streaming_content).decode()
    assert "case.claim" in text
    assert cards_told(text) == set()
    look_for_secrets(text, match, by)
