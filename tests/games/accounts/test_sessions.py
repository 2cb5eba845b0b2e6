"""Where somebody is logged in: the list, its ends, and what is said of a new device."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Device, Login, Notification, Player, clock
from games.selectors import notifications
from games.services import accounts, devices, letters, sessions
from tests.factories import person
from tests.games.accounts.conftest import FIREFOX, PASSWORD, SAFARI, is_in, log_in

pytestmark = pytest.mark.django_db
LIST, END = "/accounts/sessions/", "/accounts/sessions/end/"
HOME, AWAY = "192.0.2.7", "198.51.100.9"


def enter(agent: str = FIREFOX, address: str = HOME, name: str = "ali") -> Client:
    client = Client(headers={"user-agent": agent}, REMOTE_ADDR=address)
    log_in(client, name)
    return client


@pytest.fixture
def sockets_closed(monkeypatch) -> list[object]:
    closed: list[object] = []
    monkeypatch.setattr(sessions, "end_session", closed.append)
    monkeypatch.setattr(sessions, "end_sessions", closed.append)
    return closed


def test_the_list_says_where(ali):
    here, there = enter(), enter(SAFARI, AWAY)
    page = here.get(LIST).content.decode()
    assert "Firefox, Linux" in page
    assert "Safari, iOS" in page
    assert HOME in page
    assert AWAY in page
    assert page.count("this browser") == 1
    assert page.index("Firefox") < page.index("Safari")
    assert there.get(LIST).content.decode().count("this browser") == 1


def test_one_is_ended_with_its_sockets(ali, sockets_closed):
    here, there = enter(), enter(SAFARI)
    row = Login.objects.get(device="Safari, iOS")
    here.post(END, {"session": row.pk})
    assert sockets_closed == [row.session_key]
    assert not is_in(there)
    assert is_in(here)
    assert not Login.objects.filter(pk=row.pk).exists()


def test_all_others_are_ended(ali, sockets_closed):
    here, there, third = enter(), enter(SAFARI), enter(SAFARI, AWAY)
    here.post(END)
    assert is_in(here)
    assert not is_in(there)
    assert not is_in(third)
    assert sockets_closed == [ali.pk]


@pytest.mark.parametrize("asked", ["0", "99999999", "x", "9" * 40, "\x00", "-1", "١"])
def test_what_is_no_session_of_mine_stays_as_it_is(ali, asked):
    here = enter()
    Player.objects.create_user("Nour", PASSWORD)
    other = enter(name="nour")
    theirs = Login.objects.get(player__name="Nour").pk
    assert here.post(END, {"session": asked}).status_code == 302
    assert here.post(END, {"session": str(theirs)}).status_code == 302
    assert is_in(other)
    assert is_in(here)


def test_a_session_that_has_ended_is_not_listed(ali):
    here, there = enter(), enter(SAFARI)
    there.post("/accounts/logout/")
    assert Login.objects.filter(player=ali).count() == 1
    enter(SAFARI)
    Session.objects.exclude(session_key=here.session.session_key).update(
        expire_date=clock.now() - timedelta(days=1)
    )
    assert "Safari" not in here.get(LIST).content.decode()
    sessions.forget_expired()
    assert Login.objects.filter(player=ali).count() == 1


def test_the_list_costs_the_same_however_long_it_is(ali):
    def cost():
        with CaptureQueriesContext(connection) as taken:
            here.get(LIST)
        return len(taken)

    here = enter()
    here.get(LIST)
    before = cost()
    for number in range(20):
        enter(SAFARI, f"198.51.100.{number}")
    assert cost() == before <= 7


def test_within_the_hour_nothing_is_written(ali):
    here = enter()
    before = Login.objects.get().seen_at
    here.get(LIST)
    assert Login.objects.get().seen_at == before


def test_an_hour_later_it_is_noted_where_it_was_seen(ali):
    here = enter()
    session = here.session
    session["seen"] -= 2 * sessions.SEEN_EVERY
    session.save()
    here.get("/", REMOTE_ADDR=AWAY)
    assert Login.objects.get().address == AWAY


def test_a_session_from_before_the_list_is_listed_at_its_next_page(ali):
    here = enter()
    Login.objects.all().delete()
    session = here.session
    del session["login"], session["seen"]
    session.save()
    here.get("/")
    assert Login.objects.get().session_key == here.session.session_key
    assert not Notification.objects.exists()


def test_a_new_password_ends_everything_else(ali, sockets_closed):
    here, there = enter(), enter(SAFARI)
    form = {"oldpassword": PASSWORD, "password1": "other words of mint"}
    here.post("/accounts/password/change/", form)
    assert is_in(here)
    assert not is_in(there)
    assert ali.pk in sockets_closed
    assert Login.objects.get(player=ali).session_key == here.session.session_key
    assert Session.objects.count() == 1
    assert here.get(LIST).content.decode().count("this browser") == 1


def test_a_password_by_recovery_code_and_closing_end_everything(ali):
    there = enter()
    code = accounts.issue_recovery_code(ali)
    accounts.use_recovery_code(name="ali", code=code, new_password="other words of mint")
    assert not is_in(there)
    assert not Login.objects.exists()
    nour = Player.objects.create_user("Nour", PASSWORD)
    here = enter(name="nour")
    accounts.close_account(nour)
    assert not is_in(here)
    assert not Session.objects.exists()


# New devices


def test_the_first_device_is_no_news_and_a_new_one_is(
    ali, sent_tasks, django_capture_on_commit_callbacks
):
    enter()
    enter(address="192.0.2.200")  # the same neighbourhood
    assert not Notification.objects.exists()
    with django_capture_on_commit_callbacks(execute=True):
        enter(SAFARI, AWAY)
    told = notifications.page(ali).lines
    assert len(told) == 1
    assert "new device" in told[0].plain
    assert "Safari, iOS" in told[0].plain
    assert told[0].address == LIST
    row = Login.objects.get(device="Safari, iOS")
    assert sent_tasks == [(devices.TELL, [row.pk, "en"])]
    enter(SAFARI, AWAY)
    assert len(notifications.page(ali).lines) == 1


def test_a_newer_version_of_the_same_browser_is_no_new_device(ali):
    enter()
    enter(FIREFOX.replace("140", "141"))
    assert not Notification.objects.exists()


def test_the_letter_goes_to_a_confirmed_address_in_the_readers_language(ali):
    enter()
    row = Login.objects.get()
    letters.of_new_device(row.pk, "en")
    assert not mail.outbox, "there is no address"
    address = EmailAddress.objects.create(user=ali, email="a@example.org", primary=True)
    letters.of_new_device(row.pk, "en")
    assert not mail.outbox, "it was never confirmed"
    EmailAddress.objects.filter(pk=address.pk).update(verified=True)
    letters.of_new_device(row.pk, "en")
    assert mail.outbox[-1].to == ["a@example.org"]
    assert "Firefox, Linux" in mail.outbox[-1].body
    Player.objects.filter(pk=ali.pk).update(language="ar")
    letters.of_new_device(row.pk, "en")
    assert mail.outbox[-1].body.startswith("مرحبًا")
    letters.of_new_device(row.pk + 1, "en")


def test_no_address_is_kept_in_clear_for_longer_than_90_days(ali):
    enter()
    assert HOME not in str(list(Device.objects.values()))
    long_ago = clock.now() - timedelta(days=91)
    Login.objects.update(seen_at=long_ago)
    Device.objects.update(last_at=long_ago)
    sessions.forget_expired()
    devices.forget_old()
    assert Login.objects.get().address is None
    assert not Device.objects.exists()


def test_where_nothing_is_known_nothing_is_noted(client):
    client.force_login(person())
    assert not Device.objects.exists()
    assert Login.objects.count() == 1


@pytest.mark.parametrize(
    ("agent", "called"),
    [
        (FIREFOX, "Firefox, Linux"),
        (SAFARI, "Safari, iOS"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/1 Edg/1", "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/1 Mobile Safari/1", "Chrome, Android"),
        ("curl/8", ""),
        ("<script>\x00" * 900, ""),
    ],
)
def test_what_a_browser_is_called(agent, called):
    assert devices.called(agent) == called
