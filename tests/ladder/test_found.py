"""Nobody alone is stuck: who waits for a ranked match may practise, and is asked when somebody
comes."""

from datetime import timedelta

import pytest

from games.models import (
    Block,
    Kind,
    Lease,
    Match,
    Notification,
    Outage,
    Player,
    PlayerKind,
    Pulse,
    clock,
)
from games.selectors.matches import LIVE
from games.services import play, presence, publish
from games.services.errors import Refused
from ladder import tasks
from ladder.models import Found, Lapse, Missed, QueueEntry, RankedPause, What
from ladder.selectors.waiting import place_of
from ladder.services import pairing
from tests.factories import a_match, dealt, house, person

pytestmark = pytest.mark.django_db

BAR = {"HX-Request": "true", "HX-Target": "waiting-bar"}


def practises(player: Player, kind: str = Kind.PRACTICE) -> Match:
    """Let ``player`` sit at the open table of a match that is not ranked."""
    other = house() if kind == Kind.PRACTICE else person()
    match = dealt(kind, [player, other])
    presence.arrive(channel=f"practice of {player.pk}", match_id=match.id, seat=0)
    return match


@pytest.fixture
def two(later):
    """One who practises while waiting, and one who has just come: found for each other."""
    busy, free = person("Nour"), person("Omar")
    practises(busy)
    pairing.enter_queue(busy)
    later(5)
    assert pairing.enter_queue(free) is None
    return busy, free


def ranked() -> list[Match]:
    return list(Match.objects.filter(kind=Kind.RANKED, status__in=LIVE))


def waiting() -> set[Player]:
    return {entry.player for entry in QueueEntry.objects.select_related("player")}


def bar(client, player, path="/ranked/bar/", post=False, **how):
    """What the bar of every page says to ``player``."""
    client.force_login(player)
    answer = (client.post if post else client.get)(path, headers=BAR, **how)
    assert answer.status_code == 200
    return answer


class TestAsking:
    def test_without_practice_the_match_begins_at_once(self, later):
        one, two = person(), person()
        pairing.enter_queue(one)
        assert pairing.enter_queue(two) in ranked()
        assert not Found.objects.exists()

    def test_who_practises_is_asked_and_the_other_is_ready(self, two, later):
        busy, free = two
        found = Found.objects.get()
        assert ranked() == []
        assert (found.is_ready(busy.pk), found.is_ready(free.pk)) == (False, True)
        assert found.until == later(5) + timedelta(seconds=15)
        assert waiting() == {busy, free}

    def test_a_practice_match_whose_page_is_closed_hinders_nobody(self, later):
        player = person()
        practises(player)
        pairing.enter_queue(player)
        later(26)  # the lease has lapsed
        assert pairing.enter_queue(person()) in ranked()

    def test_a_practice_match_that_is_over_hinders_nobody(self, later):
        player = person()
        match = practises(player)
        pairing.enter_queue(player)
        play.resign(match_id=match.id, player=player)
        assert pairing.enter_queue(person()) in ranked()

    def test_a_challenge_that_goes_on_is_asked_about_too(self, later):
        player = person()
        practises(player, Kind.CHALLENGE)
        pairing.enter_queue(player)
        assert pairing.enter_queue(person()) is None
        assert Found.objects.exists()

    def test_both_are_asked_where_both_practise(self, later):
        people = [person(), person()]
        for player in people:
            practises(player)
            pairing.enter_queue(player)
        assert [ready for _entry, ready in Found.objects.get().sides] == [False, False]
        assert pairing.accept_found(people[0]) is None
        assert pairing.accept_found(people[1]) in ranked()

    def test_the_task_asks_as_well(self, later):
        busy, far = person(), person()
        practises(busy)
        pairing.enter_queue(busy)
        QueueEntry.objects.create(
            player=far, rating=1700, entered_at=clock.now(), seen_at=clock.now()
        )
        later(20)
        Lease.objects.update(until=clock.now() + timedelta(seconds=9))
        assert pairing.pair() == 0
        assert Found.objects.exists()

    def test_meanwhile_neither_is_paired_with_anybody_else(self, two):
        third = person()
        assert pairing.enter_queue(third) is None
        assert pairing.pair() == 0
        assert waiting() == {*two, third}
        assert Found.objects.count() == 1

    @pytest.mark.django_db(transaction=True)
    def test_both_pages_hear_of_it_after_the_commit(self, later, monkeypatch):
        told = []
        monkeypatch.setattr(publish, "news", lambda player, *topics: told.append((player, topics)))
        busy, free = person(), person()
        practises(busy)
        pairing.enter_queue(busy)
        told.clear()
        pairing.enter_queue(free)
        assert {(busy.pk, ("queue",)), (free.pk, ("queue",))} <= set(told)
        told.clear()
        pairing.leave_queue(busy)
        assert {(busy.pk, ("queue",)), (free.pk, ("queue",))} <= set(told)

    def test_who_is_asked_is_notified_until_it_is_past(self, two, client):
        busy, _free = two
        assert Notification.objects.get(read_at=None).player == busy
        client.force_login(busy)
        assert (
            "is here for a ranked match with you" in client.get("/notifications/").content.decode()
        )
        pairing.leave_queue(busy)
        assert not Notification.objects.filter(read_at=None).exists()


