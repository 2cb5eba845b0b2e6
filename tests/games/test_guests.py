"""Guests: who plays practice before signing up, what of it sign-up keeps, and when it is gone."""

import re
import threading
from datetime import timedelta

import pytest
from allauth.core.internal import ratelimit
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone, translation

from games.models import (
    Commitment,
    Kind,
    Match,
    MatchDeal,
    Online,
    Play,
    Player,
    PlayerKind,
    ShuffleStatistics,
    Status,
    Uncounted,
    Unrated,
)
from games.selectors import people
from games.services import guests, play, statistics
from games.services.errors import Refused
from games.tasks import forget_guests, forget_sessions
from ladder.services import pairing
from tests.factories import dealt, house, person, play_on, staff

pytestmark = pytest.mark.django_db
PASSWORD = "four words of tea"
SIGNUP, LOGIN, LOGOUT = "/accounts/signup/", "/accounts/login/", "/accounts/logout/"


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def all_guests():
    return Player.objects.filter(kind=PlayerKind.GUEST)


def practise(client, level="novice"):
    """Press practice; the address of the table."""
    return client.post("/games/practice/", {"level": level})


@pytest.fixture
def table(client) -> str:
    """The address of the table at which ``client`` plays as a guest, the first deal dealt."""
    address = practise(client).headers["Location"]
    client.post(f"{address}seed/", {"client_seed": "tea"})
    return address


@pytest.fixture
def guest(table) -> Player:
    return all_guests().get()


def sign_up(client, name="Salma", **more):
    return client.post(SIGNUP, {"username": name, "password1": PASSWORD, **more})


def stay_away(guest: Player, **time: float) -> None:
    """The guest was here so long ago."""
    Player.objects.filter(pk=guest.pk).update(last_login=timezone.now() - timedelta(**time))


# ------------------------------------------------------------------------------------ beginning


def test_the_first_practice_post_makes_a_guest_and_not_a_visit(client):
    for path in ("/", "/settings/", SIGNUP, "/games/practice/", "/rules/"):
        client.get(path)
    assert not all_guests().exists()
    address = practise(client).headers["Location"]
    guest = all_guests().get()
    assert client.session["_auth_user_id"] == str(guest.pk)
    assert not guest.has_usable_password()
    assert len(guest.name) == 20
    match = Match.objects.get()
    assert (match.kind, match.unrated) == (Kind.PRACTICE, Unrated.GUEST)
    assert address == match.get_absolute_url()
    assert client.get(address).status_code == 200
    assert practise(client).headers["Location"] == address
    assert all_guests().count() == 1


def test_a_post_without_its_token_or_for_no_level_makes_nobody(client):
    assert practise(Client(enforce_csrf_checks=True)).status_code == 403
    for level in ("grandmaster", "", "\x00", "x" * 5000):
        assert practise(client, level).headers["Location"] == "/"
    assert not all_guests().exists()
    assert "_auth_user_id" not in client.session


def test_the_name_that_is_shown_is_a_word_in_the_readers_language(client, table, guest):
    for language in ("en", "ar"):
        with translation.override(language):
            assert guest.shown_name != guest.name
            word = guest.shown_name
        client.cookies["language"] = language
        page = client.get(table).text
        assert word in page
        assert guest.name not in page
    assert guest.name not in client.get("/").text


def test_what_the_stranger_had_chosen_is_the_guests(client):
    client.cookies["look"] = "dark.quick.four_colours.sounds"
    client.cookies["language"] = "ar"
    practise(client)
    guest = all_guests().get()
    assert (guest.scheme, guest.animation, guest.language) == ("dark", "quick", "ar")
    assert guest.four_colours
    assert guest.sounds
    page = client.get("/").text
    assert 'data-theme="dark"' in page
    assert 'lang="ar"' in page


def test_many_guests_from_one_address_are_told_to_wait(client, monkeypatch):
    rates = {"guest": "2/10m/ip,3/10m/key"}
    monkeypatch.setattr(
        ratelimit, "get_rates", lambda **how: ratelimit.parse_rates(rates.get(how["action"]))
    )
    for address in ("10.1.0.1", "10.1.0.1", "10.1.0.1", "10.2.0.1", "10.3.0.1"):
        other = Client(REMOTE_ADDR=address)
        answer = other.post("/games/practice/", {"level": "novice"}, follow=True)
        if answer.redirect_chain[-1][0] == "/":
            assert "Wait a few minutes" in answer.content.decode()
    assert all_guests().count() == 3


# ------------------------------------------------------------------------------------ not theirs


