"""What anybody may read about the site, and the form to write to whoever runs it."""

import re
import smtplib
from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils.html import strip_tags

from games.models import ContactMessage, clock
from games.services import accounts, contact, guests, notifications, talk
from games.tasks import forget_messages
from ladder.services import marks, reports, restitution, switches
from tests.factories import person, staff

pytestmark = pytest.mark.django_db
PAGES = ["privacy", "terms", "fair-play", "contact"]
WRITTEN = {"text": "The clock is wrong.\n\nSalma", "address": "salma@example.com"}


@pytest.fixture(autouse=True)
def no_limits_yet():
    cache.clear()


@pytest.fixture
def mailbox(settings):
    settings.CONTACT_EMAIL = "operators@example.com"
    return mail.outbox


def words(client: Client, page: str) -> str:
    response = client.get(f"/{page}/")
    assert response.status_code == 200
    return " ".join(strip_tags(response.content.decode()).split())


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_stands_by_itself(client: Client, page, language):
    answer = client.get(f"/{page}/", headers={"Accept-Language": language})
    text = answer.content.decode()
    assert f'<html lang="{language}"' in text
    assert len(re.findall(r"<h1\b", text)) == 1
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


@pytest.mark.parametrize("page", ["", "rules/", "leaderboard/", "accounts/login/", "settings/"])
def test_the_foot_of_every_page_leads_there(client: Client, page):
    foot = client.get(f"/{page}").content.decode().partition("<footer")[2]
    for public in PAGES:
        assert f'href="/{public}/"' in foot


def test_privacy_says_what_the_program_does(client: Client):
    said = words(client, "privacy")
    for what, days, kept in (
        ("What is said at a table: after {} days", 90, talk.KEPT),
        ("A copy of it in a report: {} days after", 90, reports.KEPT),
        ("The marks of log-ins: after {} days", 90, marks.KEPT),
        ("Notifications: after {} days", 90, notifications.KEPT),
        ("no mail could carry: after {} days", 90, contact.KEPT),
        ("A guest, with all matches: after {} days", 7, guests.IDLE),
        ("A name that is given up is held for {} days", 90, accounts.NAME_HELD),
    ):
        assert kept == timedelta(days=days)
        assert what.format(days) in said
    assert "7 days after you asked for it" in said
    assert "within 30 days" in said


def test_fair_play_says_what_reporting_does(client: Client):
    said = words(client, "fair-play")
    assert "make 10 reports a day." in said
    assert (150, timedelta(days=30)) == (restitution.REFUND_LIMIT, restitution.REFUND_WITHIN)
    assert "at most 150" in said
    assert "of the last 30 days" in said


@pytest.mark.parametrize(
    ("language", "limit", "words_for_it"),
    [("en", 1, "make 1 report a day."), ("en", 25, "make 25 reports a day."),
     ("ar", 1, "بلاغًا واحدًا"), ("ar", 2, "بلاغين"), ("ar", 5, "5 بلاغات"), ("ar", 25, "25 بلاغًا"),
     ("ar", 100, "100 بلاغ.")],
)  # fmt: skip
def test_fair_play_says_the_limit_that_is_set(client: Client, language, limit, words_for_it):
    switches.keep({"reports_a_day": limit})
    client.cookies["language"] = language
    assert words_for_it in words(client, "fair-play")


def test_a_message_goes_to_the_operators(client: Client, mailbox):
    answer = client.post("/contact/", WRITTEN, follow=True)
    assert "Your message has been sent." in answer.content.decode()
    letter = mailbox[0]
    assert (letter.to, letter.reply_to) == (["operators@example.com"], ["salma@example.com"])
    assert letter.body.startswith("The clock is wrong.\n\nSalma\n")
    assert not ContactMessage.objects.exists()


def test_of_somebody_who_is_logged_in_it_says_who(client: Client, mailbox):
    player = person("Nour")
    client.force_login(player)
    client.post("/contact/", {"text": "Hello"})
    assert "/players/nour/" in mailbox[0].body
    assert mailbox[0].reply_to == []


def test_it_is_kept_for_administrators_if_the_mail_fails(
    client: Client, mailbox, monkeypatch, caplog
):
    def refuses(_self, _messages):
        raise smtplib.SMTPRecipientsRefused({})

    monkeypatch.setattr(EmailBackend, "send_messages", refuses)
    answer = client.post("/contact/", WRITTEN, follow=True)
    assert "kept here for the administrators" in answer.content.decode()
    kept = ContactMessage.objects.get()
    assert (kept.text, kept.address, kept.player) == (*WRITTEN.values(), None)
    assert "could not be sent" in caplog.text


def test_without_an_address_of_the_operators_it_is_kept(client: Client, settings):
    settings.CONTACT_EMAIL = ""
    client.post("/contact/", {"text": "<script>alert(1)</script>\u202e"})
    assert ContactMessage.objects.get().text == "<script>alert(1)</script>"
    boss = staff("administrator", is_superuser=True)
    client.force_login(boss)
    page = client.get(f"/admin/games/contactmessage/{ContactMessage.objects.get().pk}/change/")
    assert page.status_code == 200
    assert "<script>alert" not in page.content.decode()


@pytest.mark.parametrize(
    ("form", "error"),
    [({"text": ""}, "required"), ({"text": "x" * 2001}, "2000"), ({"text": "a\x00b"}, "Null"),
     ({"text": "x", "address": "a@b\nBcc: c@example.com"}, "valid"),
     ({"text": "x", "address": "nobody"}, "valid")],
)  # fmt: skip
def test_what_cannot_be_sent_is_said(client: Client, mailbox, form, error):
    answer = client.post("/contact/", form)
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode()
    assert error in answer.content.decode()
    assert mailbox == []


def test_five_an_hour_are_the_most(client: Client, mailbox):
    answers = [client.post("/contact/", WRITTEN).status_code for _time in range(6)]
    assert answers == [302] * 5 + [429]
    assert len(mailbox) == 5


def test_kept_messages_are_forgotten_after_90_days():
    now = clock.now()
    for days in (89, 91):
        ContactMessage.objects.create(text=str(days), made_at=now - timedelta(days=days))
    forget_messages()
    assert [kept.text for kept in ContactMessage.objects.all()] == ["89"]
