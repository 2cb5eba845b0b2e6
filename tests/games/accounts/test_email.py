"""The change of an e-mail address: confirmed by the new one, told to the old one."""

import re
from collections import defaultdict

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from games.models import Player
from tests.games.accounts.conftest import PASSWORD, confirm, log_in

pytestmark = pytest.mark.django_db
PAGE = "/accounts/email/"
OLD, NEW = "old@example.org", "new@example.org"


def link() -> str:
    return re.search(r"http://[^/]+(/accounts/confirm-email/\S+)", mail.outbox[-1].body).group(1)


def used(player: Player) -> str:
    return Player.objects.get(pk=player.pk).email


@pytest.fixture
def at(client, ali) -> Client:
    log_in(client)
    confirm(client, PAGE, {"action_add": "", "email": OLD})
    client.post(link())
    mail.outbox.clear()
    return client


def test_who_has_none_adds_one(client, ali):
    log_in(client)
    assert "keep your recovery code safe" in client.get(PAGE).content.decode()
    confirm(client, PAGE, {"action_add": "", "email": OLD})
    assert "Not confirmed yet" in client.get(PAGE).content.decode()
    client.post(link())
    assert used(ali) == OLD


def test_the_old_one_holds_until_the_new_one_is_confirmed_and_hears_of_it(at, ali):
    at.post(PAGE, {"action_add": "", "email": NEW})
    assert mail.outbox[-1].to == [NEW]
    assert used(ali) == OLD
    at.post(link())
    assert used(ali) == NEW
    assert EmailAddress.objects.get(user=ali).email == NEW
    told = mail.outbox[-1]
    assert told.to == [OLD]
    assert NEW in told.body
    assert "Ali" in told.body


def test_letters_are_in_the_readers_language(at, ali):
    Player.objects.filter(pk=ali.pk).update(language="ar")
    at.post(PAGE, {"action_add": "", "email": NEW})
    assert mail.outbox[-1].body.startswith("مرحبًا")
    assert "somebody" not in mail.outbox[-1].body


def test_a_name_is_fenced_off_in_every_letter_that_says_it(ali):
    templates = settings.BASE_DIR / "templates"
    letters = [path.relative_to(templates) for path in templates.glob("*/email/*_message.txt")]
    about = {"user": ali, "reader": ali, "digest": defaultdict(int)}
    with translation.override("ar"):
        said = [
            render_to_string(str(letter), about)
            for letter in [*letters, "moderation/email/digest.txt"]
        ]
    named = [text for text in said if ali.name in text]
    assert len(named) >= 12
    assert all(f"\u2068{ali.name}\u2069" in text for text in named)


def test_it_asks_who_is_there(client, ali):
    client.force_login(ali)
    answer = client.post(PAGE, {"action_add": "", "email": NEW})
    assert "/reauthenticate/" in answer.url
    assert not mail.outbox


def test_somebody_elses_address_is_neither_taken_nor_given_away(at, ali):
    other = Player.objects.create_user("Nour", PASSWORD, email=NEW)
    EmailAddress.objects.create(user=other, email=NEW, primary=True, verified=True)
    at.post(PAGE, {"action_add": "", "email": NEW})
    if "confirm-email" in mail.outbox[-1].body:
        at.post(link())
    assert used(ali) == OLD
    assert used(other) == NEW


def test_a_link_works_once_and_not_after_the_address_was_removed(at, ali):
    at.post(PAGE, {"action_add": "", "email": NEW})
    address = link()
    at.post(PAGE, {"action_remove": "", "email": NEW})
    assert "does not work" in at.get(address).content.decode()
    at.post(address)
    assert used(ali) == OLD


@pytest.mark.parametrize("email", ["", "x", "a@b\x00.org", "a" * 300 + "@example.org", "<b>@x.org"])
def test_what_is_no_address_is_a_form_error(at, ali, email):
    assert at.post(PAGE, {"action_add": "", "email": email}).status_code == 200
    assert used(ali) == OLD


def test_a_changed_password_is_told_by_letter(at, ali):
    form = {"oldpassword": PASSWORD, "password1": "other words of mint"}
    at.post("/accounts/password/change/", form)
    assert [letter.subject for letter in mail.outbox] == ["Your password was changed"]
    assert mail.outbox[0].to == [OLD]
