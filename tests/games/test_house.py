"""The house players as people meet them: a name, a face, a line, and always called computers."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from games.models import Kind, Level, Player, PlayerKind
from games.names import is_reserved
from games.selectors import house as selected
from games.selectors.record import record_of
from games.services import play
from games.services.house import NAMES, seat_house_players
from tests.factories import dealt, house, person

pytestmark = pytest.mark.django_db


def test_there_is_one_for_each_level_weakest_first():
    found = selected.players()
    assert [(player.level, place) for player, place in found] == [
        (level, place) for place, level in enumerate(Level.values, start=1)
    ]
    assert [player.name for player, _place in found] == [NAMES[level] for level in Level]
    assert len({str(player.house_line) for player, _place in found}) == len(Level)


def test_seating_them_again_changes_nothing():
    before = list(Player.objects.order_by("pk").values())
    seat_house_players()
    assert list(Player.objects.order_by("pk").values()) == before


@pytest.mark.parametrize("taken", ["Maallem", "MAALLEM", "Maa11em"])
def test_who_had_the_name_first_keeps_it(taken):
    house(Level.MASTER).delete()
    owner = person(taken)
    seat_house_players()
    owner.refresh_from_db()
    assert (owner.name, owner.kind) == (taken, PlayerKind.PERSON)
    assert house(Level.MASTER).name == "Maallem-2"
    assert not house(Level.MASTER).has_usable_password()


def test_every_level_has_a_face():
    sheet = (Path(settings.BASE_DIR) / "static" / "portraits.svg").read_text()
    assert re.findall(r'<symbol id="portrait-(\w+)"', sheet) == Level.values
    assert "url(" not in sheet  # drawn from outside by <use>, under the policy
    assert "style" not in sheet


def test_the_lobby_shows_faces_names_and_lines(client):
    page = client.get("/").content.decode()
    for player, _place in selected.players():
        assert f"portraits.svg#portrait-{player.level}" in page
        assert f"<bdi>{player.name}</bdi>" in page
        assert player.house_line in page


@pytest.mark.parametrize("level", Level.values)
def test_table_and_page_show_the_face_and_say_computer(client, level):
    me = person()
    client.force_login(me)
    match = dealt(Kind.PRACTICE, players=[me, house(level)])
    for address in (match.get_absolute_url(), house(level).get_absolute_url()):
        page = client.get(address).content.decode()
        assert page.count(f"portraits.svg#portrait-{level}") == 1
        assert "computer</span>" in page


def test_who_would_challenge_one_is_told_what_it_is(client):
    client.force_login(person())
    page = client.get(f"/challenges/new/?to={house(Level.EXPERT).name}").content.decode()
    assert "portraits.svg#portrait-expert" in page
    assert "computer</span>" in page
    assert house(Level.EXPERT).house_line in page


@pytest.fixture
def in_arabic():
    with translation.override("ar"):
        yield


@pytest.mark.usefixtures("in_arabic")
def test_in_arabic_they_have_arabic_names_but_in_records():
    them = [player for player, _place in selected.players()]
    assert [one.shown_name for one in them] == ["بندق", "صباح", "الأستاذ", "الهانم", "المعلّم"]
    for one in them:
        assert Player.objects.called(one.shown_name) == Player.objects.called(one.name) == one
        assert is_reserved(one.shown_name)
    me = person()
    match = play.resign(match_id=dealt(Kind.PRACTICE, [me, them[4]]).id, player=me)
    assert record_of(match)["players"] == [me.name, "Maallem"]


@pytest.mark.usefixtures("in_arabic")
def test_who_is_called_like_one_in_arabic_is_found_first():
    owner = person("صباح")
    assert Player.objects.called("صباح") == owner


def test_a_person_has_no_line():
    assert person().house_line == ""
