"""A browser that several people use: what is sent so that it keeps nothing of who logged out."""

import pytest
from django.contrib.sessions.models import Session

from games.models import Player
from games.services import publish
from tests.factories import dealt, person, staff

pytestmark = pytest.mark.django_db
PASSWORD = "four words of tea"
HERE = {"HTTP_HOST": "localhost"}
LOGOUT = "/accounts/logout/"
EVERYTHING = '"cache", "storage"'


@pytest.fixture
def salma() -> Player:
    return Player.objects.create_user("Salma", PASSWORD, language="ar")


def cookies_kept(client, answer) -> set[str]:
    """The cookies that still say something after ``answer``."""
    gone = {name for name, morsel in answer.cookies.items() if morsel["max-age"] == 0}
    return {name for name, morsel in client.cookies.items() if morsel.value} - gone


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ({"HTTP_HOST": "localhost:8000"}, EVERYTHING),
        ({"HTTP_HOST": "127.0.0.1"}, EVERYTHING),
        ({"HTTP_HOST": "testserver", "secure": True}, EVERYTHING),
        ({"HTTP_HOST": "testserver"}, None),  # heeded nowhere, and complained of
    ],
)
def test_after_log_out_the_browser_is_asked_to_clear_itself(client, salma, origin, said):
    client.force_login(salma)
    assert client.post(LOGOUT, **origin).headers.get("Clear-Site-Data") == said
    assert client.get("/", **origin).headers.get("Clear-Site-Data") is None


def test_no_cookie_of_the_account_stays_but_the_language(client, salma):
    client.cookies["look"] = "dark"
    client.force_login(salma)
    client.get("/settings/")
    answer = client.post(LOGOUT, follow=True)
    (left,) = [step for step in answer.redirect_chain if step[0] == "/"]
    assert left
    kept = cookies_kept(client, answer)
    assert kept <= {"language", "csrftoken"}
    assert client.cookies["language"].value == "ar"


@pytest.mark.parametrize("door", ["log-out", "closing", "admin"])
def test_every_way_out_does_it(client, salma, door):
    client.force_login(staff("administrator") if door == "admin" else salma)
    path, form = {
        "log-out": (LOGOUT, {}),
        "closing": ("/accounts/close/", {"password": PASSWORD}),
        "admin": ("/admin/logout/", {}),
    }[door]
    answer = client.post(path, form, **HERE)
    assert answer.headers["Clear-Site-Data"] == EVERYTHING
    assert not Session.objects.exists()


def test_logging_in_as_somebody_else_instead_of_a_guest_does_it_too(client, salma):
    client.post("/games/practice/", {"level": "novice"})
    answer = client.post("/accounts/login/", {"login": "Salma", "password": PASSWORD}, **HERE)
    assert answer.headers["Clear-Site-Data"] == EVERYTHING


def test_signing_up_as_the_guest_clears_nothing(client):
    client.post("/games/practice/", {"level": "novice"})
    form = {"username": "Salma", "password1": PASSWORD}
    assert "Clear-Site-Data" not in client.post("/accounts/signup/", form, **HERE).headers


def test_no_page_of_somebody_who_is_logged_in_is_stored(client, salma):
    """So Back after log-out has nothing to show."""
    match = dealt("ranked", [salma, person()])
    client.force_login(salma)
    for path in (
        f"/games/{match.id}/", "/", "/games/", "/leaderboard/", "/players/salma/", "/rules/",
        "/settings/", "/people/", "/notifications/", "/accounts/overview/", "/accounts/logout/",
        "/nothing/", "/fairness/", f"/games/{match.id}/talk/",
    ):  # fmt: skip
        answer = client.get(path, headers={"HX-Request": "true"} if "talk" in path else {})
        assert "no-store" in answer.headers["Cache-Control"], path
        assert "private" in answer.headers["Cache-Control"], path


def test_each_page_says_whose_it_is_and_one_that_cannot_know_says_nothing(client, salma):
    assert ' data-reader=""' in client.get("/").text
    client.force_login(salma)
    assert f' data-reader="{salma.pk}"' in client.get("/").text
    assert f' data-reader="{salma.pk}"' in client.get("/nothing/").text
    client.logout()
    client.handler.enforce_csrf_checks = True
    forged = client.post("/accounts/login/", {"login": "x"})
    assert forged.status_code == 403
    assert "data-reader" not in forged.text


def test_the_session_is_gone_before_its_pages_are_told(client, salma, monkeypatch):
    """A page that asks anew when its socket closes gets a stranger's answer."""
    told = []
    monkeypatch.setattr(
        publish, "publish", lambda group, message: told.append((message, Session.objects.count()))
    )
    client.force_login(salma)
    client.post(LOGOUT)
    assert told == [({"type": "session.ended"}, 0)]
