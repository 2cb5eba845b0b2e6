"""Accounts: sign-up, log-in, recovery, mail, closing."""

import re
import smtplib
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from basra_site import settings as site_settings
from games.adapter import CODE_DUE
from games.models import How, Kind, Match, Player, PlayerKind, RecoveryCode, Seat, Status
from games.names import clean_name
from games.services import accounts, play

pytestmark = pytest.mark.django_db
PASSWORD = "four words of tea"
OTHER = "other words of mint"
SIGNUP, LOGIN = "/accounts/signup/", "/accounts/login/"


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


@pytest.fixture
def ali():
    return Player.objects.create_user("Ali", PASSWORD)


@pytest.fixture
def ali_at(client, ali):
    client.force_login(ali)
    return client


def people():
    return Player.objects.exclude(kind=PlayerKind.HOUSE)


def sign_up(client, name="Salma", **more):
    return client.post(SIGNUP, {"username": name, "password1": PASSWORD, **more})


def log_in(client, name, password=PASSWORD):
    return client.post(LOGIN, {"login": name, "password": password})


def is_in(client):
    return (
        "_auth_user_id" in client.session and client.get("/accounts/overview/").status_code == 200
    )


def code_on(response):
    return re.search(r"data-recovery-code>([0-9A-Z-]+)<", response.content.decode()).group(1)


def link_in(letter):
    return re.search(r"http://localhost:\d+(/\S+)", letter.body).group(1)


# Sign-up


def test_the_shortest_form_logs_in_at_once(client):
    response = sign_up(client)
    assert response.status_code == 302
    assert response.url == "/accounts/recovery-code/"
    player = Player.objects.get(name_key="salma")
    assert (player.name, player.kind, player.email) == ("Salma", PlayerKind.PERSON, "")
    assert client.session["_auth_user_id"] == str(player.pk)
    assert not mail.outbox


def test_nothing_but_name_and_password_is_required(client):
    page = client.get(SIGNUP).content.decode()
    fields = set(re.findall(r'name="(\w+)"', page)) - {
        "csrfmiddlewaretoken",
        "viewport",
        "description",
    }
    assert fields >= {"username", "password1", "email"}
    assert not fields & {"terms", "password2"}
    assert 'type="checkbox"' not in page
    assert "one account for each person" in page


def test_the_code_page_blocks_nothing(client):
    sign_up(client)
    assert client.get("/").status_code == 200
    assert client.get("/accounts/overview/").status_code == 200


def test_after_sign_up_the_next_page_is_one_press_away_and_only_if_it_is_ours(client):
    response = client.post(
        SIGNUP + "?next=/leaderboard/",
        {"username": "Salma", "password1": PASSWORD, "next": "/leaderboard/"},
        follow=True,
    )
    assert 'href="/leaderboard/"' in response.content.decode().split("<main")[1]
    evil = Client().post(
        SIGNUP,
        {"username": "Nour", "password1": PASSWORD, "next": "https://evil.example/"},
        follow=True,
    )
    assert "evil.example" not in evil.content.decode()
    page = client.get("/accounts/recovery-code/?next=//evil.example/")
    assert "evil.example" not in page.content.decode().split("<form")[0]


def test_passwords_are_kept_by_argon2(settings, client):
    settings.PASSWORD_HASHERS = site_settings.PASSWORD_HASHERS
    sign_up(client)
    assert Player.objects.get(name="Salma").password.startswith("argon2")


@pytest.mark.parametrize("name", ["أحمد", "سلمى_٣", "Иван", "José", "x-y_z"])
def test_names_of_many_scripts(client, name):
    assert sign_up(client, name).status_code == 302
    assert people().get().name == name


@pytest.mark.parametrize(
    "name",
    [
        "ab",
        "x" * 21,
        "a b c",
        "Аli",
        "al\u200bi",
        "ali\u202e",
        "admin",
        "a\x00bc",
        "عَلِي",
        "",
        "<i>x",
    ],
)
def test_a_refused_name_gets_the_form_with_a_reason_tied_to_the_field(client, name):
    response = sign_up(client, name)
    page = response.content.decode()
    assert response.status_code == 200
    assert not people().exists()
    assert 'id="id_username_error"' in page
    field = re.search(r'<input[^>]*name="username"[^>]*>', page).group()
    assert 'aria-invalid="true"' in field
    assert 'aria-describedby="id_username_error"' in field
    assert "id_username_helptext" not in page  # the error says what there is to say
    assert "<title>Error" in page


