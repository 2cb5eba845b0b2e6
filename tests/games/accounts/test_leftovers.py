"""After closing: every table filled for one person, and the whole database and all files searched
for what is left of them."""

from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core import mail, serializers
from django.db.models import Model
from django.test import Client

from games.models import (
    Block,
    Challenge,
    Clock,
    Follow,
    FormerName,
    HeldName,
    Kind,
    Match,
    Mute,
    Online,
    Player,
    PlayerKind,
    Topic,
    Utterance,
    clock,
)
from games.services import accounts, challenges, exports, forgetting, notifications, renaming
from ladder.models import (
    Appeal,
    AuditEntry,
    Case,
    Mark,
    Measure,
    Note,
    RatingChange,
    Reason,
    Report,
    Sanction,
)
from ladder.services import sanctions
from tests.factories import dealt, person, play_on, staff
from tests.games.accounts.conftest import FIREFOX, PASSWORD, log_in

pytestmark = pytest.mark.django_db
NAME, FORMER, EMAIL = "Zerzura", "Bahariya", "zerzura@example.org"
ADDRESS = "198.51.100.77"
TEXTS = {
    "about": "I keep a falcon",
    "said": "the tea is cold tonight",
    "reported": "he hid behind a curtain",
    "of me": "Zerzura called me names",
    "evidence": "you are a goat",
    "message": "goats are kinder",
    "appeal": "it was a compliment",
    "note": "seems fond of goats",
    "old": "an older quarrel",
}


@pytest.fixture(autouse=True)
def files(settings, tmp_path) -> Path:
    settings.MEDIA_ROOT = str(tmp_path)
    return tmp_path


@pytest.fixture
def gone(with_second, django_capture_on_commit_callbacks) -> Player:
    """An account with something in every table, closed, and forgotten by the task."""
    player = Player.objects.create_user(FORMER, PASSWORD, email=EMAIL, about=TEXTS["about"])
    fill(player)
    with_second(player)
    with django_capture_on_commit_callbacks(execute=True):
        accounts.close_account(player)
    return player


def fill(player: Player) -> None:
    nour, now = person("Nour"), clock.now()
    for client in (Client(headers={"user-agent": FIREFOX}, REMOTE_ADDR=ADDRESS), Client()):
        log_in(client, FORMER)
    client.post("/games/practice/", {"level": "novice"})
    EmailAddress.objects.create(user=player, email=EMAIL, primary=True, verified=True)
    renaming.rename(player=player, name=NAME)
    player.refresh_from_db()
    accounts.issue_recovery_code(player)
    match = play_on(dealt(players=[player, nour], target=51))
    Utterance.objects.create(match=match, player=player, text=TEXTS["said"], said_at=now)
    for tie in (Follow, Block, Mute):
        tie.objects.create(player=player, other=nour)
        tie.objects.create(player=person(), other=player)
    challenges.offer(challenger=player, opponent=person(), target=101, clock_preset=Clock.FAST)
    notifications.notify(person(), Topic.FOLLOW, by=player)
    notifications.notify(person(), Topic.PAIRING, answer="found", text=NAME)
    notifications.notify(player, Topic.NOTICE, text="for me")
    Online.objects.create(player=player, until=now)
    said = [(nour, "what she said"), (player, TEXTS["said"])]
    case = Case.objects.create(player=player, opened_at=now)
    theirs = Case.objects.create(player=nour, opened_at=now)
    Report.objects.create(
        case=theirs, reporter=player, suspect=nour, reason=Reason.CHEATING, text=TEXTS["reported"],
        made_at=now, match=match,
        evidence={"talk": [{"by": one.pk, "text": text} for one, text in said]},
    )  # fmt: skip
    Report.objects.create(
        case=case, reporter=nour, suspect=player, reason=Reason.INSULTS, text=TEXTS["of me"],
        evidence={"text": TEXTS["evidence"], "name": NAME}, made_at=now,
    )  # fmt: skip
    sanction = sanctions.impose(
        staff("moderator"), player, Measure.MUTE, reason=Reason.INSULTS, message=TEXTS["message"],
        days=60,
    )  # fmt: skip
    Sanction.objects.create(
        player=player, measure=Measure.PAUSE, reason=Reason.INSULTS, message=TEXTS["old"],
        began_at=now, undone_at=now, undone_why=TEXTS["old"],
    )  # fmt: skip
    Appeal.objects.create(sanction=sanction, text=TEXTS["appeal"], made_at=now)
    Note.objects.create(player=player, text=TEXTS["note"], made_at=now)
    kind = ContentType.objects.get_for_model(Player)
    LogEntry.objects.create(
        user=player, content_type=kind, object_id=str(player.pk), object_repr=NAME, action_flag=2
    )
    export = exports.ask(player)
    exports.make(export.pk)


def dump(*besides: type[Model]) -> str:
    """Every row of every table, but for some."""
    models = [model for model in apps.get_models() if model not in besides]
    rows = (row for model in models for row in model._base_manager.all())
    return serializers.serialize("json", rows, ensure_ascii=False).casefold()


def later(**time: int) -> None:
    Player.objects.filter(kind=PlayerKind.CLOSED).update(closed_at=clock.now() - timedelta(**time))
    forgetting.forget_closed()


def left_of_it(files: Path) -> list[str]:
    """What of it is found. In the trail, which nothing erases, a moderator's own reason may stand;
    nothing else may."""
    wanted = [NAME, FORMER, EMAIL, ADDRESS, "Firefox", *TEXTS.values()]
    trail = serializers.serialize("json", AuditEntry.objects.all(), ensure_ascii=False).casefold()
    everywhere = dump(AuditEntry) + trail.replace(TEXTS["message"], "")
    for path in files.rglob("*"):
        everywhere += path.read_bytes().decode("latin-1").casefold() if path.is_file() else ""
    return [text for text in wanted if text.casefold() in everywhere]


