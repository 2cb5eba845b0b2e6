"""What a filter finds is queued once and punishes nobody, wherever people write."""

import pytest
from django.db import transaction
from django.test import Client

from games import ports
from games.models import Match, Player, Utterance, clock
from games.ports import TextKind
from games.services import play, renaming, talk
from ladder.models import Reason, Report, Sanction
from ladder.services import reports
from tests.factories import a_match, dealt, person, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    """Runs what waits for the commit, as a real one would."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def queued(player: Player) -> Report:
    """The one report that a filter has made of ``player``."""
    found = Report.objects.get(suspect=player)
    assert found.reporter is None
    assert not Sanction.objects.exists()
    return found


def speaks(player: Player, match: Match, *lines: str) -> list[Utterance]:
    return [talk.say(match_id=match.id, player=player, text=line) for line in lines]


@pytest.fixture
def two(monkeypatch):
    """Two people at a table who may write there."""
    monkeypatch.setattr(talk, "why_no_text", lambda player: "")
    players = [person(), person()]
    return dealt(players=players), players


def test_talk_is_said_and_queued_with_its_match(two, committed):
    match, (nour, _other) = two
    with committed():
        said = speaks(nour, match, "what an 1d10t")[0]
    assert Utterance.objects.get(pk=said.pk).text == "what an 1d10t"
    report = queued(nour)
    assert (report.reason, report.text, report.match, report.utterance) == (
        Reason.INSULTS, "what an 1d10t", match, said,
    )  # fmt: skip
    assert report.evidence["found"] == ["1d10t"]
    assert report.evidence["where"] == "talk"


def test_a_word_in_two_halves_is_queued_with_both(two, committed):
    match, (nour, other) = two
    with committed():
        speaks(nour, match, "you id", "iot")
    assert queued(nour).evidence["before"] == ["you id"]
    with committed():
        speaks(other, match, "iot")  # the other half was somebody else's
    assert not Report.objects.filter(suspect=other).exists()


def test_the_same_three_times_is_queued(two, committed):
    match, (nour, _other) = two
    with committed():
        speaks(nour, match, "hurry up", "Hurry up!", "hurry  up")
    report = queued(nour)
    assert (report.reason, report.evidence["kinds"]) == (Reason.OTHER, ["repeat"])


def test_a_text_is_queued_once(two, committed):
    match, (nour, _other) = two
    with committed():
        speaks(nour, match, "idiot", "well played", "idiot")
    assert Report.objects.filter(suspect=nour).count() == 1


def test_talk_that_is_rolled_back_is_not_looked_at(two, committed):
    match, (nour, _other) = two
    with committed(), transaction.atomic():
        speaks(nour, match, "idiot")
        transaction.set_rollback(True)
    assert not Report.objects.exists()


def test_a_name_at_sign_up_is_queued(client: Client, committed):
    form = {"username": "FuckYou_77", "password1": "walk the long road"}
    with committed():
        assert client.post("/accounts/signup/", form).status_code == 302
    assert queued(Player.objects.get(name="FuckYou_77")).reason == Reason.NAME


def test_a_new_name_is_queued_and_taken(committed):
    player = person("Nour")
    with committed():
        renaming.rename(player=player, name="Sharmouta")
    assert queued(player).evidence["name"] == "Sharmouta"


def test_the_text_about_oneself_is_queued_and_kept(client: Client, committed):
    player = person()
    client.force_login(player)
    form = {"back": "star", "about": "ابن الكلب", "language": ""}
    with committed():
        assert client.post("/settings/", form).status_code == 302
        assert client.post("/settings/", form).status_code == 302  # unchanged: not looked at again
    player.refresh_from_db()
    assert player.about == "ابن الكلب"
    assert queued(player).evidence["where"] == "profile"


@pytest.mark.parametrize(
    ("seed", "kinds"),
    [("fuck.you", ["insult", "link"]), ("buy-at.example.com", ["link"]), ("lucky-17", None),
     ("fa990ca55fa990ca55fa990ca55fa990", None)],
)  # fmt: skip
def test_a_typed_seed_is_queued_and_counts(seed, kinds, committed):
    match = a_match()
    player = match.seats.select_related("player").first().player
    with committed():
        play.give_seed(match_id=match.id, player=player, client_seed=seed)
    assert match.seats.get(player=player).client_seed == seed
    if kinds is None:
        assert not Report.objects.exists()
    else:
        assert queued(player).evidence["kinds"] == kinds


def test_the_text_of_a_report_is_queued_and_the_report_made(committed):
    reporter, suspect = person(), person()
    with committed():
        made = reports.report(reporter, suspect, Reason.STALLING, "such a malparido")
    assert made.reporter == reporter
    assert queued(reporter).evidence["where"] == "report"


def test_guests_and_house_players_have_no_case():
    guest = person("guest-1x", kind="guest")
    ports.on_text(guest, TextKind.NAME, "idiot")
    assert not Report.objects.exists()


def test_a_moderator_sees_where_it_was_and_what(two, committed, client: Client):
    match, (nour, _other) = two
    with committed():
        speaks(nour, match, "<b>idiot</b>")
    client.force_login(staff("moderator"))
    page = client.get(f"/moderation/cases/{queued(nour).case_id}/").content.decode()
    assert "<mark><bdi>idiot</bdi></mark>" in page
    assert "<b>idiot" not in page


def test_a_filter_that_fails_stops_nobody(two, committed, monkeypatch, caplog):
    match, (nour, _other) = two

    def fails(*_args, **_more):
        raise RuntimeError("a broken list")

    monkeypatch.setitem(ports._filled, "on_text", fails)
    with committed():
        speaks(nour, match, "idiot")
    assert Utterance.objects.filter(player=nour).count() == 1
    assert "a broken list" in caplog.text
    assert nour.date_joined <= clock.now()