def test_broken_utf8_in_a_name_is_a_form_error(client):
    body = b"username=al%ED%A0%80i%FF&password1=four+words+of+tea"
    response = client.post(SIGNUP, body, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 200
    assert "id_username_error" in response.content.decode()


@pytest.mark.parametrize("name", ["ali", "ALI", "Ali", "ＡＬＩ"])
def test_a_taken_name_is_refused_and_a_free_one_offered(client, ali, name):
    page = sign_up(client, name).content.decode()
    free = re.search(r"That name is taken\. (\S+) is free", page).group(1)
    assert people().count() == 1
    assert sign_up(client, free).status_code == 302


@pytest.mark.parametrize(
    ("there", "name"),
    [
        ("Salma", "SaIma"),
        ("Omar", "0mar"),
        ("mona", "rnona"),
        ("علي", "علی"),
        ("احمد", "أحمد"),
        ("كريم", "کريم"),
    ],
)
def test_look_alikes_are_refused(client, there, name):
    Player.objects.create_user(there)
    assert sign_up(client, name).status_code == 200
    assert people().count() == 1


@pytest.mark.parametrize("extra", [{"kind": PlayerKind.HOUSE}, {"is_staff": True}])
def test_names_of_house_players_and_staff_are_protected_like_others(client, extra):
    Player.objects.create_user("Ustazz", **extra)
    assert sign_up(client, "ustazz").status_code == 200
    assert sign_up(client, "_Ustazz_").status_code == 200
    assert Player.objects.filter(name__icontains="ustazz").count() == 1


def test_two_sign_ups_at_the_same_instant(client, monkeypatch, ali):
    """The second passes the check before the first is there, and fails at the database."""
    real, seen = accounts.check_free, []
    monkeypatch.setattr(
        accounts, "check_free", lambda name: real(name) if seen else seen.append(name)
    )
    response = sign_up(client, "ali")
    assert response.status_code == 200
    assert "That name is taken. ali_2 is free." in response.content.decode()
    assert "_auth_user_id" not in client.session
    assert people().count() == 1


def test_the_database_itself_refuses_the_same_name_and_a_look_alike(ali):
    for name in ("ALI", "_ali"):
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.create_user(name)


def test_a_renamed_player_carries_key_and_skeleton_along(ali):
    Player.objects.create_user("Omar")
    ali.name = "Nour"
    ali.save(update_fields=["name"])
    ali.refresh_from_db()
    assert (ali.name_key, ali.skeleton) == ("nour", "nour")
    ali.name = "oMAR"
    with pytest.raises(IntegrityError), transaction.atomic():
        ali.save(update_fields=["name"])


def test_guests_and_released_names_do_not_meet_in_the_skeleton():
    guests = [Player.objects.create_user(name, kind=PlayerKind.GUEST) for name in ("g-1l", "g-ll")]
    assert [guest.skeleton for guest in guests] == [None, None]


@pytest.mark.parametrize("password", ["short", "1234567890", "password12", ""])
def test_weak_passwords_are_refused(client, password):
    response = client.post(SIGNUP, {"username": "Salma", "password1": password})
    assert "id_password1_error" in response.content.decode()
    assert not people().exists()


def test_an_address_already_in_use_is_not_given_away(client, ali):
    EmailAddress.objects.create(user=ali, email="a@example.org", verified=True, primary=True)
    assert sign_up(client, email="a@example.org").status_code == 302
    assert not EmailAddress.objects.get(user__name="Salma").verified


def test_a_refusing_mail_server_does_not_undo_the_sign_up(client, monkeypatch, caplog):
    def refuse(*_args, **_kwargs):
        raise smtplib.SMTPRecipientsRefused({})

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    response = client.post(
        SIGNUP, {"username": "Salma", "password1": PASSWORD, "email": "s@example.org"}, follow=True
    )
    assert "could not be sent" in response.content.decode()
    assert code_on(response)
    assert EmailAddress.objects.get().email == "s@example.org"


def test_csrf_is_enforced(ali):
    strict = Client(enforce_csrf_checks=True)
    for url in (SIGNUP, LOGIN, "/accounts/recover/", "/accounts/logout/"):
        assert strict.post(url, {"username": "Salma", "password1": PASSWORD}).status_code == 403
    strict.force_login(ali)
    assert strict.post("/accounts/close/", {"password": PASSWORD}).status_code == 403
    assert not Player.objects.filter(name="Salma").exists()
    assert not people().get().is_closed


# Log-in


@pytest.mark.parametrize(
    ("there", "typed"),
    [
        ("Ali", "aLI"),
        ("Ali", " ali "),
        ("أحمد", "احمد"),
        ("سلمى", "سلمي"),
        ("فاطمة", "فاطمه"),
        ("علي3", "عَلِـــي٣"),
        ("Иван", "ИВАН"),
    ],
)
def test_log_in_by_any_form_of_the_name(client, there, typed):
    Player.objects.create_user(there, PASSWORD)
    assert log_in(client, typed).status_code == 302
    assert is_in(client)


@pytest.mark.parametrize(
    ("name", "password"),
    [("ali", "wrong"), ("nobody", PASSWORD), ("al\x00i", PASSWORD), ("", ""), ("ali", "\x00")],
)
def test_a_failed_log_in_says_what_to_do(client, ali, name, password):
    response = log_in(client, name, password)
    assert response.status_code == 200
    assert 'class="error"' in response.content.decode()
    assert not is_in(client)


def test_broken_utf8_at_log_in(client, ali):
    body = b"login=al%ED%A0%80i&password=%FF"
    response = client.post(LOGIN, body, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 200


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example",
        "javascript:alert(1)",
        "/\\evil.example",
        "http:///evil",
    ],
)
def test_next_leads_nowhere_else(client, ali, target):
    response = client.post(LOGIN, {"login": "ali", "password": PASSWORD, "next": target})
    assert (response.status_code, response.url) == (302, "/")


