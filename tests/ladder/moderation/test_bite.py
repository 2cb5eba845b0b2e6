"""Where each measure bites, at once and everywhere, and where it does not."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import How, Kind, Match, Status, Unrated
from games.services import challenges, play, publish, renaming, talk
from games.services.errors import Refused
from ladder.models import Badge, Measure, QueueEntry, Rating, Reason, Role, Season, SeasonPlace
from ladder.selectors import leaderboard, profile, seasons
from ladder.selectors import sanctions as selector
from ladder.services import board, pairing, recompute, sanctions, sitting
from tests.factories import a_match, dealt, house, person, play_on, staff

pytestmark = pytest.mark.django_db
KINDS = list(Kind)


@pytest.fixture
def boss():
    return staff(Role.SENIOR)


@pytest.fixture
def impose(boss):
    def do(player, measure, **how):
        made = sanctions.impose(boss, player, measure, **{"reason": Reason.OTHER, **how})
        player.refresh_from_db()
        return made

    return do


@pytest.fixture
def read(impose):
    """Imposes, and the player has acknowledged it."""

    def do(player, measure, **how):
        made = impose(player, measure, **how)
        sanctions.acknowledge(made, player)
        player.refresh_from_db()
        return made

    return do


@pytest.fixture
def ended(monkeypatch):
    """The players whose sockets have been closed."""
    seen: list[int] = []
    monkeypatch.setattr(publish, "end_sessions", seen.append)
    return seen


def may_sit(player) -> set[str]:
    return {kind for kind in KINDS if sitting.may_sit(player, kind).allowed}


class TestSittingAndSpeaking:
    @pytest.mark.parametrize(
        ("measure", "seats", "voice"),
        [
            (Measure.WARNING, set(KINDS), True),
            (Measure.MUTE, set(KINDS), False),
            (Measure.PAUSE, {Kind.PRACTICE, Kind.CHALLENGE}, True),
            (Measure.OFF_BOARD, set(KINDS), True),
            (Measure.RENAME, set(KINDS), True),
            (Measure.CHEAT, {Kind.PRACTICE, Kind.CHALLENGE}, True),
            (Measure.SUSPENSION, set(), False),
            (Measure.CLOSURE, set(), False),
        ],
    )
    def test_what_each_measure_keeps_from_a_player(self, impose, boss, measure, seats, voice):
        player = person()
        made = impose(player, measure)
        assert may_sit(player) == seats
        assert sitting.may_speak(player).allowed == voice
        sanctions.undo(made, boss, "")
        player.refresh_from_db()
        assert may_sit(player) == set(KINDS)
        assert sitting.may_speak(player).allowed

    def test_a_mute_holds_at_every_table_and_ends_by_itself(self, impose, later):
        player, one, two = person(), person(), person()
        first = dealt(players=[player, one])
        impose(player, Measure.MUTE, days=1 / 144)
        with pytest.raises(Refused, match="cannot write"):
            talk.say(match_id=first.id, player=player, phrase="hello")
        second = dealt(Kind.CHALLENGE, players=[player, two])
        with pytest.raises(Refused, match="cannot write"):
            talk.say(match_id=second.id, player=player, phrase="hello")
        later(minutes=9)
        assert not sitting.may_speak(player).allowed
        later(minutes=11)
        assert sitting.may_speak(player).allowed

    def test_whom_nothing_stands_against_costs_no_query(self, django_assert_num_queries):
        player = person()
        with django_assert_num_queries(0):
            assert sitting.may_speak(player).allowed
            assert selector.state_of(player).is_empty


class TestQueue:
    @pytest.mark.parametrize("measure", selector.NO_RANKED)
    def test_who_waits_is_taken_out_and_does_not_come_back(self, impose, measure):
        player = person()
        pairing.enter_queue(player)
        impose(player, measure)
        assert not QueueEntry.objects.exists()
        with pytest.raises(Refused):
            pairing.enter_queue(player)

    def test_the_others_stay(self, impose):
        player = person()
        pairing.enter_queue(player)
        impose(player, Measure.MUTE)
        assert QueueEntry.objects.filter(player=player).exists()

    def test_who_entered_at_the_same_instant_is_not_paired(self, impose):
        """The entry was written by a request that had asked before the measure was taken."""
        player, other = person(), person()
        impose(player, Measure.SUSPENSION)
        QueueEntry.objects.create(player=player, rating=1500, entered_at=player.date_joined)
        assert pairing.enter_queue(other) is None
        assert not QueueEntry.objects.filter(player=player).exists()
        assert not Match.objects.exists()

    def test_however_many_are_held_they_are_looked_up_at_once(
        self, impose, django_assert_num_queries
    ):
        players = [person() for _player in range(6)]
        for player in players[:4]:
            impose(player, Measure.PAUSE)
        with django_assert_num_queries(1):
            barred = selector.kept_from_ranked(players)
        assert barred == {player.pk for player in players[:4]}
        with django_assert_num_queries(0):
            assert selector.kept_from_ranked(players[4:]) == set()


class TestOffers:
    @pytest.mark.parametrize("measure", selector.SHUT_OUT)
    def test_challenges_and_rematches_are_off(self, impose, beats, measure):
        player, other, third = person(), person(), person()
        over = beats(other, player)
        again = challenges.offer_again(match_id=over.id, player=player)
        got = challenges.offer(
            challenger=third, opponent=player, target=101, clock_preset="standard"
        )
        link = challenges.offer_link(challenger=player, target=101, clock_preset="standard")
        impose(player, measure)
        for offer in (again, got, link):
            offer.refresh_from_db()
            assert offer.answer in ("cancelled", "declined")
        with pytest.raises(Refused):
            challenges.offer(challenger=third, opponent=player, target=101, clock_preset="standard")

    def test_a_pause_takes_the_ranked_ones_alone(self, impose, beats):
        player, other, third = person(), person(), person()
        again = challenges.offer_again(match_id=beats(other, player).id, player=player)
        link = challenges.offer_link(challenger=player, target=101, clock_preset="standard")
        impose(player, Measure.PAUSE)
        again.refresh_from_db()
        link.refresh_from_db()
        assert (again.answer, link.answer) == ("cancelled", "open")
        assert challenges.accept(challenge_id=link.pk, player=third)


class TestRunningMatches:
    def test_lost_at_once_without_a_rating(self, impose):
        player, other = person(), person()
        match = dealt(players=[player, other])
        play_on(match, 5)
        impose(player, Measure.SUSPENSION, running="lost")
        match.refresh_from_db()
        assert (match.status, match.how, match.winner) == (Status.FINISHED, How.SANCTION, 1)
        assert (match.ended_by, match.unrated) == (0, Unrated.SANCTION)
        assert not Rating.objects.filter(matches__gt=0).exists()
        assert recompute.survey().clean

    def test_every_one_of_them(self, impose):
        player = person()
        running = [
            dealt(players=[player, person()]),
            dealt(Kind.CHALLENGE, players=[player, person()]),
            dealt(Kind.PRACTICE, players=[player, house()]),
        ]
        impose(player, Measure.CLOSURE, running="lost")
        hows = Match.objects.filter(pk__in=[match.pk for match in running])
        assert set(hows.values_list("how", flat=True)) == {How.SANCTION}

    def test_nothing_dealt_yet_has_no_result_and_the_other_waits_on(self, impose):
        player, other = person(), person()
        match = a_match(players=[player, other])
        impose(player, Measure.SUSPENSION, running="lost")
        match.refresh_from_db()
        assert (match.how, match.winner, match.unrated) == (How.SANCTION, None, Unrated.SANCTION)
        assert not player.lapses.exists()
        entry = QueueEntry.objects.get()
        assert (entry.player, entry.entered_at) == (other, match.created_at)

    def test_left_to_go_on_the_player_can_finish_it(self, read, client, ended):
        player, other = person(), person()
        match = dealt(players=[player, other])
        read(player, Measure.SUSPENSION)
        client.force_login(player)
        assert client.get(match.get_absolute_url()).status_code == 200
        assert client.post(reverse("games:resign", args=[match.id])).status_code in (200, 302, 303)
        match.refresh_from_db()
        assert (match.how, match.unrated) == (How.RESIGNATION, Unrated.SANCTION)
        assert not Rating.objects.filter(matches__gt=0).exists()
        assert client.get(match.get_absolute_url()).status_code == 303

    def test_a_pause_lets_a_rated_match_be_rated(self, read):
        player, other = person(), person()
        match = dealt(players=[player, other])
        read(player, Measure.PAUSE)
        play.resign(match_id=match.id, player=player)
        match.refresh_from_db()
        assert match.unrated == ""

    def test_the_door_does_nothing_after_the_end_and_knows_who_sits(self, beats):
        winner, loser = person(), person()
        match = beats(winner, loser)
        play.end_by_sanction(match_id=match.id, player=winner)
        match.refresh_from_db()
        assert match.how == How.RESIGNATION
        with pytest.raises(Refused):
            play.end_by_sanction(match_id=match.id, player=person())

    def test_a_match_that_the_queue_began_meanwhile_is_lost_too(self, impose, monkeypatch):
        player, other = person(), person()
        begun = []

        def leave(who):
            """Pairing held the queue: its match is there once the queue is free."""
            begun.append(a_match(players=[player, other]))
            return False

        monkeypatch.setattr(sitting.sanctions, "why_not_sit", lambda player, kind: "")
        monkeypatch.setattr(pairing, "leave_queue", leave)
        impose(player, Measure.SUSPENSION, running="lost")
        begun[0].refresh_from_db()
        assert begun[0].how == How.SANCTION


class TestBoards:
    @pytest.fixture
    def listed(self, rated):
        return [rated(name, 1600 - place, won=12) for place, name in enumerate(("Aa1", "Bb2"))]

    @pytest.mark.parametrize("measure", Measure)
    def test_who_leaves_and_comes_back(self, impose, boss, listed, measure):
        player, other = listed
        made = impose(player, measure)
        off = measure in selector.NO_BOARD
        on_board = [row.player for row in leaderboard.top(9, None)]
        assert on_board == ([other] if off else [player, other])
        assert player not in [row.player for row in leaderboard.others_section(None).rows]
        sanctions.undo(made, boss, "")
        assert [row.player for row in leaderboard.top(9, None)] == [player, other]

    def test_it_is_kept_off_by_the_task_and_by_results(self, impose, listed, beats):
        player, other = listed
        impose(player, Measure.OFF_BOARD)
        beats(player, other)
        board.refresh()
        assert not Rating.objects.get(player=player).listed
        assert board.of_season(Rating.objects.get(player=player).season).count() == 0

    def test_when_it_has_run_out_it_is_there_again(self, impose, listed, later):
        player, _other = listed
        impose(player, Measure.OFF_BOARD, days=1)
        later(days=1, seconds=1)
        sanctions.end_lapsed()
        assert Rating.objects.get(player=player).listed

    def test_before_the_first_match(self, impose, boss):
        player = person()
        made = impose(player, Measure.CHEAT)
        assert profile.profile(player, None).standing.rating.matches == 0
        sanctions.undo(made, boss, "")
        assert recompute.survey().clean

    def test_seasons_and_badges(self, impose, boss, listed):
        player, other = listed
        season = Season.objects.create(
            number=8000,
            began_at=player.date_joined,
            ends_at=player.date_joined,
            frozen_at=player.date_joined,
        )
        for rank, one in enumerate((player, other), 1):
            SeasonPlace.objects.create(
                season=season, player=one, rank=rank, rating=1600, matches=9, won=9, lost=0
            )
        Badge.objects.create(
            season=season, player=player, prize="first", made_at=player.date_joined
        )
        made = impose(player, Measure.CHEAT)
        assert [row.player for row in seasons.table(8000, None).rows] == [other]
        assert profile.profile(player, None).badges == ()
        sanctions.undo(made, boss, "")
        player.refresh_from_db()
        assert len(seasons.table(8000, None).rows) == 2
        assert len(profile.profile(player, None).badges) == 1


class TestSessions:
    @pytest.mark.parametrize("measure", Measure)
    def test_who_is_logged_out(
        self, boss, client, ended, measure, django_capture_on_commit_callbacks
    ):
        player = person()
        client.force_login(player)
        with django_capture_on_commit_callbacks(execute=True):
            sanctions.impose(boss, player, measure, reason=Reason.OTHER)
        shut_out = measure in selector.SHUT_OUT
        assert ended == ([player.pk] if shut_out else [])
        page = client.get("/sanctions/")
        assert (page.status_code == 302) == shut_out
        assert not shut_out or "/accounts/login/" in page.url

    def test_who_is_shut_out_can_log_in_to_read(self, read, client):
        player = person("Nadia")
        player.set_password("long-enough-9")
        player.save()
        made = read(player, Measure.CLOSURE)
        answer = client.post(
            "/accounts/login/", {"login": "Nadia", "password": "long-enough-9"}, follow=True
        )
        assert answer.request["PATH_INFO"] == "/sanctions/"
        assert made.message in answer.content.decode()


OPEN = ["/sanctions/", "/accounts/logout/", "/games/records.jsonl", "/healthz"]
SHUT = ["/", "/leaderboard/", "/settings/", "/accounts/email/", "/people/",
        "/games/", "/notifications/", "/challenges/new/", "/accounts/name/", "/rules/"]  # fmt: skip


class TestBeingLed:
    @pytest.mark.parametrize("measure", Measure)
    def test_every_page_leads_to_what_is_to_be_read(self, impose, client, measure):
        player = person()
        made = impose(player, measure)
        client.force_login(player)
        for address in SHUT:
            answer = client.get(address)
            assert (answer.status_code, answer.url) == (303, "/sanctions/"), address
        for address in OPEN:
            assert client.get(address).status_code == 200, address
        assert client.post("/games/practice/", {"level": "novice"}).url == "/sanctions/"
        assert not Match.objects.exists()
        assert made.message in client.get("/sanctions/").content.decode()

    @pytest.mark.parametrize("measure", Measure)
    def test_once_it_is_read_only_some_are_still_led(self, impose, client, measure):
        player = person()
        made = impose(player, measure)
        client.force_login(player)
        client.post(f"/sanctions/{made.pk}/acknowledge/")
        found = {address: client.get(address) for address in SHUT}
        if measure in selector.SHUT_OUT:
            assert {answer.url for answer in found.values()} == {"/sanctions/"}
        elif measure == Measure.RENAME:
            assert found.pop("/accounts/name/").status_code == 200
            assert {answer.url for answer in found.values()} == {"/accounts/name/"}
        else:
            assert {answer.status_code for answer in found.values()} == {200}

    def test_a_part_of_a_page_leads_its_page(self, impose, client):
        player = person()
        impose(player, Measure.WARNING)
        client.force_login(player)
        answer = client.get("/lobby/mine/", headers={"HX-Request": "true"})
        assert answer["HX-Redirect"] == "/sanctions/"

    def test_a_running_match_is_not_held_up_and_a_bar_says_what_waits(self, impose, client):
        player, other = person(), person()
        match = dealt(players=[player, other])
        impose(player, Measure.WARNING)
        client.force_login(player)
        page = client.get(match.get_absolute_url())
        assert page.status_code == 200
        assert "read it after this match" in page.content.decode()
        part = client.get(f"/games/{match.id}/talk/", headers={"HX-Request": "true"})
        assert part.status_code == 200
        play.resign(match_id=match.id, player=player)
        assert client.get(match.get_absolute_url()).url == "/sanctions/"

    def test_other_tables_are_not_open(self, impose, client):
        player = person()
        match = dealt()
        impose(player, Measure.WARNING)
        client.force_login(player)
        assert client.get(match.get_absolute_url()).url == "/sanctions/"
        assert client.get("/games/nothing/").url == "/sanctions/"

    def test_an_ordinary_page_costs_no_query_and_one_where_something_stands(self, client, read):
        player = person()
        client.force_login(player)

        def asked() -> list[bool]:
            with CaptureQueriesContext(connection) as seen:
                assert client.get("/rules/").status_code == 200
            return ["ladder_sanction" in query["sql"] for query in seen]

        before = asked()
        assert sum(before) == 0
        read(player, Measure.OFF_BOARD)
        after = asked()
        assert sum(after) == 1
        assert len(after) == len(before) + 1

    def test_another_name_is_taken_through_the_page(self, read, client):
        player = person("Badword")
        player.set_password("long-enough-9")
        player.save()
        read(player, Measure.RENAME, reason=Reason.NAME)
        client.force_login(player)
        answer = client.post("/accounts/name/", {"name": "Polite", "password": "long-enough-9"})
        assert answer.status_code == 302
        player.refresh_from_db()
        assert (player.name, player.is_held) == ("Polite", False)
        assert client.get("/").status_code == 200


class TestNameWithheld:
    def test_nobody_reads_it_anywhere(self, impose, beats, rated, client):
        player, other = rated("Badword", 1600, won=12), person()
        match = beats(player, other)
        impose(player, Measure.RENAME)
        number = f"~{player.pk}"
        pages = [
            "/", "/leaderboard/", f"/players/{number}/", match.get_absolute_url(),
            f"/games/{match.id}/record.json", f"/players/{other.name_key}/",
        ]  # fmt: skip
        client.force_login(other)
        pages += ["/games/", "/people/?q=badword", f"/challenges/new/?to={number}"]
        for address in pages:
            answer = client.get(address)
            assert answer.status_code == 200, address
            text = (
                answer.content.decode()
                .lower()
                .replace("q=badword", "")
                .replace('value="badword"', "")
            )
            assert "badword" not in text, address
        assert client.get("/players/~999999999999999999999/").status_code == 404
        assert client.get(f"/players/~{other.pk}/").status_code == 404
        renaming.rename(player=player, name="Polite")
        assert client.get(f"/players/{number}/").status_code == 404

    def test_a_closed_one_has_no_page(self, impose, client, beats):
        player, other = person("Badword"), person()
        match = beats(player, other)
        impose(player, Measure.CLOSURE)
        assert client.get("/players/Badword/").status_code == 404
        page = client.get(match.get_absolute_url()).content.decode()
        assert "closed account" in page
        assert "Badword" not in page
        assert client.get(f"/games/{match.id}/record.json").json()["players"][0] is None


@pytest.mark.parametrize("measure", [Measure.MUTE, Measure.RENAME])
def test_the_text_of_a_profile_is_out_of_sight_while_it_holds(read, boss, client, measure):
    player = person(about="Your mother plays better")
    address = player.get_absolute_url()
    assert "plays better" in client.get(address).content.decode()
    made = read(player, measure)
    page = client.get(player.get_absolute_url())
    assert page.status_code == 200
    assert "plays better" not in page.content.decode()
    sanctions.undo(made, boss, "A line of a film")
    assert "plays better" in client.get(address).content.decode()