class TestAnswering:
    def test_accepting_begins_the_match(self, two):
        busy, free = two
        match = pairing.accept_found(busy)
        assert ranked() == [match]
        assert {seat.player for seat in match.seats.all()} == {busy, free}
        assert match.pairing.since(0) < match.pairing.since(1)
        assert not QueueEntry.objects.exists()
        assert not Found.objects.exists()

    def test_accepting_twice_leads_to_the_same_match(self, two):
        busy, free = two
        match = pairing.accept_found(busy)
        assert pairing.accept_found(busy) == match
        assert pairing.accept_found(free) == match
        assert ranked() == [match]

    def test_accepting_again_while_the_other_is_asked_changes_nothing(self, two):
        _busy, free = two
        assert pairing.accept_found(free) is None
        assert ranked() == []

    def test_refusing_leaves_the_queue_and_the_other_keeps_the_place(self, two):
        busy, free = two
        since = QueueEntry.objects.get(player=free).entered_at
        assert pairing.leave_queue(busy)
        entry = QueueEntry.objects.get()
        assert (entry.player, entry.entered_at) == (free, since)
        assert (entry.failed_by, entry.failed_how) == (busy, "passed")
        assert not Missed.objects.exists()
        assert not Lapse.objects.exists()
        assert not RankedPause.objects.exists()

    def test_the_other_is_paired_again_at_once(self, two):
        busy, free = two
        third = person()
        pairing.enter_queue(third)
        pairing.leave_queue(busy)
        assert pairing.pair() == 1
        assert {seat.player for seat in ranked()[0].seats.all()} == {free, third}

    def test_the_one_who_is_ready_may_leave_too(self, two):
        busy, free = two
        pairing.leave_queue(free)
        assert waiting() == {busy}
        with pytest.raises(Refused, match="does not wait any more"):
            pairing.accept_found(busy)
        assert waiting() == {busy}

    def test_a_rematch_agreed_on_meanwhile_goes_first(self, two):
        busy, free = two
        third = person()
        pairing.start_ranked([free, third])
        assert waiting() == {busy}
        assert not Found.objects.exists()

    def test_nothing_to_accept_is_said(self, later):
        with pytest.raises(Refused):
            pairing.accept_found(person())