@pytest.mark.parametrize(
    "query", ["next=%00", "next=/%00x", "next=%ED%A0%80", "next=%FF", "email=%00"]
)
def test_odd_bytes_in_the_query_are_no_error(client, ali, query):
    for url in (LOGIN, SIGNUP, "/accounts/recover/", "/accounts/logout/"):
        assert client.get(f"{url}?{query}").status_code < 500
    posted = client.post(f"{LOGIN}?{query}", {"login": "ali", "password": PASSWORD})
    assert posted.status_code == 302
    assert "evil" not in posted.url


def test_house_players_cannot_log_in(client):
    Player.objects.create_user("Sabah2", PASSWORD, kind=PlayerKind.HOUSE)
    assert log_in(client, "Sabah2").status_code == 200


def test_log_out_needs_a_post(ali_at):
    assert ali_at.get("/accounts/logout/").status_code == 200
    assert is_in(ali_at)
    assert ali_at.post("/accounts/logout/").url == "/"
    assert not is_in(ali_at)


def test_guesses_at_one_account_are_limited_however_its_name_is_typed(client, ali):
    for name in ("ali", "Ali", "ALI", "ａｌｉ", " ali"):
        log_in(client, name, "wrong words of tea")
    page = log_in(client, "ali").content.decode()
    assert "Too many wrong passwords" in page
    Player.objects.create_user("Omar", PASSWORD)
    assert log_in(client, "Omar").status_code == 302, "others at the same address are not held up"


def test_success_costs_nothing_of_the_budget(ali):
    for _time in range(8):
        assert log_in(Client(), "ali").status_code == 302


def test_an_address_is_limited_far_later_and_gets_the_page(client, settings, ali):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "login": "2/m/ip"}
    for _time in range(2):
        assert log_in(client, "ali", "wrong").status_code == 200
    response = log_in(client, "ali")
    assert response.status_code == 429
    assert "Wait a few minutes" in response.content.decode()
    assert '<link rel="stylesheet"' in response.content.decode()


