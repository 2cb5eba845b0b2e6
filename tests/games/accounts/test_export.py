"""The file with all that is held about somebody: what is in it, what is not, and whose it is."""

import json
import zipfile
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import (
    Block,
    ContactMessage,
    Export,
    ExportState,
    Follow,
    Kind,
    Match,
    Notification,
    Player,
    Topic,
    Utterance,
    clock,
)
from games.models.sealing import unseal
from games.services import accounts, exports, notifications, people
from games.services.errors import Refused
from ladder.models import Case, Measure, Note, Reason, Report, Sanction
from tests.factories import dealt, person, play_on
from tests.games.accounts.conftest import log_in

pytestmark = pytest.mark.django_db
PAGE = "/accounts/export/"


@pytest.fixture(autouse=True)
def files(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path)
    return tmp_path


def made(player: Player) -> Export:
    export = exports.ask(player)
    assert exports.make(export.pk)
    export.refresh_from_db()
    return export


def parts(export: Export) -> dict[str, list]:
    with default_storage.open(export.path) as content, zipfile.ZipFile(content) as packed:
        return {
            name.removeprefix("basra/").removesuffix(".json"): json.loads(packed.read(name))
            for name in packed.namelist()
        }


def test_everything_is_in_it(ali, client):
    log_in(client)
    nour = person("Nour")
    Player.objects.filter(pk=ali.pk).update(about="tea and basra")
    ali.refresh_from_db()
    match = play_on(dealt(players=[ali, nour], target=51))
    people.follow(ali, nour)
    people.block(ali, person("Rude"))
    Utterance.objects.create(match=match, player=ali, text="well met", said_at=clock.now())
    case = Case.objects.create(player=nour, opened_at=clock.now())
    Report.objects.create(
        case=case, reporter=ali, suspect=nour, reason=Reason.INSULTS, text="rude words",
        made_at=clock.now(),
    )  # fmt: skip
    Sanction.objects.create(
        player=ali, measure=Measure.MUTE, reason=Reason.INSULTS, message="be kind",
        by=person("Warden"), began_at=clock.now(),
    )  # fmt: skip
    notifications.notify(ali, Topic.NOTICE, text="good news")
    ContactMessage.objects.create(player=ali, text="is anybody there", made_at=clock.now())
    held = parts(made(ali))
    assert set(held) == {
        "account", "settings", "sessions", "devices", "people", "matches", "challenges", "talk",
        "notifications", "ratings", "ledger", "seasons", "pauses", "reports_made", "sanctions",
        "marks", "messages", "lessons", "puzzles", "reviews",
    }  # fmt: skip
    assert held["account"][0]["name"] == "Ali"
    assert held["account"][0]["about"] == "tea and basra"
    assert {(row["tie"], row["name"]) for row in held["people"]} == {
        ("follow", "Nour"), ("block", "Rude"),
    }  # fmt: skip
    assert held["matches"][0]["record"]["players"] == ["Ali", "Nour"]
    assert held["matches"][0]["own_plays"]
    assert held["ledger"][0]["opponent"] == "Nour"
    assert held["talk"][0]["text"] == "well met"
    assert held["reports_made"][0]["text"] == "rude words"
    assert held["sanctions"][0]["message"] == "be kind"
    assert any("good news" in row["said"] for row in held["notifications"])
    assert held["sessions"]
    assert held["marks"]
    assert held["messages"][0]["text"] == "is anybody there"


def test_nothing_of_others_is_in_it(ali):
    reporter, nour = person("Talebearer"), person("Nour", email="nour@example.org")
    match = play_on(dealt(players=[ali, nour], target=51))
    Utterance.objects.create(match=match, player=nour, text="her words", said_at=clock.now())
    case = Case.objects.create(player=ali, opened_at=clock.now())
    Report.objects.create(
        case=case, reporter=reporter, suspect=ali, reason=Reason.INSULTS, text="he insulted",
        made_at=clock.now(),
    )  # fmt: skip
    Sanction.objects.create(
        player=ali, measure=Measure.WARNING, reason=Reason.INSULTS, message="be kind",
        by=person("Warden"), began_at=clock.now(),
    )  # fmt: skip
    Note.objects.create(player=ali, by=reporter, text="watch him", made_at=clock.now())
    Block.objects.create(player=nour, other=ali)
    Follow.objects.create(player=nour, other=ali)
    said = json.dumps(parts(made(ali)), ensure_ascii=False)
    for private in (
        "Talebearer", "her words", "he insulted", "Warden", "watch him", "nour@example.org",
        ali.password,
    ):  # fmt: skip
        assert private not in said
    assert '"tie"' not in said


def test_of_a_running_match_there_is_no_card(ali):
    nour = person("Nour")
    running = play_on(dealt(Kind.RANKED, players=[ali, nour]), plays=3)
    assert running.status == "playing"
    (told,) = parts(made(ali))["matches"]
    assert set(told) == {"match", "kind", "status", "seat", "began", "finished"}
    said = json.dumps(told)
    sealed = unseal(Match.objects.get().sealed)
    assert sealed.server_seed.hex() not in said
    for play in running.plays.all():
        assert f'"{play.card}"' not in said