class TestLettingItPass:
    def test_up_to_fifteen_seconds_one_may_answer(self, two, later):
        later(19.9)
        assert pairing.pair() == 0
        assert pairing.accept_found(two[0]) in ranked()

    def test_after_them_the_slow_one_leaves_and_the_ready_one_keeps_the_place(self, two, later):
        busy, free = two
        since = QueueEntry.objects.get(player=free).entered_at
        now = later(20)
        pairing.pair()
        entry = QueueEntry.objects.get()
        assert (entry.player, entry.entered_at, entry.failed_by) == (free, since, busy)
        assert (Missed.objects.get().player, Missed.objects.get().at) == (busy, now)
        assert not RankedPause.objects.exists()

    def test_both_leave_where_neither_answers(self, later):
        for player in (person(), person()):
            practises(player)
            pairing.enter_queue(player)
        later(15)
        pairing.pair()
        assert not QueueEntry.objects.exists()
        assert Missed.objects.count() == 2

    def test_in_an_outage_nothing_passes(self, two, later):
        Pulse.objects.create(name="alive", at=clock.now())
        later(60)
        tasks.pair()
        assert Found.objects.exists()

    def test_what_an_outage_took_is_given_back(self, two, later):
        now = later(60)
        Outage.objects.create(began_at=later(6), ended_at=now, matches=0)
        later(60)
        pairing.pair()
        assert Found.objects.get().until == now + timedelta(seconds=15)
        later(75)
        pairing.pair()
        assert not Found.objects.exists()

    def test_entering_again_forgets_it(self, two, later):
        later(20)
        pairing.pair()
        pairing.leave_queue(two[1])
        pairing.enter_queue(two[0])
        assert not Missed.objects.exists()


class TestLookedAtAgain:
    """What has changed since the two were found counts when the match would begin."""

    def test_a_block(self, two):
        busy, free = two
        Block.objects.create(player=free, other=busy)
        assert pairing.accept_found(busy) is None
        assert pairing.pair() == 0
        assert waiting() == {busy, free}
        assert ranked() == []
        assert not Found.objects.exists()

    def test_a_pause_of_ones_own(self, two, later):
        busy, free = two
        pause(busy)
        with pytest.raises(Refused, match="paused"):
            pairing.accept_found(busy)
        assert waiting() == {free}

    def test_a_pause_of_the_other(self, two):
        busy, free = two
        pause(free)
        assert pairing.accept_found(busy) is None
        assert waiting() == {busy}
        assert ranked() == []

    def test_an_account_closed_meanwhile(self, two):
        busy, free = two
        Player.objects.filter(pk=free.pk).update(kind=PlayerKind.CLOSED)
        assert pairing.accept_found(busy) is None
        assert waiting() == {busy}


def pause(player: Player) -> None:
    other = person()
    match = a_match(players=[player, other])
    play.abort(match_id=match.id, player=player)
    pairing.leave_queue(other)
    lapse = Lapse.objects.filter(player=player, what=What.LEFT).get()
    RankedPause.objects.create(
        player=player,
        lapse=lapse,
        nth=1,
        began_at=clock.now(),
        until=clock.now() + timedelta(minutes=10),
    )