def test_limits_hold_for_an_account_before_they_hold_for_an_address(settings):
    for action in ("login_failed", "recover", "reset_password"):
        first, second = settings.ACCOUNT_RATE_LIMITS[action].split(",")
        assert first.endswith("/key")
        assert second.endswith("/ip")
        assert int(second.split("/")[0]) >= 20 * int(first.split("/")[0])


# Changing the password


def test_change_the_password(ali_at, ali):
    elsewhere = Client()
    log_in(elsewhere, "ali")
    data = {"oldpassword": PASSWORD, "password1": OTHER}
    assert ali_at.post("/accounts/password/change/", data).url == "/accounts/overview/"
    assert is_in(ali_at)
    assert not is_in_quietly(elsewhere)
    ali.refresh_from_db()
    assert ali.check_password(OTHER)


def is_in_quietly(client):
    return client.get("/accounts/overview/").status_code == 200


def test_the_old_password_is_needed(ali_at, ali):
    page = ali_at.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": OTHER})
    assert "not your current password" in page.content.decode()
    ali.refresh_from_db()
    assert ali.check_password(PASSWORD)


# Recovery code


def test_the_code_is_shown_once_and_kept_as_a_hash(client):
    response = sign_up(client, "Salma")
    shown = client.get(response.url)
    code = code_on(shown)
    assert re.fullmatch(r"([0-9A-Z]{4}-){3}[0-9A-Z]{4}", code)
    assert "no-store" in shown["Cache-Control"]
    assert "Continue to play" in shown.content.decode()
    again = client.get(response.url).content.decode()
    assert "data-recovery-code" not in again
    digest = RecoveryCode.objects.get().digest
    assert code not in digest
    assert code.replace("-", "") not in digest
    assert code not in str(dict(client.session))


def test_a_code_due_in_a_session_is_for_its_player_only(client, ali):
    sign_up(client, "Salma")
    client.post("/accounts/logout/")
    client.force_login(ali)
    session = client.session
    session[CODE_DUE] = Player.objects.get(name="Salma").pk
    session.save()
    assert "data-recovery-code" not in client.get("/accounts/recovery-code/").content.decode()
    assert not RecoveryCode.objects.exists()


def recover(client, name, code, password=OTHER):
    data = {"name": name, "code": code, "new_password": password}
    return client.post("/accounts/recover/", data)


@pytest.mark.parametrize(
    "change",
    [
        str,
        str.lower,
        lambda c: c.replace("-", ""),
        lambda c: f" {c} ",
        lambda c: c.replace("0", "O").replace("1", "l"),
    ],
)
def test_recover_with_a_code(client, ali, change):
    code = accounts.issue_recovery_code(ali)
    response = recover(client, "aLI", change(code))
    assert response.url == "/accounts/recovery-code/"
    fresh = code_on(client.get(response.url))
    assert fresh != code
    ali.refresh_from_db()
    assert ali.check_password(OTHER)
    assert is_in(client)
    assert recover(Client(), "ali", code, PASSWORD).status_code == 200, "a code works once"
    assert recover(Client(), "ali", fresh, PASSWORD).status_code == 302


def test_recovering_ends_every_other_session(ali_at, ali):
    recover(Client(), "ali", accounts.issue_recovery_code(ali))
    assert not is_in_quietly(ali_at)


def test_recovering_takes_over_from_whoever_was_logged_in(client, ali):
    client.force_login(Player.objects.create_user("Omar", PASSWORD))
    response = recover(client, "ali", accounts.issue_recovery_code(ali))
    assert code_on(client.get(response.url))
    assert client.session["_auth_user_id"] == str(ali.pk)


def test_of_two_uses_at_once_one_wins(ali, monkeypatch):
    """Both have found the code good before either uses it up."""
    code = accounts.issue_recovery_code(ali)
    monkeypatch.setattr(accounts, "find_by_recovery_code", lambda name, code: ali)
    accounts.use_recovery_code(name="ali", code=code, new_password=OTHER)
    with pytest.raises(accounts.WrongCode):
        accounts.use_recovery_code(name="ali", code=code, new_password="stolen words of tea")
    ali.refresh_from_db()
    assert ali.check_password(OTHER)


