"""Dates and times are those of the reader's own clock, which the browser's pages name."""

import doctest
from datetime import UTC, datetime

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from games import zones
from games.models import Commitment, Notification, Topic
from tests.factories import person

LATE = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
SHOWN = {"Africa/Cairo": "2 Mar 2026, 01:30", "America/Sao_Paulo": "1 Mar 2026, 20:30"}


@pytest.fixture(autouse=True)
def own_zone():
    yield
    timezone.deactivate()


def test_doctests():
    assert doctest.testmod(zones).failed == 0


@pytest.mark.django_db
def test_news_is_told_by_the_readers_clock(client):
    me = person()
    Notification.objects.create(player=me, topic=Topic.FOLLOW, by=person(), made_at=LATE)
    client.force_login(me)
    for zone, shown in SHOWN.items():
        client.cookies["zone"] = zone
        assert shown in client.get("/notifications/").content.decode()
    del client.cookies["zone"]
    assert "1 Mar 2026, 23:30" in client.get("/notifications/").content.decode()


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "America", "\x00", "é" * 900]
)
def test_what_is_no_zone_is_utc(name):
    assert zones.of_browser({"zone": name}) == timezone.get_default_timezone()


@pytest.mark.django_db
def test_what_is_the_same_for_everybody_is_told_in_utc(client):
    client.cookies["zone"] = "Pacific/Pago_Pago"
    season = client.get("/leaderboard/season/")
    ends = date_format(season.context["season"].ends_at)
    assert f"on {ends} at midnight UTC" in season.content.decode()
    Commitment.objects.create(made_at=LATE, sha256="0" * 64)
    assert "2026-03-01 23:30:00 UTC" in client.get("/fairness/").content.decode()
