"""The lobby: what is offered to whom, and what waiting looks like."""

from datetime import timedelta

import pytest
from django.urls import reverse

from games.models import Follow, Kind, Level, Match, Online, Status, clock
from games.services import play
from ladder.models import QueueEntry, What
from ladder.services import pairing
from tests.factories import a_match, dealt, person, play_on

pytestmark = pytest.mark.django_db

ASKS = 'hx-trigger="news-queue from:body, every 5s"'


def lobby(client, player=None, htmx=False):
    if player is not None:
        client.force_login(player)
    response = client.get("/", headers={"HX-Request": "true"} if htmx else None)
    assert response.status_code == 200
    return response.content.decode()


def test_a_stranger_may_press_ranked_and_practice(client):
    page = lobby(client)
    assert page.count('data-action="ranked"') == 1
    assert page.count('data-action="practice"') == len(Level)
    for level in Level:
        assert f'data-action="practice" data-level="{level.value}"' in page
    assert page.count('data-action="challenge"') == 1
    assert "leave-queue" not in page


def test_levels_are_said_to_be_computers(client):
    assert lobby(client).count("<small>computer, ") == len(Level)


def test_waiting_survives_a_reload(client):
    player = person()
    client.force_login(player)
    client.post(reverse("ladder:ranked"))
    for _reload in range(2):
        page = lobby(client)
        assert 'data-action="leave-queue"' in page
        assert 'data-action="ranked"' not in page
        assert 'ws-connect="/ws/lobby/"' in page
        assert ASKS in page
    client.post(reverse("ladder:leave-queue"))
    page = lobby(client)
    assert 'data-action="ranked"' in page
    assert ASKS not in page


def test_the_socket_stands_outside_of_what_is_swapped(client):
    player = person()
    pairing.enter_queue(player)
    fragment = lobby(client, player, htmx=True)
    assert fragment.lstrip().startswith("<div")
    assert 'id="queue"' in fragment
    assert "ws-connect" not in fragment
    assert "<html" not in fragment


def test_a_waiting_page_that_asks_is_led_to_the_table(client):
    player = person()
    pairing.enter_queue(player)
    match = pairing.enter_queue(person())
    client.force_login(player)
    response = client.get("/", headers={"HX-Request": "true"})
    assert response["HX-Redirect"] == f"/games/{match.id}/"
    assert "HX-Request" in response["Vary"]


def test_a_reload_while_a_match_is_on_shows_the_way(client):
    match = dealt()
    page = lobby(client, match.seats.get(seat=0).player)
    assert f'href="/games/{match.id}/" data-action="ranked"' in page
    assert page.count('data-action="ranked"') == 1
    assert page.count("btn-primary") == 1


def test_own_matches_say_whose_turn_it_is(client):
    match = dealt()
    mover, other = (match.seats.get(seat=s).player for s in (match.turn, 1 - match.turn))
    assert "your turn" in lobby(client, mover)
    assert "their turn" in lobby(client, other)
    starting = a_match()
    assert "starting" in lobby(client, starting.seats.get(seat=0).player)


def test_what_waits_for_an_answer_comes_before_what_can_wait(client):
    page = lobby(client, person())
    places = ["challenges", "lobby-mine", "lobby-learn", "practice-title"]
    assert sorted(places, key=lambda place: page.index(f'id="{place}"')) == places


def test_somebody_waiting_is_said_to_others_only(client):
    player = person()
    pairing.enter_queue(player)
    assert "Somebody is waiting" in lobby(client)
    assert "Somebody is waiting" not in lobby(client, player)


def test_recent_matches_with_result_points_and_change(client, beats):
    one, two = person(), person()
    match = beats(one, two)
    page = lobby(client, two)
    assert f'href="/games/{match.id}/"' in page
    assert ">lost<" in page
    assert "−16" in page


def test_a_house_player_is_a_computer_in_every_list(client):
    match = dealt(Kind.PRACTICE)
    player = match.seats.get(seat=0).player
    assert lobby(client, player).count("computer") == len(Level) + 1
    play.resign(match_id=match.id, player=player)
    assert lobby(client, player).count("computer") == len(Level) + 1


def test_practice_is_nobody_elses_business(client):
    match = dealt(Kind.PRACTICE)
    assert match.id not in lobby(client)
    assert match.id not in lobby(client, person())


def test_ranked_matches_can_be_watched(client):
    matches = [dealt() for _ in range(6)]
    page = lobby(client)
    assert "6 ranked matches" in page
    assert sum(match.id in page for match in matches) == 5


def test_the_number_of_queries_grows_with_nothing(client, rated, django_assert_max_num_queries):
    player = rated("Nour", 1500, won=6, lost=6)
    for number in range(8):
        rated(rating=1500 + number, won=12)
        match = a_match(players=[player, person()])
        Match.objects.filter(pk=match.pk).update(
            status=Status.FINISHED, winner=0, how="points", finished_at=match.created_at
        )
        dealt()
        dealt(Kind.PRACTICE, [player, person()])
        QueueEntry.objects.create(player=person(), rating=1500, entered_at=match.created_at)
    client.force_login(player)
    with django_assert_max_num_queries(20):
        lobby(client)
    with django_assert_max_num_queries(6):
        lobby(client, htmx=True)