@pytest.mark.parametrize("name", ["ali", "nobody", "omar"])
def test_a_wrong_code_or_somebody_elses_changes_nothing(client, ali, name):
    omar = Player.objects.create_user("Omar", PASSWORD)
    accounts.issue_recovery_code(omar)
    code = accounts.issue_recovery_code(ali) if name == "omar" else "ABCD-EFGH-JKMN-PQRS"
    page = recover(client, name, code).content.decode()
    assert "don&#x27;t belong together" in page
    assert not is_in(client)


def test_a_weak_new_password_does_not_use_the_code_up(client, ali):
    code = accounts.issue_recovery_code(ali)
    assert "id_new_password_error" in recover(client, "ali", code, "short").content.decode()
    assert recover(client, "ali", code).status_code == 302


def test_guesses_at_codes_are_limited_by_account(client, ali):
    code = accounts.issue_recovery_code(ali)
    answers = [
        recover(client, "ali", f"ABCD-EFGH-JKMN-PQ{number:02}").status_code for number in range(11)
    ]
    assert answers == [200] * 10 + [429]
    assert recover(client, "ALI", code).status_code == 429
    omar = Player.objects.create_user("Omar", PASSWORD)
    assert recover(client, "Omar", accounts.issue_recovery_code(omar)).status_code == 302


@pytest.mark.parametrize("text", ["\x00", "a\x00b"])
def test_nul_bytes_in_recovery_are_form_errors(client, ali, text):
    assert recover(client, text, text, text).status_code == 200


def test_a_new_code_asks_for_the_password(ali_at, ali):
    old = accounts.issue_recovery_code(ali)
    wrong = ali_at.post("/accounts/recovery-code/", {"password": "wrong"})
    assert "not your password" in wrong.content.decode()
    right = ali_at.post("/accounts/recovery-code/", {"password": PASSWORD})
    new = code_on(ali_at.get(right.url))
    assert new != old
    assert recover(Client(), "ali", old).status_code == 200
    assert recover(Client(), "ali", new).status_code == 302


# Mail


def test_confirming_the_address_of_sign_up(client):
    sign_up(client, email="Salma@Example.org")
    (letter,) = mail.outbox
    assert letter.to == ["salma@example.org"]
    page = link_in(letter)
    assert "salma@example.org" in client.get(page).content.decode()
    client.post(page)
    assert EmailAddress.objects.get().verified
    assert "does not work" in client.get(page).content.decode()


def test_reset_by_mail(client, ali):
    EmailAddress.objects.create(user=ali, email="a@example.org", primary=True)
    assert client.post("/accounts/password/reset/", {"email": "A@example.org"}).status_code == 302
    (letter,) = mail.outbox
    page = client.get(link_in(letter), follow=True)
    done = client.post(page.redirect_chain[-1][0], {"password1": OTHER})
    assert done.status_code == 302
    ali.refresh_from_db()
    assert ali.check_password(OTHER)
    assert "does not work" in Client().get(link_in(letter)).content.decode()


def test_links_in_mail_go_to_the_site_not_to_the_host_that_was_asked(client, settings, ali):
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL = "http://localhost:8000"
    EmailAddress.objects.create(user=ali, email="a@example.org", primary=True)
    client.post(
        "/accounts/password/reset/", {"email": "a@example.org"}, headers={"host": "evil.example"}
    )
    assert "http://localhost:8000/accounts/password/reset/key/" in mail.outbox[0].body
    assert "evil.example" not in mail.outbox[0].body


def test_an_unknown_address_gets_the_same_page_and_another_letter(client, ali):
    response = client.post("/accounts/password/reset/", {"email": "who@example.org"}, follow=True)
    assert "A letter is on its way" in response.content.decode()
    assert "No open account has this address" in mail.outbox[0].body


def test_letters_to_one_address_are_limited(client, ali):
    answers = [
        client.post("/accounts/password/reset/", {"email": "a@example.org"}).status_code
        for _time in range(4)
    ]
    assert answers == [302, 302, 302, 429]