def test_the_test_would_find_something(files):
    player = Player.objects.create_user(FORMER, PASSWORD, email=EMAIL, about=TEXTS["about"])
    fill(player)
    assert left_of_it(files) == [NAME, FORMER, EMAIL, ADDRESS, "Firefox", *TEXTS.values()]
    mine = {
        model.__name__
        for model in apps.get_models()
        for field in model._meta.fields
        if field.related_model is Player
        and model._base_manager.filter(**{field.name: player}).exists()
    }
    assert mine >= {
        "Login", "Device", "Export", "FormerName", "RecoveryCode", "EmailAddress", "Seat", "Follow",
        "Block", "Mute", "Challenge", "Notification", "Utterance", "Online", "Rating",
        "RatingChange", "Mark", "Case", "Report", "Sanction", "Note", "LogEntry",
    }  # fmt: skip


def test_at_once_nothing_is_left_by_which_anybody_gets_in_or_is_reached(gone, files):
    left = left_of_it(files)
    for text in (EMAIL, ADDRESS, "Firefox", TEXTS["about"]):
        assert text not in left
    assert not list(files.rglob("*.zip"))


def test_before_its_time_moderators_still_have_what_was_said(gone, files):
    later(days=27)
    assert TEXTS["said"] in left_of_it(files)


def test_within_thirty_days_nothing_is_left(gone, files):
    later(days=28, minutes=1)
    assert left_of_it(files) == []
    assert "what she said" in dump(), "what others said stays as it is"
    assert not Mark.objects.filter(player=gone).exists()
    assert forgetting.forget_closed() == 0


def test_matches_stay_without_a_name(gone):
    later(days=29)
    match = Match.objects.get(kind=Kind.RANKED)
    assert RatingChange.objects.filter(player=gone).exists()
    client = Client()
    record = client.get(f"/games/{match.pk}/record.json").json()
    assert record["players"] == [None, "Nour"]
    page = client.get(f"/games/{match.pk}/").content.decode()
    assert "closed account" in page
    assert NAME not in page
    assert client.get("/players/nour/").status_code == 200
    for path in (f"/players/{NAME}/", f"/players/{FORMER}/", f"/players/closed-{gone.pk}/"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("name", [NAME, FORMER, NAME.upper(), "Zerzura_", "Zerzur4"])
def test_the_name_is_held_as_a_hash_until_it_is_free(gone, name):
    later(days=29)
    client = Client()
    form = {"username": name, "password1": PASSWORD}
    is_taken = client.post("/accounts/signup/", form).status_code == 200
    looks_the_same = name != "Zerzur4"
    assert is_taken == looks_the_same
    HeldName.objects.update(until=clock.now() - timedelta(seconds=1))
    accounts.release_names()
    assert client.post("/accounts/signup/", form).status_code == 302
    assert not HeldName.objects.exists()
    assert not FormerName.objects.exists()


def test_a_name_that_moderators_took_is_never_free(gone):
    FormerName.objects.update(until=None)
    later(days=29)
    HeldName.objects.exclude(until=None).update(until=clock.now() - timedelta(days=1))
    accounts.release_names()
    form = {"username": FORMER, "password1": PASSWORD}
    assert Client().post("/accounts/signup/", form).status_code == 200


def test_the_key_may_be_replaced_meanwhile(gone, settings):
    later(days=29)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"  # noqa: S105
    form = {"username": NAME, "password1": PASSWORD}
    assert Client().post("/accounts/signup/", form).status_code == 200


# Measures


def test_the_next_owner_of_the_name_bears_no_measure(gone):
    later(days=29)
    HeldName.objects.update(until=clock.now() - timedelta(seconds=1))
    accounts.release_names()
    Client().post("/accounts/signup/", {"username": NAME, "password1": PASSWORD})
    fresh = Player.objects.get(name=NAME)
    assert fresh.pk != gone.pk
    assert not Sanction.objects.filter(player=fresh).exists()
    assert Sanction.objects.filter(player=gone, measure=Measure.MUTE).exists()


@pytest.mark.parametrize("days", [0, 29])
def test_who_confirms_the_same_address_bears_it_again(gone, days):
    if days:
        later(days=days)
    back = person("Kharga")
    address = EmailAddress.objects.create(user=back, email=EMAIL.upper(), primary=True)
    assert not Sanction.objects.filter(player=back).exists()
    for _time in range(2):
        confirm(address)
    (measure,) = Sanction.objects.filter(player=back)
    old = Sanction.objects.get(player=gone, measure=Measure.MUTE)
    assert (measure.measure, measure.until) == (old.measure, old.until)


def confirm(address: EmailAddress) -> None:
    """As the link in the letter does."""
    EmailAddress.objects.filter(pk=address.pk).update(verified=False)
    address.refresh_from_db()
    address.send_confirmation(None)
    client = Client()
    path = mail.outbox[-1].body.partition("/accounts/")[2].split()[0]
    client.post(f"/accounts/{path}")
    address.refresh_from_db()
    assert address.verified


def test_challenges_and_old_rows_do_not_stop_it(gone):
    later(days=400)
    assert not Challenge.objects.filter(challenger=gone, match=None).exists()
    gone.refresh_from_db()
    assert (gone.name, gone.name_key, gone.shown_name) == (
        "", f"closed-{gone.pk}", "closed account",
    )  # fmt: skip
    assert accounts.release_names() == 0
