"""The moderators' forms: what they offer, ask once more, do, and say no to."""

import re

import pytest

from games.models import How
from ladder.models import Measure, Reason, Role, Sanction
from ladder.selectors import sanctions as selector
from ladder.services import cases, sanctions
from tests.factories import dealt, person, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss(client):
    member = staff(Role.SENIOR)
    client.force_login(member)
    return member


def posted(measure=Measure.MUTE, **how) -> dict:
    return {"measure": measure, "reason": Reason.INSULTS, "days": "7", "running": "go on", **how}


def at(player) -> str:
    return f"/moderation/players/{player.pk}/sanction/"


def test_a_mild_one_is_imposed_at_once(boss, client):
    player = person()
    answer = client.post(at(player), posted(next="/moderation/cases/1/"))
    assert (answer.status_code, answer.url) == (303, "/moderation/cases/1/")
    made = Sanction.objects.get()
    assert (made.measure, made.by, (made.until - made.began_at).days) == ("mute", boss, 7)


@pytest.mark.parametrize("measure", selector.GRAVE)
def test_a_grave_one_is_asked_once_more(boss, client, measure):
    player = person()
    match = dealt(players=[player, person()])
    form = posted(measure, running="lost", message="One\nTwo")
    asked = client.post(at(player), form)
    assert asked.status_code == 200
    assert 'data-action="sure"' in asked.content.decode()
    assert "One\nTwo" in asked.content.decode()
    assert not Sanction.objects.exists()
    client.post(at(player), {**form, "sure": "yes"})
    assert Sanction.objects.get().message == "One\nTwo"
    match.refresh_from_db()
    assert match.how == How.SANCTION


def test_from_the_question_one_goes_back_to_what_was_typed(boss, client):
    player = person()
    form = posted(Measure.CLOSURE, days="", running="lost", message="One\nTwo", next="/games/")
    asked = client.post(at(player), form).text
    name, value = re.search(r'name="(\w+)" value="(\w+)" data-action="back"', asked).groups()
    page = client.post(at(player), {**form, "sure": "yes", name: value})
    assert page.status_code == 200
    assert 'data-action="impose"' in page.text
    assert "One\nTwo</textarea>" in page.text
    assert '<option value="closure" selected>' in page.text
    assert '<option value="" selected>' in page.text
    assert re.search(r'value="lost"[^>]* checked', page.text)
    assert 'name="next" value="/games/"' in page.text
    assert not Sanction.objects.exists()


def test_the_ready_text_is_shown_in_the_players_language(boss, client):
    player = person(language="ar")
    page = client.get(at(player), {"measure": "mute", "reason": "insults", "days": "1"})
    text = page.context["measures"].initial["message"]
    assert text in page.content.decode().replace("&#x27;", "'")
    assert "العربية" in page.content.decode()


@pytest.mark.parametrize(
    "wrong", [{"measure": "x"}, {"days": "9"}, {"running": ""}, {"reason": ""}]
)
def test_what_is_no_choice_comes_back(boss, client, wrong):
    answer = client.post(at(person()), posted(**wrong))
    assert answer.status_code == 409
    assert not Sanction.objects.exists()


def test_only_what_the_role_allows_is_offered(client):
    client.force_login(staff(Role.HELPER))
    page = client.get(at(person()))
    offered = [value for value, _label in page.context["measures"].fields["measure"].choices]
    assert offered == ["warning", "mute", "rename"]
    answer = client.post(at(person()), posted(Measure.SUSPENSION, sure="yes"))
    assert answer.status_code == 409


def test_against_an_equal_there_is_no_form(boss, client):
    page = client.get(at(staff(Role.SENIOR))).content.decode()
    assert "You can take no measure" in page


def test_the_second_of_two_moderators_reads_why_not(boss, client):
    player = person()
    sanctions.impose(staff(Role.MODERATOR), player, Measure.MUTE, reason=Reason.INSULTS)
    answer = client.post(at(player), posted())
    assert answer.status_code == 409
    assert "in force against this player already" in answer.content.decode()


def test_undone(boss, client):
    player = person()
    made = sanctions.impose(boss, player, Measure.MUTE, reason=Reason.INSULTS)
    for _click in range(2):
        answer = client.post(f"/moderation/sanctions/{made.pk}/undo/", {"why": "A mistake."})
        assert answer.status_code == 303
    made.refresh_from_db()
    assert made.undone_why == "A mistake."


@pytest.mark.parametrize("why", ["", " \u200b\n", "\x00"])
def test_nothing_is_taken_back_without_a_reason(boss, client, beats, why):
    player = person()
    made = sanctions.impose(boss, player, Measure.MUTE, reason=Reason.INSULTS)
    match = beats(player, person())
    for address in (f"sanctions/{made.pk}/undo/", f"matches/{match.pk}/annul/"):
        answer = client.post(f"/moderation/{address}", {"why": why, "next": "/moderation/"})
        assert "Say why." in client.get(answer.url).text
    made.refresh_from_db()
    assert made.undone_at is None
    assert not match.rating_changes.filter(kind="annulment").exists()


def test_what_somebody_may_not_undo_has_no_form(boss, client):
    player = person()
    mute = sanctions.impose(boss, player, Measure.MUTE, reason=Reason.INSULTS)
    cheat = sanctions.impose(boss, player, Measure.CHEAT, reason=Reason.CHEATING)
    case = cases.open_case(player, boss)
    client.force_login(staff(Role.MODERATOR))
    page = client.get(f"/moderation/cases/{case.pk}/").text
    assert f"/moderation/sanctions/{mute.pk}/undo/" in page
    assert f"/moderation/sanctions/{cheat.pk}/undo/" not in page


def test_nobody_else_sees_them(client):
    player = person()
    made = sanctions.impose(staff(Role.SENIOR), player, Measure.MUTE, reason=Reason.INSULTS)
    for who in (None, person(), person(is_staff=True)):
        client.logout()
        if who is not None:
            client.force_login(who)
        assert client.get(at(player)).status_code == 404
        assert client.post(at(player), posted()).status_code == 404
        assert client.post(f"/moderation/sanctions/{made.pk}/undo/").status_code == 404
    assert Sanction.objects.count() == 1


def test_ids_that_are_none(boss, client):
    assert client.get(f"/moderation/players/{10**30}/sanction/").status_code == 404
    assert client.get("/moderation/players/0/sanction/").status_code == 404
    assert client.post(f"/moderation/sanctions/{10**30}/undo/").status_code == 404
    assert client.get("/moderation/sanctions/1/undo/").status_code == 405