def test_an_address_is_added_after_the_password_was_asked_and_removed(ali_at, ali):
    asked = ali_at.post("/accounts/email/", {"email": "a@example.org", "action_add": ""})
    assert asked.url.startswith("/accounts/reauthenticate/")
    ali_at.post(asked.url, {"password": PASSWORD, "next": "/accounts/email/"})
    assert EmailAddress.objects.get(user=ali).email == "a@example.org"
    ali_at.post(link_in(mail.outbox[0]))
    assert "a@example.org" in ali_at.get("/accounts/email/").content.decode()
    ali_at.post("/accounts/email/", {"email": "a@example.org", "action_remove": ""})
    assert not EmailAddress.objects.exists()


@pytest.mark.parametrize(
    "path",
    ["1-x", "zzzzzzzzzzzzz-c-1", "0-%00", "1-%ED%A0%80", "a-set-password", "1-" + "a" * 3000],
)
def test_made_up_reset_links(client, path):
    assert client.get(f"/accounts/password/reset/key/{path}/", follow=True).status_code < 500
    assert client.get(f"/accounts/confirm-email/{path}/", follow=True).status_code < 500


# Closing


def close(client, password=PASSWORD):
    return client.post("/accounts/close/", {"password": password})


def test_the_closing_page_says_what_happens_and_asks_for_the_password(ali_at, ali):
    page = ali_at.get("/accounts/close/").content.decode()
    for words in ("cannot be undone", "90 days", "closed account", "resigned"):
        assert words in page
    assert "not your password" in close(ali_at, "wrong").content.decode()
    ali.refresh_from_db()
    assert not ali.is_closed


def test_all_that_closing_promises(ali_at, ali):
    EmailAddress.objects.create(user=ali, email="a@example.org", primary=True, verified=True)
    Player.objects.filter(pk=ali.pk).update(
        email="a@example.org", is_staff=True, is_superuser=True, about="tea"
    )
    code = accounts.issue_recovery_code(ali)
    elsewhere, visitor = Client(), Client()
    log_in(elsewhere, "ali")
    visitor.post("/accounts/password/reset/", {"email": "a@example.org"})
    old_link = link_in(mail.outbox.pop())

    assert close(ali_at).url == "/accounts/closed/"
    assert ali_at.get("/accounts/closed/").status_code == 200

    ali.refresh_from_db()
    assert (ali.kind, ali.is_active, ali.email) == (PlayerKind.CLOSED, False, "")
    assert ali.about == ""
    assert not ali.is_staff
    assert not ali.is_superuser
    assert ali.closed_at is not None
    assert not ali.has_usable_password()
    assert (ali.shown_name, str(ali), ali.name_key) == ("closed account", "closed account", "ali")
    assert not EmailAddress.objects.exists()
    # old sessions
    assert not is_in_quietly(ali_at)
    assert not is_in_quietly(elsewhere)
    # log-in
    assert "don&#x27;t belong together" in log_in(visitor, "ali").content.decode()
    # recovery code
    assert recover(visitor, "ali", code).status_code == 200
    # old reset link, new reset
    assert "does not work" in visitor.get(old_link, follow=True).content.decode()
    visitor.post("/accounts/password/reset/", {"email": "a@example.org"})
    assert "the account was closed" in mail.outbox[-1].body
    # the same name, and what looks like it; the same address
    page = sign_up(visitor, "Ali").content.decode()
    assert "free again from" in page
    assert "Ali_2 is free now" in page
    assert sign_up(visitor, "_ali_").status_code == 200
    assert sign_up(visitor, "Omar", email="a@example.org").status_code == 302


def test_a_closed_account_cannot_be_closed_again(ali):
    accounts.close_account(ali)
    with pytest.raises(accounts.Refused):
        accounts.close_account(ali)
    with pytest.raises(accounts.Refused):
        accounts.close_account(Player.objects.create_user("Sabah2", kind=PlayerKind.HOUSE))


def a_match(player, status, number):
    match = Match.objects.create(
        id=f"m{number:011}", kind="practice", status=status, commitment=f"{number:064}",
        commitment_number=number, created_at=timezone.now(),
    )  # fmt: skip
    Seat.objects.create(match=match, seat=0, player=player, bank_ms=0)
    return match


