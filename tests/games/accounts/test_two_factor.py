"""The second factor: enrolment, log-in, spare codes, limits, and staff who must have it."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.cache import cache
from django.db import connections
from django.test import Client

from games.models import Login, Player
from games.models.sealing import unseal_text
from games.services import accounts
from ladder.models.roles import Role
from tests.codes import code_at
from tests.factories import person, staff
from tests.games.accounts.conftest import (
    PASSWORD,
    confirm,
    give_code,
    is_in,
    log_in,
    second_of,
)

pytestmark = pytest.mark.django_db
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
ACTIVATE = "/accounts/2fa/totp/activate/"


def key_on(page: str) -> str:
    return re.search(r"data-totp-key>([A-Z2-7]+)<", page).group(1)


def test_enrolment(client, ali):
    log_in(client)
    page = confirm(client, ACTIVATE).content.decode()
    assert "<svg" in page.partition('class="qr"')[2]
    assert "data:" not in page
    secret = key_on(page)
    wrong = client.post(ACTIVATE, {"code": "000000" if code_at(secret) != "000000" else "1"})
    assert "not right" in wrong.content.decode()
    assert key_on(wrong.content.decode()) == secret, "the picture that was read stays good"
    right = client.post(ACTIVATE, {"code": code_at(secret)})
    assert right.url == "/accounts/2fa/recovery-codes/"
    spare = re.findall(r"data-spare-code>(\d+)<", client.get(right.url).content.decode())
    assert len(set(spare)) == 10
    assert second_of(ali) == {"totp", "recovery_codes"}
    assert client.get(ACTIVATE).status_code == 302


def test_secrets_are_sealed_at_rest(client, ali):
    log_in(client)
    secret = key_on(confirm(client, ACTIVATE).content.decode())
    client.post(ACTIVATE, {"code": code_at(secret)})
    for row in Authenticator.objects.all():
        assert secret not in str(row.data)
    app, spare = Authenticator.objects.order_by("-type")
    assert unseal_text(app.data["secret"]) == secret
    assert len(unseal_text(spare.data["seed"])) == 80


@pytest.mark.django_db(transaction=True)
def test_enrolling_ends_the_sessions_that_had_the_password_alone(client, ali):
    elsewhere = Client()
    log_in(elsewhere)
    log_in(client)
    page = confirm(client, ACTIVATE).content.decode()
    client.post(ACTIVATE, {"code": code_at(key_on(page))})
    assert is_in(client)
    assert not is_in(elsewhere)


@pytest.mark.parametrize("digits", [{}, ARABIC, PERSIAN])
def test_log_in_with_a_code_in_any_digits(client, ali, with_second, digits):
    second = with_second(ali)
    assert log_in(client).url == "/accounts/2fa/authenticate/"
    assert not is_in(client)
    page = client.get("/accounts/2fa/authenticate/").content.decode()
    assert 'autocomplete="one-time-code"' in page
    code = code_at(second.secret).translate(digits)
    assert give_code(client, f" {code[:3]} {code[3:]}").status_code == 302
    assert is_in(client)


@pytest.mark.parametrize("digits", [{}, ARABIC])
def test_a_spare_code_lets_in_once(ali, with_second, digits):
    second = with_second(ali)
    first, again = Client(), Client()
    for client in (first, again):
        log_in(client)
        give_code(client, second.spare[3].translate(digits))
    assert is_in(first)
    assert not is_in(again)
    give_code(again, second.spare[4])
    assert is_in(again)


def test_a_code_counts_once(ali, with_second):
    second = with_second(ali)
    code = code_at(second.secret)
    first, again = Client(), Client()
    for client in (first, again):
        log_in(client)
        answer = give_code(client, code)
    assert is_in(first)
    assert not is_in(again)
    assert "has been used" in answer.content.decode()


def test_the_code_of_enrolment_logs_nobody_in(client, ali):
    log_in(client)
    secret = key_on(confirm(client, ACTIVATE).content.decode())
    code = code_at(secret)
    client.post(ACTIVATE, {"code": code})
    other = Client()
    log_in(other)
    give_code(other, code)
    assert not is_in(other)


@pytest.mark.parametrize("code", ["", "12345", "a" * 5000, "12\x003456", "🂡" * 6, "١٢٣"])
def test_what_is_no_code_is_a_form_error(client, ali, with_second, code):
    with_second(ali)
    log_in(client)
    assert give_code(client, code).status_code == 200
    assert not is_in(client)


def test_wrong_codes_are_limited_for_the_account_and_for_nobody_else(ali, with_second):
    second = with_second(ali)
    client = Client()
    log_in(client)
    for _try in range(5):
        give_code(client, "1")
    answer = give_code(client, code_at(second.secret))
    assert not is_in(client)
    assert "Too many" in answer.content.decode()
    nour = Player.objects.create_user("Nour", PASSWORD)
    other = Client()
    log_in(other, "nour")
    assert is_in(other)
    theirs = with_second(nour)
    third = Client()
    log_in(third, "nour")
    give_code(third, code_at(theirs.secret))
    assert is_in(third)


def test_nobody_gives_a_code_without_the_password(client, ali, with_second):
    second = with_second(ali)
    assert give_code(client, code_at(second.secret)).url.startswith("/accounts/login/")
    assert not is_in(client)


def test_the_way_back_by_recovery_code_and_by_letter_asks_for_the_code_too(ali, with_second):
    with_second(ali)
    EmailAddress.objects.create(user=ali, email="a@example.org", primary=True, verified=True)
    client = Client()
    form = {"name": "ali", "code": accounts.issue_recovery_code(ali), "new_password": PASSWORD}
    assert client.post("/accounts/recover/", form).url == "/accounts/2fa/authenticate/"
    assert not is_in(client)
    other = Client()
    other.post("/accounts/password/reset/", {"email": "a@example.org"})
    link = re.search(r"(/accounts/password/reset/key/\S+)", mail.outbox[-1].body).group(1)
    page = other.get(link)
    answer = other.post(page.url, {"password1": PASSWORD})
    assert answer.url == "/accounts/2fa/authenticate/"
    assert not is_in(other)


def test_switching_off_asks_who_is_there(client, ali, with_second):
    second = with_second(ali)
    log_in(client)
    give_code(client, code_at(second.secret))
    session = client.session
    session["account_authentication_methods"] = []  # as after a while
    session.save()
    off = "/accounts/2fa/totp/deactivate/"
    assert "/reauthenticate/" in client.post(off).url
    assert second_of(ali)
    confirm(client, off, {})
    client.post(off)
    assert second_of(ali) == set()
    plain = Client()
    log_in(plain)
    assert is_in(plain)


def test_a_code_says_who_is_there_as_the_password_does(client, ali, with_second):
    second = with_second(ali)
    client.force_login(ali)
    page = client.get("/accounts/reauthenticate/?next=/accounts/email/").content.decode()
    assert "With a code of my app" in page
    answer = client.post(
        "/accounts/2fa/reauthenticate/",
        {"code": code_at(second.secret), "next": "/accounts/email/"},
    )
    assert answer.url == "/accounts/email/"
    page = client.get("/accounts/2fa/reauthenticate/").content.decode()
    assert "With my password" in page


def test_new_spare_codes_replace_the_old_ones(client, ali, with_second):
    second = with_second(ali)
    log_in(client)
    give_code(client, second.spare[0])
    answer = confirm(client, "/accounts/2fa/recovery-codes/generate/", {})
    assert answer.url == "/accounts/2fa/recovery-codes/"
    assert client.get("/accounts/2fa/recovery-codes/download/").status_code == 200
    other = Client()
    log_in(other)
    give_code(other, second.spare[1])
    assert not is_in(other)


def test_what_was_changed_is_told_by_letter_to_a_confirmed_address_alone(client, ali):
    EmailAddress.objects.create(user=ali, email="a@example.org", primary=True, verified=False)
    log_in(client)
    page = confirm(client, ACTIVATE).content.decode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.db.transaction.on_commit", lambda act, **_how: act())
        client.post(ACTIVATE, {"code": code_at(key_on(page))})
        assert not mail.outbox
        EmailAddress.objects.update(verified=True)
        confirm(client, "/accounts/2fa/totp/deactivate/", {})
        assert [letter.subject for letter in mail.outbox] == ["Two-factor log-in is off"]
        assert "Ali" in mail.outbox[0].body


@pytest.mark.parametrize(
    "path", ["", "totp/activate/", "totp/deactivate/", "recovery-codes/", "reauthenticate/"]
)
def test_guests_and_strangers_are_led_to_an_account(path):
    stranger, guest = Client(), Client()
    guest.post("/games/practice/", {"level": "novice"})
    assert stranger.get(f"/accounts/2fa/{path}").url.startswith("/accounts/login/")
    assert guest.get(f"/accounts/2fa/{path}").url.startswith("/accounts/signup/")


# Staff


@pytest.mark.parametrize("role", Role.values)
def test_staff_without_a_second_factor_get_in_nowhere(client, role):
    member = staff(role)
    Authenticator.objects.filter(user=member).delete()
    client.force_login(member)
    told = client.get("/admin/", follow=True)
    assert told.status_code == 403
    if role == Role.ADMINISTRATOR:
        assert ACTIVATE in told.content.decode()
    for path in ("/admin/games/match/", "/admin/ladder/sitesetting/"):
        assert client.get(path).status_code == 302


@pytest.mark.parametrize("role", Role.values)
def test_the_administration_is_for_administrators(client, role):
    client.force_login(staff(role))
    told = client.get("/admin/", follow=True)
    assert told.status_code == (200 if role == Role.ADMINISTRATOR else 403)


def test_a_superuser_made_by_command_enrols_and_gets_in(client):
    Player.objects.create_superuser("Mudir", PASSWORD)
    log_in(client, "mudir")
    assert client.get("/admin/", follow=True).status_code == 403
    page = confirm(client, ACTIVATE).content.decode()
    client.post(ACTIVATE, {"code": code_at(key_on(page))})
    assert client.get("/admin/").status_code == 200


def test_it_can_be_waived_by_a_setting(client, settings):
    settings.STAFF_NEEDS_TWO_FACTOR = False
    client.force_login(person(is_staff=True, is_superuser=True))
    assert client.get("/admin/").status_code == 200


# Several at once


def at_once(count, act):
    """``act`` with the numbers below ``count``, in threads of their own; what it returned."""

    def run(number):
        try:
            return act(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))


@pytest.mark.django_db(transaction=True)
def test_thirty_wrong_codes_at_once_are_counted(ali, with_second):
    second = with_second(ali)
    clients = [Client() for _number in range(8)]
    for client in clients:
        log_in(client)
    answers = at_once(8, lambda number: [give_code(clients[number], "1") for _try in range(4)])
    said = [answer.content.decode() for group in answers for answer in group]
    assert len(said) == 32
    assert sum("not right" in page for page in said) <= 5
    give_code(clients[0], code_at(second.secret))
    assert not is_in(clients[0])
    cache.clear()  # five minutes later
    give_code(clients[0], code_at(second.secret))
    assert is_in(clients[0])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["spare", "app"])
def test_of_two_who_use_a_code_at_once_one_gets_in(ali, with_second, kind):
    second = with_second(ali)
    code = second.spare[0] if kind == "spare" else code_at(second.secret)
    clients = [Client() for _number in range(4)]
    for client in clients:
        log_in(client)
    at_once(4, lambda number: give_code(clients[number], code))
    assert [is_in(client) for client in clients].count(True) == 1
    assert Login.objects.filter(player=ali).count() == 1