def test_the_page_asks_shows_how_far_it_is_and_gives_the_file(
    ali, client, sent_tasks, django_capture_on_commit_callbacks
):
    log_in(client)
    assert "Make the file" in client.get(PAGE).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(PAGE).url == PAGE
    export = Export.objects.get()
    assert (exports.MAKE, [export.pk]) in sent_tasks
    page = client.get(PAGE).content.decode()
    assert "<progress" in page
    assert 'hx-trigger="every 2s"' in page
    exports.make(export.pk)
    page = client.get(PAGE).content.decode()
    assert 'hx-trigger="every 2s"' not in page
    answer = client.get(f"{PAGE}{export.pk}/")
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    assert b"".join(answer.streaming_content)[:2] == b"PK"
    assert Notification.objects.filter(player=ali, facts__answer="export").count() == 1


def test_how_far_it_is_is_written_on_the_way(ali, monkeypatch):
    seen = []
    monkeypatch.setattr(exports, "_BEAT_EVERY", 1)
    real = exports._beat

    def beat(export, done):
        real(export, done)
        seen.append(done)

    monkeypatch.setattr(exports, "_beat", beat)
    for _match in range(3):
        play_on(dealt(players=[ali, person()], target=51))
    export = made(ali)
    assert seen == sorted(seen)
    assert len(set(seen)) > 8
    assert export.total == exports.PARTS_BESIDE_MATCHES + 3
    assert seen[-1] <= export.total


def test_nobody_else_gets_it(ali):
    export = made(ali)
    address = f"{PAGE}{export.pk}/"
    other, stranger = Client(), Client()
    other.force_login(person())
    assert other.get(address).status_code == 404
    assert stranger.get(address).url.startswith("/accounts/login/")
    chief = Client()
    chief.force_login(person(is_staff=True, is_superuser=True))
    assert chief.get(address).status_code == 404
    assert len(export.path) > 30


def test_one_at_a_time_and_one_an_hour(ali, client):
    first = exports.ask(ali)
    assert exports.ask(ali) == first
    with pytest.raises(IntegrityError):
        Export.objects.create(player=ali, asked_at=clock.now(), beat_at=clock.now())


def test_again_after_an_hour_or_a_failure(ali, client):
    log_in(client)
    made(ali)
    with pytest.raises(Refused):
        exports.ask(ali)
    assert "within the hour" in client.post(PAGE, follow=True).content.decode()
    Export.objects.update(state=ExportState.FAILED)
    assert exports.ask(ali).state == ExportState.WAITING


def test_a_task_that_comes_twice_makes_one_file(ali, files):
    export = exports.ask(ali)
    assert exports.make(export.pk)
    assert not exports.make(export.pk)
    assert not exports.make(export.pk + 1)
    assert len(list(files.rglob("*.zip"))) == 1


def test_what_failed_is_said(ali, client, monkeypatch):
    log_in(client)
    export = exports.ask(ali)

    def fail(player):
        raise OSError("the disk is full")

    monkeypatch.setattr(exports.ports, "held_about", fail)
    with pytest.raises(OSError, match="full"):
        exports.make(export.pk)
    page = client.get(PAGE).content.decode()
    assert "could not be made" in page
    assert "disk" not in page


def test_what_was_lost_is_begun_again(ali, sent_tasks):
    export = exports.ask(ali)
    Export.objects.update(state=ExportState.RUNNING, beat_at=clock.now() - 2 * exports.LOST_AFTER)
    assert exports.resume() == 1
    assert sent_tasks[-1] == (exports.MAKE, [export.pk])
    assert exports.make(export.pk)
    assert exports.resume() == 0


def test_a_file_is_gone_after_a_week(ali, files, django_capture_on_commit_callbacks):
    export = made(ali)
    with django_capture_on_commit_callbacks(execute=True):
        assert exports.forget_old() == 0
        Export.objects.update(asked_at=clock.now() - exports.KEPT - timedelta(seconds=1))
        assert exports.forget_old() == 1
    assert not list(files.rglob("*.zip"))
    client = Client()
    client.force_login(ali)
    assert client.get(f"{PAGE}{export.pk}/").status_code == 404


def test_an_account_that_closes_takes_its_files_along(
    ali, files, django_capture_on_commit_callbacks
):
    made(ali)
    with django_capture_on_commit_callbacks(execute=True):
        accounts.close_account(ali)
    assert not list(files.rglob("*.zip"))


def test_many_matches_cost_no_more_queries_than_few(ali):
    def cost(matches):
        for _match in range(matches):
            play_on(dealt(players=[ali, person()], target=51))
        export = exports.ask(ali)
        with CaptureQueriesContext(connection) as taken:
            exports.make(export.pk)
        Export.objects.all().delete()
        return len(taken)

    cost(1)  # finds content types and the like
    assert cost(1) == cost(5)