def test_running_matches_are_resigned_and_those_not_dealt_left(ali, monkeypatch):
    a_match(ali, Status.PLAYING, 1)
    a_match(ali, Status.STARTING, 2)
    a_match(ali, Status.FINISHED, 3)
    a_match(Player.objects.create_user("Omar"), Status.PLAYING, 4)
    calls = []

    def door(name, ends):
        def leave(*, match_id, player):
            calls.append((name, match_id, player.pk))
            Match.objects.filter(pk=match_id).update(status=ends)

        return leave

    monkeypatch.setattr(accounts.play, "resign", door("resign", Status.FINISHED))
    monkeypatch.setattr(accounts.play, "abort", door("abort", Status.ABORTED))
    accounts.close_account(ali)
    assert sorted(calls) == [("abort", "m00000000002", ali.pk), ("resign", "m00000000001", ali.pk)]


def test_a_match_dealt_while_the_account_closes_is_resigned(ali, monkeypatch):
    match, calls = a_match(ali, Status.STARTING, 1), []

    def abort(*, match_id, player):
        Match.objects.filter(pk=match.pk).update(status=Status.PLAYING)
        raise accounts.Refused("dealt")

    def resign(*, match_id, player):
        calls.append(match_id)
        Match.objects.filter(pk=match.pk).update(status=Status.FINISHED)

    monkeypatch.setattr(accounts.play, "abort", abort)
    monkeypatch.setattr(accounts.play, "resign", resign)
    accounts.close_account(ali)
    assert calls == [match.pk]


def test_a_match_that_begins_while_the_account_closes_is_resigned(ali, monkeypatch):
    real, calls = accounts.locks.lock, []

    def lock(rows):
        a_match(ali, Status.PLAYING, 1)
        return real(rows)

    def resign(*, match_id, player):
        calls.append(match_id)

    monkeypatch.setattr(accounts.locks, "lock", lock)
    monkeypatch.setattr(accounts.play, "resign", resign)
    accounts.close_account(ali)
    assert calls == ["m00000000001"]


def test_real_matches_end_for_the_other_player(ali_at, ali):
    omar = Player.objects.create_user("Omar")
    waiting = play.start(kind=Kind.CHALLENGE, players=[ali, omar])
    dealt = play.start(kind=Kind.CHALLENGE, players=[omar, ali])
    for player, seed in ((ali, "one"), (omar, "two")):
        play.give_seed(match_id=dealt.pk, player=player, client_seed=seed)
    assert "2 running matches" in ali_at.get("/accounts/close/").content.decode()
    close(ali_at)
    waiting.refresh_from_db()
    dealt.refresh_from_db()
    assert (waiting.status, waiting.how) == (Status.ABORTED, How.ABORT)
    assert (dealt.status, dealt.how, dealt.winner) == (Status.FINISHED, How.RESIGNATION, 0)
    page = Client().get(f"/games/{dealt.pk}/")
    assert page.status_code == 200
    assert "Ali" not in page.content.decode()


def test_the_name_is_free_after_90_days_and_the_row_stays(client, ali):
    accounts.close_account(ali)
    moment = timezone.now()
    Player.objects.filter(pk=ali.pk).update(closed_at=moment - timedelta(days=89))
    assert accounts.release_names() == 0
    Player.objects.filter(pk=ali.pk).update(closed_at=moment - timedelta(days=90, seconds=1))
    assert accounts.release_names() == 1
    assert accounts.release_names() == 0
    ali.refresh_from_db()
    assert (ali.name, ali.name_key, ali.skeleton) == ("", f"closed-{ali.pk}", None)
    ali.save()
    ali.refresh_from_db()
    assert ali.name_key == f"closed-{ali.pk}"
    assert sign_up(client, "ali").status_code == 302


def test_many_names_are_released_at_once():
    for name in ("Omar", "Nour", "Salma"):
        accounts.close_account(Player.objects.create_user(name))
    people().update(closed_at=timezone.now() - timedelta(days=100))
    assert accounts.release_names() == 3


