"""The settings that may change without a deploy: what they do, who may, and what they cost."""

import pytest
from django.test import Client

from games.models import Kind, Match, Player
from games.selectors.talk import why_no_text
from games.services.errors import Refused
from ladder.models import AuditEntry, QueueEntry, SiteSetting
from ladder.models.roles import Act, Role
from ladder.services import pairing, switches
from tests.factories import dealt, person, staff

pytestmark = pytest.mark.django_db
PAGE = "/admin/ladder/sitesetting/"
PASSWORD = "four words of tea"


@pytest.fixture
def chief() -> Player:
    return staff(Role.ADMINISTRATOR)


def test_what_is_not_set_is_as_by_default():
    assert switches.value("queue_open") is True
    assert switches.value("reports_a_day") == 10
    assert switches.notice() == ""
    with pytest.raises(KeyError):
        switches.value("nothing")


def test_a_change_is_kept_with_who_and_why(chief):
    assert switches.change(chief, "reports_a_day", 5, "a flood")
    assert switches.value("reports_a_day") == 5
    (entry,) = AuditEntry.objects.all()
    assert (entry.by, entry.act, entry.why) == (chief.pk, Act.SET, "a flood")
    assert (entry.before, entry.after) == ({"reports_a_day": 10}, {"reports_a_day": 5})
    assert not switches.change(chief, "reports_a_day", 5)
    assert AuditEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("queue_open", 1), ("queue_open", "yes"), ("reports_a_day", 0), ("reports_a_day", 101),
     ("reports_a_day", True), ("reports_a_day", "5"), ("notice_en", "x" * 301),
     ("notice_en", None)],
)  # fmt: skip
def test_what_is_no_such_value_is_refused(chief, name, value):
    with pytest.raises(Refused):
        switches.change(chief, name, value)
    assert not SiteSetting.objects.exists()


@pytest.mark.parametrize("role", [None, *Role])
def test_only_administrators_may(role):
    somebody = staff(role) if role else person()
    if role == Role.ADMINISTRATOR:
        assert switches.change(somebody, "queue_open", False)
        return
    with pytest.raises(Refused):
        switches.change(somebody, "queue_open", False)
    assert switches.value("queue_open") is True


def test_a_row_that_holds_no_value_counts_for_nothing(chief):
    switches.change(chief, "queue_open", False)
    SiteSetting.objects.update(value="perhaps")
    switches.forget()
    assert switches.value("queue_open") is True


def test_a_process_asks_every_few_seconds_at_most(monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(switches, "LIFE", 5.0)
    now = [100.0]
    monkeypatch.setattr(switches.time, "monotonic", lambda: now[0])
    switches.forget()
    with django_assert_num_queries(1):
        for _page in range(10):
            switches.value("queue_open")
    now[0] += 5.1
    with django_assert_num_queries(1):
        switches.value("queue_open")


# What they do


def test_ranked_play_can_be_closed(chief):
    switches.change(chief, "queue_open", False)
    with pytest.raises(Refused, match="closed for the moment"):
        pairing.enter_queue(person())
    assert not QueueEntry.objects.exists()
    dealt(Kind.PRACTICE)


def test_sign_up_can_be_closed(chief, client):
    switches.change(chief, "sign_up_open", False)
    form = {"username": "Salma", "password1": PASSWORD}
    for answer in (client.get("/accounts/signup/"), client.post("/accounts/signup/", form)):
        assert "No new accounts" in answer.content.decode()
    assert not Player.objects.filter(name="Salma").exists()


def test_own_words_can_be_closed(chief):
    somebody = person()
    assert "you have finished ten matches" in why_no_text(somebody)
    switches.change(chief, "free_text", False)
    assert "only the phrases" in why_no_text(somebody)


def test_a_notice_is_on_every_page_in_the_readers_language(chief, client):
    switches.change(chief, "notice_en", "Back at <b>noon</b>.")
    page = client.get("/rules/").content.decode()
    assert "Back at &lt;b&gt;noon&lt;/b&gt;." in page
    client.cookies["language"] = "ar"
    assert "Back at" in client.get("/rules/").content.decode(), "better than none"
    switches.change(chief, "notice_ar", "نعود ظهرا")
    assert "نعود ظهرا" in client.get("/rules/").content.decode()
    switches.change(chief, "notice_ar", "")
    switches.change(chief, "notice_en", "")
    assert 'id="notice"' not in client.get("/rules/").content.decode()


# The page


def everything(**changed: object) -> dict[str, object]:
    """The form as it stands, with some of it changed."""
    form = {name: switches.value(name) for name in switches.SWITCHES}
    return {name: value for name, value in {**form, "why": "x", **changed}.items() if value}


def test_the_page_changes_what_was_changed(chief, client):
    client.force_login(chief)
    page = client.get(PAGE).content.decode()
    for name in switches.SWITCHES:
        assert f'name="{name}"' in page
    answer = client.post(PAGE, everything(queue_open=False, notice_en="Tea at five"))
    assert answer.status_code == 302
    assert switches.value("queue_open") is False
    assert switches.value("notice_en") == "Tea at five"
    assert SiteSetting.objects.count() == 2
    assert AuditEntry.objects.filter(act=Act.SET).count() == 2


@pytest.mark.parametrize(
    "wrong", [{"reports_a_day": "0"}, {"reports_a_day": "x"}, {"notice_en": "x" * 301}, {"why": ""}]
)
def test_the_page_says_what_is_wrong(chief, client, wrong):
    client.force_login(chief)
    answer = client.post(PAGE, everything(**wrong))
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert not SiteSetting.objects.exists()


@pytest.mark.parametrize("role", [Role.HELPER, Role.MODERATOR, Role.SENIOR])
def test_the_page_is_for_administrators(role):
    client = Client()
    client.force_login(staff(role))
    assert client.post(PAGE, everything(queue_open=False)).status_code == 302
    assert switches.value("queue_open") is True
    assert not Match.objects.exists()