class TestTheBar:
    def test_waiting_on_any_page(self, client, later):
        player = person()
        pairing.enter_queue(player)
        later(65)
        client.force_login(player)
        for path in ("/leaderboard/", practises(player).get_absolute_url()):
            page = client.get(path).content.decode()
            assert 'data-state="waiting"' in page
            assert 'data-waited="65"><bdi dir="ltr">1:05</bdi>' in page
            assert page.count('data-action="leave-queue"') == 1
            assert page.index('id="waiting-bar"') < page.index('id="main"')

    def test_who_does_not_wait_has_an_empty_one_and_strangers_have_none(self, client):
        client.force_login(person())
        assert 'data-state="none"' in client.get("/leaderboard/").content.decode()
        client.logout()
        assert "waiting-bar" not in client.get("/leaderboard/").content.decode()
        assert client.get("/ranked/bar/").status_code == 204

    def test_asking_is_a_sign_of_life(self, client, later):
        player = person()
        pairing.enter_queue(player)
        now = later(80)
        bar(client, player)
        assert QueueEntry.objects.get().seen_at == now

    def test_the_question_and_its_countdown(self, client, two, later):
        busy, free = two
        later(9.5)
        asked = bar(client, busy).content.decode()
        assert "Found: <bdi>Omar</bdi> (1500)! Play?" in asked
        assert 'data-left="11"' in asked
        assert asked.count('data-action="accept-pairing"') == 1
        assert asked.count('data-action="refuse-pairing"') == 1
        assert 'data-say="An opponent is found: Omar. 11 seconds to answer."' in asked
        ready = bar(client, free).content.decode()
        assert "Found, waiting for <bdi>Nour</bdi>" in ready
        assert "accept-pairing" not in ready

    def test_accepting_leads_to_the_table(self, client, two):
        answer = bar(client, two[0], "/ranked/accept/", post=True)
        assert answer["HX-Redirect"] == ranked()[0].get_absolute_url()

    def test_a_page_without_a_socket_is_led_to_the_table_when_it_asks(self, client, two):
        busy, free = two
        match = pairing.accept_found(busy)
        assert bar(client, free, "/ranked/bar/?waits")["HX-Redirect"] == match.get_absolute_url()
        assert "HX-Redirect" not in bar(client, free)

    def test_refusing_stays_where_one_is(self, client, two):
        answer = bar(client, two[0], "/ranked/leave/", post=True)
        assert "HX-Redirect" not in answer
        assert "You have stopped waiting." in answer.content.decode()

    def test_too_late_is_said(self, client, two):
        pairing.leave_queue(two[1])
        said = bar(client, two[0], "/ranked/accept/", post=True).content.decode()
        assert "That opponent does not wait any more." in said
        assert 'data-state="waiting"' in said
        assert waiting() == {two[0]}

    def test_who_did_not_answer_is_told_until_that_is_read(self, client, two, later):
        busy, _free = two
        later(20)
        pairing.pair()
        assert "no answer came from you" in bar(client, busy).content.decode()
        assert "no answer came from you" in client.get("/").content.decode()
        bar(client, busy, "/ranked/leave/", post=True)
        assert 'data-state="none"' in bar(client, busy).content.decode()

    def test_that_is_past_after_ten_minutes(self, client, two, later):
        later(20)
        pairing.pair()
        later(20 + 601)
        assert 'data-state="none"' in bar(client, two[0]).content.decode()

    def test_the_one_who_kept_the_place_is_told_why(self, client, two):
        busy, free = two
        pairing.leave_queue(busy)
        client.force_login(free)
        assert "<bdi>Nour</bdi> was found, and did not come" in client.get("/").content.decode()

    def test_it_costs_one_query_a_page(self, client, two, django_assert_num_queries):
        with django_assert_num_queries(1):
            place = place_of(two[0])
            assert (place.opponent.player, place.state) == (two[1], "found")
        stranger = person()
        with django_assert_num_queries(1):
            assert place_of(stranger).state == "none"

    @pytest.mark.parametrize("path", ["/ranked/accept/", "/ranked/leave/"])
    def test_by_plain_forms(self, client, two, path):
        """Without script, and by who is none of the two."""
        client.force_login(person())
        assert client.post(path).status_code == 303
        assert Found.objects.exists()
        client.force_login(two[0])
        answer = client.post(path)
        assert answer["Location"] == (ranked()[0].get_absolute_url() if ranked() else "/")
        assert client.get(path).status_code == 405

    def test_strangers_are_sent_to_sign_up(self, client, two):
        assert "/accounts/signup/" in client.post("/ranked/accept/")["Location"]
        assert Found.objects.exists()


class TestTheLobby:
    def test_the_question_stands_where_the_button_was(self, client, two):
        busy, free = two
        client.force_login(busy)
        page = client.get("/").content.decode()
        assert page.count('data-action="accept-pairing"') == 1
        assert page.count('data-action="refuse-pairing"') == 1
        assert page.count("btn-primary") == 1
        assert 'id="waiting-bar"' not in page
        client.force_login(free)
        assert "Found, waiting for <bdi>Nour</bdi>" in client.get("/").content.decode()

    def test_who_waits_is_offered_practice_meanwhile(self, client, later):
        player = person()
        pairing.enter_queue(player)
        client.force_login(player)
        page = client.get("/").content.decode()
        assert "Play a practice match while you wait" in page
        assert 'data-action="practice"' in page