def test_ranked_leads_to_sign_up_and_says_why(client, table, guest):
    answer = client.post("/ranked/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(SIGNUP)
    assert "This needs an account" in answer.content.decode()
    with pytest.raises(Refused, match="account"):
        pairing.enter_queue(guest)
    with pytest.raises(Refused):
        play.start(kind=Kind.CHALLENGE, players=[guest, person()])


def test_what_needs_an_account_leads_to_sign_up(client, table):
    for path in (
        "/people/", "/notifications/", "/challenges/", "/challenges/new/",
        "/accounts/overview/", "/accounts/email/", "/accounts/password/change/",
        "/accounts/password/set/", "/accounts/recovery-code/", "/accounts/close/",
        "/accounts/reauthenticate/",
    ):  # fmt: skip
        for answer in (client.get(path), client.post(path)):
            place = answer.headers.get("Location", "")
            assert answer.status_code == 405 or place.startswith(SIGNUP), (path, place)
    assert "This needs an account" in client.get(SIGNUP).text


ENTRANCES = {
    "account_signup", "account_login", "account_logout", "account_inactive", "account_recover",
    "account_reset_password", "account_reset_password_done", "account_closed",
    "account_reset_password_from_key_done", "account_email_verification_sent",
}  # fmt: skip


def test_no_account_page_is_a_guests(client, table):
    """Whatever page of an account there will be, it is an entrance or it leads to sign-up."""
    found = {}
    for name, ways in get_resolver().reverse_dict.lists():
        if isinstance(name, str) and name.startswith("account_") and name not in ENTRANCES:
            ((path, parameters),) = ways[0][0]
            if not parameters:
                found[name] = client.get(f"/{path}")
    assert len(found) > 5
    for name, answer in found.items():
        assert answer.status_code != 200, name


def test_a_guest_has_no_page_and_is_nowhere_in_the_lists(client, table, guest):
    assert client.get(guest.get_absolute_url()).status_code == 404
    assert guest.get_absolute_url() not in client.get(table).text
    assert guest.name_key not in client.get("/leaderboard/").text
    assert people.search(guest.name, person()) == []
    assert not Online.objects.exists()


def test_the_bar_asks_to_sign_up_and_settings_stay_in_reach(client, table):
    page = client.get(table).text
    assert f'href="{SIGNUP}?next={table}"' in page
    assert 'href="/settings/"' in page
    assert client.post("/settings/", {"scheme": "dark", "back": "wave"}).status_code == 302
    assert all_guests().get().back == "wave"


def test_records_name_no_guest_and_the_administration_shows_one(client, table, guest):
    play.resign(match_id=Match.objects.get().id, player=guest)
    record = client.get(f"{table}record.json").json()
    assert record["players"].count(None) == 1
    assert client.get("/games/").status_code == 200
    assert guest.name not in client.get("/games/records.jsonl").getvalue().decode()
    clerk = Client()
    clerk.force_login(staff("administrator"))
    assert guest.name in clerk.get("/admin/games/player/?kind=guest").text
    assert clerk.get(f"/admin/games/match/{Match.objects.get().id}/change/").status_code == 200


# ------------------------------------------------------------------------------------ signing up


def test_sign_up_fills_in_the_same_row_and_everything_goes_on(client, table, guest):
    Player.objects.filter(pk=guest.pk).update(
        scheme="dark", date_joined=timezone.now() - timedelta(days=3)
    )
    before = Match.objects.get()
    assert (
        sign_up(client, email="salma@example.org").headers["Location"] == "/accounts/recovery-code/"
    )
    player = Player.objects.get(pk=guest.pk)
    assert (player.kind, player.name, player.scheme) == (PlayerKind.PERSON, "Salma", "dark")
    assert (player.name_key, player.skeleton, player.email) == (
        "salma",
        "salma",
        "salma@example.org",
    )
    assert timezone.now() - player.date_joined < timedelta(minutes=1)
    assert Player.objects.exclude(kind=PlayerKind.HOUSE).count() == 1
    after = Match.objects.get()
    assert (after.deadline, after.number, after.status) == (
        before.deadline, before.number, Status.PLAYING,
    )  # fmt: skip
    assert client.get(table).status_code == 200
    assert "Salma" in client.get(table).text
    assert client.get("/games/").status_code == 200
    assert re.search("data-recovery-code>", client.get("/accounts/recovery-code/").text)
    elsewhere = Client()
    elsewhere.post(LOGIN, {"login": "salma", "password": PASSWORD})
    assert elsewhere.get(table).status_code == 200


def test_a_form_with_an_error_leaves_the_guest_a_guest(client, table, guest):
    Player.objects.create_user("Salma")
    assert sign_up(client, "Salma").status_code == 200
    assert sign_up(client, "admin").status_code == 200
    guest.refresh_from_db()
    assert guest.is_guest
    assert client.get(table).status_code == 200


def test_two_sign_ups_of_one_guest_make_one_account(guest):
    one, other = Player.objects.get(pk=guest.pk), Player.objects.get(pk=guest.pk)
    one.name, other.name = "Salma", "Nour"
    guests.sign_up(one)
    with pytest.raises(Refused, match="signed up already"):
        guests.sign_up(other)
    assert Player.objects.get(pk=guest.pk).name == "Salma"


def test_a_name_taken_a_moment_ago_is_told(guest):
    filled_in = Player.objects.get(pk=guest.pk)
    filled_in.name = "Salma"
    Player.objects.create_user("salma")
    with pytest.raises(ValidationError, match="taken"):
        guests.sign_up(filled_in)
    assert all_guests().count() == 1


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_sign_ups_at_the_same_instant_make_one_account():
    guest = guests.welcome()
    line, refused = threading.Barrier(4), []

    def fill_in(name):
        row = Player.objects.get(pk=guest.pk)
        row.name = name
        line.wait()
        try:
            guests.sign_up(row)
        except Refused as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=fill_in, args=(f"Salma_{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 3
    assert Player.objects.get(pk=guest.pk).is_person


def test_logging_in_instead_leaves_the_match_with_the_guest_and_says_so(client, table, guest):
    Player.objects.create_user("Nour", PASSWORD)
    assert "practice match that you are playing stays with the guest" in client.get(LOGIN).text
    key = client.session.session_key
    assert client.post(LOGIN, {"login": "Nour", "password": PASSWORD}).headers["Location"] == "/"
    assert client.session["_auth_user_id"] == str(Player.objects.get(name="Nour").pk)
    assert not Session.objects.filter(pk=key).exists()
    assert client.get(table).status_code == 404
    guest.refresh_from_db()
    assert guest.is_guest
    assert client.get("/accounts/password/change/").status_code == 200  # known by the password


def test_logging_out_says_what_is_lost(client, table, guest):
    assert "cannot be reached any more" in client.get(LOGOUT).text
    client.post(LOGOUT)
    assert client.get(table).status_code == 404
    assert all_guests().get() == guest


# ------------------------------------------------------------------------------------ staying away


def test_after_seven_days_a_guest_is_gone_with_all_that_was_the_guests(client, table, guest):
    match = Match.objects.get()
    play_on(match, 20)
    play.resign(match_id=match.id, player=guest)
    other = dealt(Kind.PRACTICE, [person(), house()])
    statistics.count_shuffles()
    sums = ShuffleStatistics.objects.values().get()
    stay_away(guest, days=6, hours=23)
    forget_guests()
    assert all_guests().exists()
    stay_away(guest, days=7, hours=1, minutes=1)
    forget_guests()
    assert not all_guests().exists()
    assert list(Match.objects.all()) == [other]
    assert not Play.objects.filter(match_id=match.id).exists()
    assert not MatchDeal.objects.filter(match_id=match.id).exists()
    assert Commitment.objects.filter(sha256=match.commitment).exists()
    assert ShuffleStatistics.objects.values().get() == sums
    assert client.get(table).status_code == 404
    assert client.get("/").status_code == 200
    call_command("verify_matches")


def test_a_running_match_of_a_guest_is_not_cut(table, guest):
    stay_away(guest, days=30)
    forget_guests()
    assert Match.objects.get().status == Status.PLAYING
    assert all_guests().exists()


def test_a_match_is_counted_before_it_goes(table, guest):
    play.resign(match_id=Match.objects.get().id, player=guest)
    stay_away(guest, days=30)
    forget_guests()
    assert Uncounted.objects.exists()
    assert all_guests().exists()
    statistics.count_shuffles()
    forget_guests()
    assert not all_guests().exists()


def test_one_who_cannot_be_deleted_keeps_no_other(guest, monkeypatch, caplog):
    other = guests.welcome()
    stay_away(guest, days=30)
    stay_away(other, days=30)
    gone = play.forget

    def forget(*, player):
        if player == guest:
            raise RuntimeError
        return gone(player=player)

    monkeypatch.setattr(guests.play, "forget", forget)
    assert guests.forget_idle() == 1
    assert all_guests().get() == guest
    assert "could not forget" in caplog.text


def test_only_guests_go(guest):
    salma = person(last_login=timezone.now() - timedelta(days=400))
    one = guests.welcome()
    one.name = "Nour"
    guests.sign_up(one)
    stay_away(one, days=400)
    guests.forget_idle()
    assert Player.objects.filter(pk__in=[salma.pk, one.pk, guest.pk]).count() == 3


def test_asking_for_a_page_is_a_sign_of_life(client, table, guest):
    stay_away(guest, days=6)
    client.get("/rules/")
    guest.refresh_from_db()
    assert timezone.now() - guest.last_login < timedelta(minutes=1)
    left = client.session.get_expiry_date() - timezone.now()
    assert timedelta(days=7) < left < timedelta(days=8)


def test_a_guest_who_goes_while_asking_is_a_stranger(client, table, guest):
    play.resign(match_id=Match.objects.get().id, player=guest)
    statistics.count_shuffles()
    stay_away(guest, days=30)
    request_user = Player.objects.get(pk=guest.pk)
    guests.forget_idle()
    assert not guests.note(request_user)
    assert practise(client).status_code == 302
    assert all_guests().count() == 1


def test_sessions_past_their_time_go(client, table):
    Session.objects.update(expire_date=timezone.now() - timedelta(minutes=1))
    client.force_login(person())
    forget_sessions()
    assert Session.objects.get().pk == client.session.session_key
