"""Every act and every role, asked through the pages that the site has for it.

``ANSWERS`` is the whole of it. An act that is not in the table, or that nothing here can ask, is a
failure.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.test import Client

from games.models import Kind, Match, Player, PlayerKind, clock
from games.services import play
from ladder.models import (
    Act,
    Appeal,
    AuditEntry,
    Case,
    Finding,
    FindingKind,
    Measure,
    Report,
    Role,
    Sanction,
)
from ladder.services import docket, marks, reports, roles
from tests.factories import dealt, house, person, staff

pytestmark = pytest.mark.django_db

# Who asks, in this order: a stranger, a guest, a player, the reporter, the suspect; a helper, a
# moderator, a senior moderator, an administrator, about a player; and somebody with every right
# about oneself, an equal, and a moderator about a superior. "." where the act is about nobody.
ASKERS = (
    "stranger", "guest", "player", "reporter", "suspect",
    "helper", "moderator", "senior", "administrator",
    "oneself", "equal", "superior",
)  # fmt: skip
ANSWERS = {
    #                  strangers players | staff about a player | on whom
    Act.QUEUE:         "no no no no no   yes yes yes yes   .  .  .",
    Act.OPEN:          "no no no no no   yes yes yes yes   no no no",
    Act.CLAIM:         "no no no no no   yes yes yes yes   no no no",
    Act.RELEASE:       "no no no no no   yes yes yes yes   no no no",
    Act.CLOSE:         "no no no no no   yes yes yes yes   no no no",
    Act.ANSWER:        "no no no no no   yes yes yes yes   no no no",
    Act.NOTE:          "no no no no no   yes yes yes yes   no no no",
    Act.CLEAR:         "no no no no no   no  yes yes yes   no no no",
    Act.SEE_TALK:      "no no no no no   yes yes yes yes   no no no",
    Act.SEE_MATCH:     "no no no no no   no  yes yes yes   no no no",
    Act.SEE_MARKS:     "no no no no no   no  no  yes yes   no no no",
    Act.WARN:          "no no no no no   yes yes yes yes   no no no",
    Act.MUTE:          "no no no no no   yes yes yes yes   no no no",
    Act.RENAME:        "no no no no no   yes yes yes yes   no no no",
    Act.PAUSE:         "no no no no no   no  yes yes yes   no no no",
    Act.OFF_BOARD:     "no no no no no   no  yes yes yes   no no no",
    Act.SUSPEND:       "no no no no no   no  yes yes yes   no no no",
    Act.SHUT:          "no no no no no   no  yes yes yes   no no no",
    Act.CHEAT:         "no no no no no   no  no  yes yes   no no no",
    Act.UNDO:          "no no no no no   no  yes yes yes   no no no",
    Act.DECIDE:        "no no no no no   no  no  yes yes   no no no",
    Act.ANNUL:         "no no no no no   no  no  yes yes   no no no",
    Act.SEE_TRAIL:     "no no no no no   no  yes yes yes   .  .  .",
    Act.EXPORT_TRAIL:  "no no no no no   no  no  yes yes   .  .  .",
    Act.APPOINT:       "no no no no no   no  no  no  yes   no no no",
    Act.SET:           "no no no no no   no  no  no  yes   .  .  .",
    Act.ADMIN:         "no no no no no   no  no  no  yes   .  .  .",
}  # fmt: skip


@dataclass
class Scene:
    """A case of ``suspect``, claimed by ``asker``, with one of everything in it."""

    suspect: Player
    reporter: Player
    asker: Player | None
    case: Case
    report: Report
    finding: Finding
    rated: Match
    friendly: Match
    practice: Match
    sanction: Sanction
    appeal: Appeal
    client: Client


Ask = Callable[[Scene], HttpResponse | bool]


def post(address: str, **form: object) -> Ask:
    """Sends a form to an address in which the parts of the scene are filled in."""
    return lambda scene: scene.client.post(address.format(s=scene), form)


def get(address: str) -> Ask:
    return lambda scene: scene.client.get(address.format(s=scene))


def rule(act: Act, about: bool = True) -> Ask:
    """The rule alone."""
    return lambda scene: roles.may(scene.asker, act, scene.suspect if about else None)


def measure(which: Measure) -> Ask:
    """Imposes a measure, for a week where it can have an end."""
    form = {"measure": which, "reason": "other", "days": "7", "running": "go on", "sure": "yes"}
    return post("/moderation/players/{s.suspect.pk}/sanction/", **form)


def appoint(scene: Scene) -> HttpResponse:
    form = {"name": scene.suspect.name, "role": "helper", "why": "."}
    return scene.client.post("/moderation/staff/", form)


CASE = "/moderation/cases/{s.case.pk}/"
# How each act is asked. The settings and the administration have pages of another kind, whose tests
# are elsewhere: here the rule alone is asked.
HOW: dict[Act, Ask] = {
    Act.QUEUE: get("/moderation/"),
    Act.OPEN: post("/moderation/players/{s.suspect.pk}/"),
    Act.CLAIM: post(CASE + "claim/"),
    Act.RELEASE: post(CASE + "release/"),
    Act.CLOSE: post(CASE + "close/", rest="no"),
    Act.ANSWER: post(CASE + "reports/{s.report.pk}/", upheld="yes"),
    Act.NOTE: post(CASE + "note/", text="Seen before."),
    Act.CLEAR: post(CASE + "findings/{s.finding.pk}/"),
    Act.SEE_TALK: post(CASE + "talk/{s.friendly.pk}/"),
    Act.SEE_MATCH: post(CASE + "matches/{s.practice.pk}/"),
    Act.SEE_MARKS: post(CASE + "marks/"),
    Act.SEE_TRAIL: get("/moderation/audit/"),
    Act.EXPORT_TRAIL: post("/moderation/audit/trail.csv"),
    Act.APPOINT: appoint,
    Act.WARN: measure(Measure.WARNING),
    Act.MUTE: measure(Measure.MUTE),
    Act.RENAME: measure(Measure.RENAME),
    Act.PAUSE: measure(Measure.PAUSE),
    Act.OFF_BOARD: measure(Measure.OFF_BOARD),
    Act.SUSPEND: measure(Measure.SUSPENSION),
    Act.SHUT: measure(Measure.CLOSURE),
    Act.CHEAT: measure(Measure.CHEAT),
    Act.UNDO: post("/moderation/sanctions/{s.sanction.pk}/undo/", why="A mistake."),
    Act.DECIDE: post("/moderation/appeals/{s.appeal.pk}/", decision="reject", answer="It stands."),
    Act.ANNUL: post("/moderation/matches/{s.rated.pk}/annul/", why="Thrown."),
    Act.SET: rule(Act.SET, about=False),
    Act.ADMIN: rule(Act.ADMIN, about=False),
}
LOOKS_AT_PAGES = {Act.QUEUE, Act.SEE_TRAIL}  # what everybody in the role sees leaves no entry


def scene(column: str) -> Scene:
    """The scene in which the asker of that column asks."""
    suspect, reporter = person(), person()
    rated = dealt(players=[suspect, person()])
    play.resign(match_id=rated.pk, player=suspect)
    if column in ("oneself", "equal"):
        promoted(suspect, Role.ADMINISTRATOR)
    elif column == "superior":
        promoted(suspect, Role.SENIOR)
    asker = {
        "stranger": lambda: None,
        "guest": lambda: person(kind=PlayerKind.GUEST),
        "player": person,
        "reporter": lambda: reporter,
        "suspect": lambda: suspect,
        "oneself": lambda: suspect,
        "equal": lambda: staff(Role.ADMINISTRATOR),
        "superior": lambda: staff(Role.MODERATOR),
    }.get(column, lambda: staff(column))()
    friendly = dealt(Kind.CHALLENGE, [suspect, person()])
    practice = dealt(Kind.PRACTICE, [suspect, house()])
    play.resign(match_id=practice.pk, player=suspect)
    report = reports.report(reporter, suspect, "cheating")
    now = clock.now()
    finding = Finding.objects.create(
        kind=FindingKind.MACHINE, key=f"x:{suspect.pk}", found_at=now, renewed_at=now
    )
    finding.players.add(suspect)
    finding.matches.add(practice)
    marks.note(suspect, agent="a", language="b", address="192.0.2.1")
    Case.objects.filter(pk=report.case_id).update(
        claimed_by=asker, claimed_until=clock.now() + docket.CLAIMED_FOR
    )
    sanction = Sanction.objects.create(
        player=suspect, measure="warning", reason="insults", message=".", by=person(), began_at=now,
        acknowledged_at=now,
    )  # fmt: skip
    appeal = Appeal.objects.create(sanction=sanction, text="No.", made_at=now)
    client = Client()
    if asker is not None:
        client.force_login(asker)
    return Scene(
        suspect, reporter, asker, report.case, report, finding, rated, friendly, practice,
        sanction, appeal, client,
    )  # fmt: skip


def promoted(player: Player, role: Role) -> None:
    """Who has played until now is on the staff from now on."""
    player.is_staff = True
    player.save()
    player.groups.add(Group.objects.get(name=role))
    Authenticator.objects.create(user=player, type=Authenticator.Type.TOTP, data={})


def asked(act: Act, column: str) -> str:
    """The answer, and that it is what the trail says."""
    here = scene(column)
    if act == Act.CLAIM:
        Case.objects.update(claimed_by=None, claimed_until=None)
    if act == Act.OPEN:
        Case.objects.update(closed_at=clock.now())
    if act == Act.APPOINT and column in ("oneself", "equal"):
        assert roles.role_of(here.suspect) == Role.ADMINISTRATOR
    before = AuditEntry.objects.count()
    response = HOW[act](here)
    if isinstance(response, bool):
        return "yes" if response else "no"
    written = list(AuditEntry.objects.all()[: AuditEntry.objects.count() - before])
    if act in LOOKS_AT_PAGES:
        assert written == []
        return {200: "yes", 404: "no"}[response.status_code]
    if not written:
        assert response.status_code in (302, 303, 404, 409), response
        return "no"
    assert len(written) == (2 if act == Act.ANNUL else 1)  # of a match, for each side
    assert response.status_code in (200, 302, 303), response
    for entry in written:
        assert (entry.act, entry.by) == (act, here.asker.pk)
        assert entry.role == roles.role_of(here.asker)
    if act != Act.EXPORT_TRAIL:
        assert here.suspect.pk in {entry.player for entry in written}
    return "yes"


def test_no_act_is_missing_from_the_table():
    assert set(ANSWERS) == set(Act)
    assert set(HOW) == set(Act)
    assert {len(answers.split()) for answers in ANSWERS.values()} == {len(ASKERS)}


@pytest.mark.parametrize("act", list(Act), ids=lambda act: act.value)
def test_each_role_gets_the_answer_of_the_table(act):
    found = {
        column: asked(act, column) if answer != "." else "."
        for column, answer in zip(ASKERS, ANSWERS[act].split(), strict=True)
    }
    assert found == dict(zip(ASKERS, ANSWERS[act].split(), strict=True))


@pytest.mark.parametrize("act", [act for act in Act if "rule" not in HOW[act].__qualname__])
def test_staff_without_a_second_factor_is_led_to_setting_it_up(act):
    here = scene("administrator")
    here.asker.authenticator_set.all().delete()
    response = HOW[act](here)
    assert (response.status_code, response.url) == (302, "/accounts/2fa/")
    assert not AuditEntry.objects.exists()


def test_out_of_reach_is_not_even_shown():
    """Nobody reads what is said of oneself, an equal or a superior."""
    for column in ("oneself", "equal", "superior"):
        here = scene(column)
        assert here.client.get(f"/moderation/cases/{here.case.pk}/").status_code == 404
        assert f'data-case="{here.case.pk}"' not in here.client.get("/moderation/").text