def test_a_free_name_fits_even_a_long_or_an_arabic_one():
    for name in ("x" * 20, "سلمى٣"):
        Player.objects.create_user(name)
        free = accounts.free_name(name)
        assert len(free) <= 20
        accounts.check_free(free)
        assert clean_name(free) == free
        with pytest.raises(ValidationError):
            accounts.check_free(name)


# Administrators


def test_make_an_administrator_and_log_in(monkeypatch, client):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command("createsuperuser", "--noinput", "--name", "Mudir", verbosity=0)
    player = people().get()
    assert (player.is_superuser, player.is_staff, player.name_key) == (True, True, "mudir")
    assert Player.objects.get_by_natural_key("MUDIR") == player
    assert log_in(client, "mudir").status_code == 302
    told = client.get("/admin/", follow=True)
    assert told.status_code == 403
    assert reverse("mfa_activate_totp") in told.content.decode()


# Every page in the look


OPEN = [
    "account_login", "account_signup", "account_reset_password", "account_reset_password_done",
    "account_reset_password_from_key_done", "account_recover", "account_closed", "account_inactive",
    "account_email_verification_sent",
]  # fmt: skip
OWN = [
    "account_overview", "account_change_password", "account_email", "account_logout",
    "account_recovery_code", "account_close", "account_name", "account_reauthenticate",
    "account_sessions", "account_export", "mfa_index",
]  # fmt: skip


@pytest.mark.parametrize("name", OPEN + OWN)
def test_every_page_is_in_the_look_and_needs_no_inline_code(client, ali, name):
    if name in OWN:
        client.force_login(ali)
    response = client.get(reverse(name))
    page = response.content.decode()
    assert response.status_code == 200
    assert 'class="bar"' in page
    assert len(re.findall(r"<h1", page)) == 1
    assert not re.search(
        r"\sstyle=|<style|<script(?![^>]*src=)|\son\w+=|autofocus|placeholder=", page
    )
    for field in re.findall(r'<input[^>]*class="input"[^>]*>', page):
        wanted = re.search(r'id="(\w+)"', field).group(1)
        assert f'<label for="{wanted}">' in page
        for described in re.findall(r'aria-describedby="([^"]+)"', field):
            assert all(f'id="{part}"' in page for part in described.split())


@pytest.mark.parametrize("name", OWN)
def test_own_pages_ask_strangers_to_log_in(client, name):
    response = client.get(reverse(name))
    assert response.status_code == 302
    assert response.url.startswith((LOGIN, "/"))


def test_accounts_without_more_leads_to_the_overview(ali_at):
    assert ali_at.get("/accounts/").url == "/accounts/overview/"


@pytest.mark.parametrize(
    "path",
    [
        "login/code/confirm/",
        "reauthenticate/code/",
        "reauthenticate/code/confirm/",
        "3rdparty/",
        "social/login/error/",
        "password/set/",
    ],
)
def test_pages_that_we_do_not_use_show_nothing(ali_at, path):
    assert ali_at.get(f"/accounts/{path}").status_code in (302, 403, 404)


def test_autocomplete_is_right(client, ali):
    def kinds(url):
        page = client.get(url).content.decode()
        fields = re.findall(r"<input[^>]*>", page)
        pairs = [
            (re.search(r'name="(\w+)"', f).group(1), re.search(r'autocomplete="([\w-]+)"', f))
            for f in fields
            if 'class="input"' in f
        ]
        return {name: kind and kind.group(1) for name, kind in pairs}

    assert kinds(SIGNUP) == {"username": "username", "password1": "new-password", "email": "email"}
    assert kinds(LOGIN) == {"login": "username", "password": "current-password"}
    assert kinds("/accounts/recover/") == {
        "name": "username", "code": "off", "new_password": "new-password",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["adm in", "<b>", "ab", "B0SS"])
def test_an_administrator_needs_a_name_as_everybody(name, monkeypatch):
    """A name that is none, or looks like one that is taken, is refused in words."""
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "long-enough-9")
    call_command("createsuperuser", "--noinput", "--name", "Boss", verbosity=0)
    with pytest.raises(CommandError):
        call_command("createsuperuser", "--noinput", "--name", name, verbosity=0)
    assert Player.objects.filter(is_superuser=True).count() == 1
