"""The daily letter: to whom, what is in it, in which language, and never twice."""

import smtplib
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.utils import translation

from games.models import Player, clock
from ladder.models import Appeal, Finding, Measure, Reason, Role, Sanction
from ladder.services import digest
from ladder.tasks import send_digest
from tests.factories import person, staff

pytestmark = pytest.mark.django_db


def moderator(**more: object) -> Player:
    wanted = {"email": "nour@example.com", "wants_digest": True, **more}
    return staff(Role.MODERATOR, **wanted)


def sanction(player: Player, **more: object) -> Sanction:
    told = {"measure": Measure.MUTE, "reason": Reason.INSULTS, "message": "A private word."}
    return Sanction.objects.create(player=player, began_at=clock.now(), **told, **more)


def found_of(*, ago: timedelta, **more: object) -> Finding:
    at = clock.now() - ago
    return Finding.objects.create(key=str(ago), kind="short", found_at=at, renewed_at=at, **more)


def test_the_numbers(reported):
    moderator()
    suspect = person("Wessam_Hidden")
    case = reported(suspect).case
    case.opened_at = clock.now() - timedelta(days=3, hours=2)
    case.save()
    reported(person())
    found_of(ago=timedelta(hours=2))
    found_of(ago=timedelta(hours=3), cleared_at=clock.now())
    found_of(ago=timedelta(days=2))
    ends = sanction(suspect, until=clock.now() + timedelta(hours=20))
    sanction(suspect, until=clock.now() + timedelta(days=2))
    sanction(suspect, until=clock.now() + timedelta(hours=1), undone_at=clock.now())
    Appeal.objects.create(sanction=ends, text="I did nothing.", made_at=clock.now())
    assert digest.send() == 1
    letter = mail.outbox[0]
    assert letter.to == ["nour@example.com"]
    for line in (
        "* 2 open cases · the oldest 3 days old",
        "* 1 new finding since yesterday",
        "* 1 appeal waiting",
        "* 1 sanction ending in the next 24 hours",
        "/moderation/",
        "/settings/",
    ):
        assert line in letter.body
    for private in (suspect.name, "A private word.", "I did nothing.", "insults"):
        assert private not in letter.body


def test_nobody_gets_two_in_a_day(reported, later):
    moderator()
    reported(person())
    send_digest()
    send_digest()
    assert len(mail.outbox) == 1
    later(days=1)
    send_digest()
    assert len(mail.outbox) == 2


def test_of_two_runs_at_once_one_sends(reported, monkeypatch):
    reader = moderator()
    reported(person())
    stale = Player.objects.get(pk=reader.pk)
    assert digest.send() == 1
    assert digest._send(stale, digest.digest(clock.now()), clock.now().date()) is False
    assert len(mail.outbox) == 1


def test_only_moderators_who_want_it_and_have_an_address(reported):
    reported(person())
    moderator(wants_digest=False)
    moderator(email="")
    person(email="player@example.com", wants_digest=True)
    person(email="staff@example.com", wants_digest=True, is_staff=True)  # of no role
    gone = moderator(email="gone@example.com")
    gone.groups.clear()
    assert digest.send() == 0


def test_no_letter_when_there_is_nothing():
    moderator()
    assert digest.send() == 0


def test_each_in_the_own_language(reported, monkeypatch):
    moderator(language="ar", email="ar@example.com")
    moderator(language="en", email="en@example.com")
    reported(person())
    seen = []
    monkeypatch.setattr(
        digest, "render_to_string", lambda *_a: seen.append(translation.get_language()) or "x"
    )
    with translation.override("en"):
        assert digest.send() == 2
    assert seen == ["ar", "en"]


def test_whoever_could_not_be_reached_is_tried_again(reported, monkeypatch, caplog):
    moderator()
    reported(person())

    def refuses(_self, _messages):
        raise smtplib.SMTPServerDisconnected

    with monkeypatch.context() as broken:
        broken.setattr(EmailBackend, "send_messages", refuses)
        assert digest.send() == 0
    assert "could not be sent" in caplog.text
    assert digest.send() == 1


@pytest.mark.parametrize(("role", "shown"), [(Role.HELPER, True), (None, False)])
def test_the_preference_is_shown_to_moderators_alone(client: Client, role, shown):
    player = staff(role) if role else person()
    client.force_login(player)
    assert ('name="wants_digest"' in client.get("/settings/").content.decode()) is shown
    client.post("/settings/", {"back": "star", "wants_digest": "on"})
    player.refresh_from_db()
    assert player.wants_digest is shown