class TestWaiting:
    """The panel says how long, how wide and how many, and what became of the last match."""

    def waits(self, now, seconds, rating=1500, seen=0, **how):
        player = person()
        QueueEntry.objects.create(
            player=player,
            rating=rating,
            entered_at=now - timedelta(seconds=seconds),
            seen_at=now - timedelta(seconds=seen),
            **how,
        )
        return player

    @pytest.mark.parametrize(
        ("seconds", "clock", "width"),
        [
            (0, "0:00", "within 100 points, widening"),
            (12, "0:12", "within 200 points, widening"),
            (34, "0:34", "within 400 points, widening"),
            (35, "0:35", "at any rating"),
            (605, "10:05", "at any rating"),
        ],
    )
    def test_how_long_and_how_wide(self, client, later, seconds, clock, width):
        page = lobby(client, self.waits(later(), seconds), htmx=True)
        assert f'data-waited="{seconds}"><bdi dir="ltr">{clock}</bdi>' in page
        assert width in page

    def test_how_many_others_who_are_still_there(self, client, later):
        now = later()
        player = self.waits(now, 10)
        self.waits(now, 10, rating=2000)
        self.waits(now, 10, rating=2500)
        self.waits(now, 500, rating=3000, seen=91)
        assert '<dd class="num">2</dd>' in lobby(client, player, htmx=True)
        assert "3 people are waiting for opponents now" in lobby(client, person())

    def test_without_script_the_page_comes_anew(self, client, later):
        meta = '<noscript><meta http-equiv="refresh" content="10"></noscript>'
        assert meta in lobby(client, self.waits(later(), 0))
        assert "http-equiv" not in lobby(client, person())

    @pytest.mark.parametrize(
        ("how", "told"), [(What.NO_SEED, "gave no seed"), (What.LEFT, "left before the deal")]
    )
    def test_who_was_put_back_learns_it(self, client, later, how, told):
        other = person("Laila")
        player = self.waits(later(), 40, failed_by=other, failed_how=how)
        for htmx in (True, False):
            page = lobby(client, player, htmx=htmx)
            assert f"Your last match was not started: <bdi>Laila</bdi> {told}." in page
            assert "You kept your place." in page
        assert "not started" not in lobby(client, self.waits(later(), 0))

    def test_through_the_real_doors(self, client):
        one, two = person("Omar"), person()
        match = a_match(players=[one, two])
        play.abort(match_id=match.id, player=one)
        assert "<bdi>Omar</bdi> left before the deal" in lobby(client, two)
        assert "not started" not in lobby(client, one)

    def test_asking_costs_five_queries(self, client, later, django_assert_max_num_queries):
        now = later()
        player = self.waits(now, 40, failed_by=person(), failed_how=What.LEFT)
        for number in range(5):
            self.waits(now, 10, rating=2000 + 300 * number)
        client.force_login(player)
        with django_assert_max_num_queries(5):
            lobby(client, htmx=True)


class TestCompany:
    """Who is here, whom one follows, and how many wait: counted, and of the last minute."""

    def is_here(self, player, seconds=30):
        Online.objects.create(player=player, until=clock.now() + timedelta(seconds=seconds))

    def test_people_are_counted_while_they_are_here(self, client):
        for seconds in (30, 30, -1):
            self.is_here(person(), seconds)
        pairing.enter_queue(person())
        page = lobby(client)
        assert "2 people are here." in page
        assert "1 is waiting for a ranked match." in page

    def test_whom_one_follows_is_shown_while_here_and_can_be_watched(self, client):
        me, away = person(), person("Salma")
        match = dealt(players=[person("Karim"), person()])
        here = match.seats.get(seat=0).player
        self.is_here(here)
        for other in (here, away):
            Follow.objects.create(player=me, other=other)
        client.force_login(me)
        for page in (lobby(client), client.get("/lobby/mine/").content.decode()):
            mine = page[page.index('id="lobby-mine"') :]
            assert "<bdi>Karim</bdi>" in mine
            assert f'id="friend-match-{here.pk}" href="/games/{match.id}/"' in mine
            assert "Salma" not in page

    def test_whom_one_follows_can_be_challenged_where_there_is_nothing_to_watch(self, client):
        me, plays, idle = person(), person("Karim"), person("Salma")
        dealt(players=[plays, person()])
        for other in (plays, idle):
            self.is_here(other)
            Follow.objects.create(player=me, other=other)
        client.force_login(me)
        mine = client.get("/lobby/mine/").content.decode()
        assert f'id="friend-challenge-{idle.pk}" href="/challenges/new/?to={idle.address}"' in mine
        assert f"friend-challenge-{plays.pk}" not in mine
        for name in ("Karim", "Salma"):
            assert f'<span class="vh"> <bdi>{name}</bdi></span>' in mine

    def test_own_matches_are_renewed_by_themselves(self, client):
        match = dealt()
        mover = match.seats.get(seat=match.turn).player
        client.force_login(mover)
        assert "your turn" in client.get("/lobby/mine/").content.decode()
        play_on(match, 1)
        assert "their turn" in client.get("/lobby/mine/").content.decode()

    def test_a_stranger_has_nothing_of_that(self, client):
        assert client.get("/lobby/mine/").status_code == 204
        assert "lobby-mine" not in lobby(client)


@pytest.mark.parametrize("header", ["HX-Boosted", "HX-History-Restore-Request"])
def test_a_boosted_or_restored_request_gets_the_whole_page(client, header):
    answer = client.get("/", headers={"HX-Request": "true", header: "true"})
    assert answer.status_code == 200
    assert b"<!doctype html>" in answer.content
