"""Seasons: quarters in UTC, frozen once, with badges; past ones can be browsed."""

from datetime import UTC, datetime

import pytest

from games.models import Notification, clock
from ladder.models import (
    Badge,
    Prize,
    Rating,
    Season,
    SeasonPlace,
    season_bounds,
    season_number,
)
from ladder.selectors import seasons as selector
from ladder.services import seasons
from tests.factories import person
from tests.ladder.test_leaderboard import NEXT, PREVIOUS, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(monkeypatch):
    """Sets the clock: ``at(2026, 12, 31, 23)``."""

    def set_to(*moment: int) -> datetime:
        found = datetime(*moment, tzinfo=UTC)
        monkeypatch.setattr(clock, "now", lambda: found)
        return found

    return set_to


@pytest.fixture
def old_season(at, beats):
    """Three people with 11, 11 and 2 matches in the last quarter of 2026."""
    at(2026, 12, 31, 23)
    one, two, three = person("Amal"), person("Basma"), person("Dina")
    for _match in range(10):
        beats(one, two)
    beats(one, three)
    beats(two, three)
    return one, two, three


def test_a_season_is_a_quarter_in_utc(at):
    assert season_number(at(2026, 12, 31, 23, 59)) + 1 == season_number(at(2027, 1, 1))


def test_a_season_is_frozen_once_by_the_rating_at_its_end(old_season, at, beats):
    one, two, three = old_season
    ratings = {row.player_id: row.rating for row in Rating.objects.all()}
    at(2027, 1, 3)
    beats(two, one)  # of the next season: the old table does not know it
    assert [season.number for season in seasons.turn()] == [8107]  # which nobody had begun
    assert seasons.turn() == []
    places = list(SeasonPlace.objects.order_by("rank").values_list("player", "rank", "rating"))
    assert places == [(one.pk, 1, ratings[one.pk]), (two.pk, 2, ratings[two.pk])]
    assert list(Badge.objects.order_by("pk").values_list("player", "prize")) == [
        (one.pk, Prize.FIRST),
        (two.pk, Prize.TOP_3),
    ]
    assert Notification.objects.filter(player=one, topic="badge").count() == 1
    assert not Notification.objects.filter(player=three, topic="badge").exists()


def test_twelve_at_the_edge_of_a_prize_share_it(db):
    assert [seasons._prize(rank, 200) for rank in (1, 2, 3, 4, 10, 11, 20, 100, 101)] == [
        Prize.FIRST, Prize.TOP_3, Prize.TOP_3, Prize.TOP_10, Prize.TOP_10,
        Prize.TOP_100, Prize.TOP_100, Prize.TOP_100, None,
    ]  # fmt: skip
    assert seasons._prize(150, 1500) == Prize.TENTH


def test_pages_of_the_season(client, old_season, at):
    page = client.get("/leaderboard/season/").content.decode()
    assert [name for name, _rating, _rank in rows(page)] == ["Amal", "Basma"]
    seasons.begin(season_number(clock.now()))
    at(2027, 1, 1)
    assert "the first one is free" in client.get("/leaderboard/season/").content.decode()
    seasons.turn()
    page = client.get("/leaderboard/season/2026-4/").content.decode()
    assert [(name, rank) for name, _rating, rank in rows(page)] == [("Amal", 1), ("Basma", 2)]
    assert "/leaderboard/season/2026-4/" in client.get("/leaderboard/season/").content.decode()
    assert client.get("/leaderboard/season/2025-4/").status_code == 404
    assert client.get("/leaderboard/season/2026-5/").status_code == 404


def test_a_past_season_is_turned_over_by_places(client, at, monkeypatch):
    at(2027, 1, 1)
    monkeypatch.setattr(selector, "PAGE_SIZE", 3)
    began_at, ends_at = season_bounds(8107)
    season = Season.objects.create(
        number=8107, began_at=began_at, ends_at=ends_at, frozen_at=ends_at
    )
    people = [person() for _place in range(10)]
    ranks = [1, 2, 2, 2, 2, 6, 7, 8, 9, 10]
    for player, rank in zip(people, ranks, strict=True):
        SeasonPlace.objects.create(
            season=season, player=player, rank=rank, rating=1600 - rank, matches=10, won=5, lost=5
        )
    names = [player.name for player in people]
    client.force_login(people[8])
    page = client.get("/leaderboard/season/2026-4/").text
    assert [name for name, *_rest in rows(page)] == names[:3] + names[6:]
    onward, seen = "", []
    client.logout()
    for shown in (3, 3, 3, 1):
        page = client.get(f"/leaderboard/season/2026-4/{onward}").text
        seen += [name for name, *_rest in rows(page)]
        assert len(rows(page)) == shown
        onward = (NEXT.search(page) or ["", ""])[1]
    assert seen == names
    back = client.get(f"/leaderboard/season/2026-4/{PREVIOUS.search(page)[1]}").text
    assert [name for name, *_rest in rows(back)] == names[6:9]
    for key in ("x", "--1_2", "9" * 30 + "_1", "1_" + "9" * 30):
        page = client.get(f"/leaderboard/season/2026-4/?after={key}").text
        assert [name for name, *_rest in rows(page)] == names[:3]


def test_a_season_of_nobody(client, at):
    at(2026, 12, 31)
    seasons.turn()
    at(2027, 1, 1)
    seasons.turn()
    assert Season.objects.get(number=8107).frozen_at
    page = client.get("/leaderboard/season/2026-4/").content.decode()
    assert "Nobody finished enough ranked matches" in page
