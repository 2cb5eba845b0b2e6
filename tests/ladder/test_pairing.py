"""The queue: who is paired with whom, and who is refused."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Kind, Match, PlayerKind, Status, clock
from games.services import play, publish
from games.services.errors import Refused
from games.services.locks import NotInTransaction
from ladder.models import QueueEntry, What
from ladder.services import pairing
from tests.factories import a_match, dealt, house, person

pytestmark = pytest.mark.django_db


def wait(player, rating=1500, minutes=0):
    """Let ``player`` wait since some minutes ago."""
    since = timezone.now() - timedelta(minutes=minutes)
    return QueueEntry.objects.create(player=player, rating=rating, entered_at=since)


def seats(match):
    return {seat.player for seat in match.seats.select_related("player")}


def press(client, player=None, **how):
    """Press ranked, logged in as ``player``."""
    if player is not None:
        client.force_login(player)
    return client.post(reverse("ladder:ranked"), **how)


class TestEntering:
    def test_alone_one_waits(self):
        player = person()
        assert pairing.enter_queue(player) is None
        assert QueueEntry.objects.get().player == player
        assert not Match.objects.exists()

    def test_pressing_again_keeps_the_place_and_pairs_nobody_with_oneself(self):
        player = person()
        pairing.enter_queue(player)
        since = QueueEntry.objects.get().entered_at
        assert pairing.enter_queue(player) is None
        assert QueueEntry.objects.get().entered_at == since
        assert not Match.objects.exists()

    def test_the_second_is_paired_with_the_first(self):
        one, two = person(), person()
        pairing.enter_queue(one)
        match = pairing.enter_queue(two)
        assert seats(match) == {one, two}
        assert (match.kind, match.target, match.clock) == (Kind.RANKED, 101, "standard")
        assert not QueueEntry.objects.exists()

    def test_the_nearest_rated_is_chosen(self, rated):
        far, near, other = person(), person(), person()
        wait(far, 1800)
        wait(near, 1420)
        wait(other, 1610)
        assert seats(pairing.enter_queue(rated(rating=1500, won=3))) >= {near}
        assert {entry.player for entry in QueueEntry.objects.all()} == {far, other}

    def test_the_own_rating_counts_for_who_is_nearest(self, rated):
        far, near = person(), person()
        wait(near, 1800)
        wait(far, 1420)
        assert near in seats(pairing.enter_queue(rated(rating=1750)))

    def test_of_equally_near_who_waits_longest(self):
        short, long = person(), person()
        wait(short, 1600, minutes=1)
        wait(long, 1400, minutes=2)
        assert long in seats(pairing.enter_queue(person()))

    def test_a_live_ranked_match_is_led_to(self):
        match = dealt()
        player = match.seats.get(seat=0).player
        wait(person())
        assert pairing.enter_queue(player) == match
        assert Match.objects.count() == 1

    def test_a_practice_match_is_no_hindrance(self):
        match = dealt(Kind.PRACTICE)
        assert pairing.enter_queue(match.seats.get(seat=0).player) is None

    def test_who_plays_already_is_not_paired(self):
        match = dealt()
        wait(match.seats.get(seat=0).player)
        assert pairing.enter_queue(person()) is None

    def test_who_may_no_longer_play_leaves_the_queue(self):
        staff, closed = person(is_staff=True), person()
        wait(staff)
        wait(closed)
        closed.kind = PlayerKind.CLOSED
        closed.save()
        player = person()
        assert pairing.enter_queue(player) is None
        assert QueueEntry.objects.get().player == player

    @pytest.mark.django_db(transaction=True)
    def test_both_are_called_after_the_commit(self, monkeypatch):
        called = []
        monkeypatch.setattr(publish, "call_to_table", lambda *call: called.append(call))
        one, two = person(), person()
        pairing.enter_queue(one)
        match = pairing.enter_queue(two)
        assert sorted(called) == sorted([(one.pk, match.id), (two.pk, match.id)])

    @pytest.mark.django_db(transaction=True)
    def test_a_failed_start_leaves_the_queue_as_it_was(self, monkeypatch):
        one = person()
        pairing.enter_queue(one)

        def fail(**_how):
            raise RuntimeError

        monkeypatch.setattr(play, "start", fail)
        with pytest.raises(RuntimeError):
            pairing.enter_queue(person())
        assert QueueEntry.objects.get().player == one

    @pytest.mark.django_db(transaction=True)
    def test_the_queue_is_looked_at_in_a_transaction_only(self):
        with pytest.raises(NotInTransaction):
            pairing.enter_again(person(), timezone.now())


class TestRefusals:
    def test_staff_with_the_reason(self):
        with pytest.raises(Refused, match="Staff don't play ranked"):
            pairing.enter_queue(person(is_staff=True))
        assert not QueueEntry.objects.exists()

    @pytest.mark.parametrize("kind", [PlayerKind.GUEST, PlayerKind.CLOSED])
    def test_guests_and_closed_accounts(self, kind):
        player = person()
        player.kind = kind
        with pytest.raises(Refused):
            pairing.enter_queue(player)

    def test_house_players(self):
        with pytest.raises(Refused):
            pairing.enter_queue(house())

    def test_the_reason_is_on_the_page(self, client):
        response = press(client, person(is_staff=True), follow=True)
        assert "Staff don&#x27;t play ranked" in response.content.decode()


class TestLeaving:
    def test_only_the_own_entry_goes(self, client):
        mine, other = person(), person()
        wait(mine)
        wait(other)
        client.force_login(mine)
        response = client.post(reverse("ladder:leave-queue"), {"player": other.pk})
        assert (response.status_code, response["Location"]) == (303, "/")
        assert QueueEntry.objects.get().player == other

    def test_a_stranger_removes_nobody(self, client):
        wait(person())
        client.post(reverse("ladder:leave-queue"))
        assert QueueEntry.objects.count() == 1

    def test_leaving_twice_is_harmless(self):
        player = person()
        wait(player)
        assert pairing.leave_queue(player)
        assert not pairing.leave_queue(player)


class TestPressing:
    def test_a_stranger_is_asked_to_sign_up(self, client):
        response = press(client)
        assert response.status_code == 303
        assert response["Location"] == reverse("account_signup") + "?next=%2F"

    def test_waiting_leads_to_the_lobby(self, client):
        response = press(client, person())
        assert (response.status_code, response["Location"]) == (303, "/")

    def test_paired_leads_to_the_table(self, client):
        pairing.enter_queue(person())
        response = press(client, person())
        match = Match.objects.get()
        assert (response.status_code, response["Location"]) == (303, f"/games/{match.id}/")
        assert press(client)["Location"] == f"/games/{match.id}/"
        assert Match.objects.count() == 1

    def test_htmx_is_told_to_load_the_page(self, client):
        response = press(client, person(), headers={"HX-Request": "true"})
        assert (response.status_code, response["HX-Redirect"]) == (200, "/")

    @pytest.mark.parametrize("name", ["ladder:ranked", "ladder:leave-queue"])
    def test_looking_changes_nothing(self, client, name):
        client.force_login(person())
        assert client.get(reverse(name)).status_code == 405
        assert not QueueEntry.objects.exists()

    def test_without_the_token_nothing_is_done(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(person())
        assert client.post(reverse("ladder:ranked")).status_code == 403
        assert not QueueEntry.objects.exists()


class TestAbortedBeforeTheDeal:
    """Who gave the seed in time waits again, with the place in the queue; the other does not."""

    def out_of_time(self, match, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: match.deadline + timedelta(seconds=2))
        play.sweep()
        match.refresh_from_db()
        assert match.status == Status.ABORTED

    def ready(self, match, seat):
        player = match.seats.get(seat=seat).player
        play.give_seed(match_id=match.id, player=player, client_seed="ready")
        return player

    @pytest.mark.parametrize("seat", [0, 1])
    def test_who_was_ready_waits_again(self, monkeypatch, seat):
        match = a_match()
        player = self.ready(match, seat)
        self.out_of_time(match, monkeypatch)
        entry = QueueEntry.objects.get()
        assert (entry.player, entry.entered_at) == (player, match.created_at)

    def test_and_is_paired_at_once_with_who_waits(self, monkeypatch):
        match = a_match()
        player = self.ready(match, 0)
        other = person()
        wait(other)
        self.out_of_time(match, monkeypatch)
        new = Match.objects.get(status=Status.STARTING)
        assert seats(new) == {player, other}
        assert not QueueEntry.objects.exists()

    def test_nobody_was_ready_nobody_waits(self, monkeypatch):
        self.out_of_time(a_match(), monkeypatch)
        assert not QueueEntry.objects.exists()

    @pytest.mark.parametrize("seat", [0, 1])
    def test_who_left_is_not_put_back_and_the_other_is(self, seat):
        match = a_match()
        players = [self.ready(match, 0), match.seats.get(seat=1).player]
        play.abort(match_id=match.id, player=players[seat])
        entry = QueueEntry.objects.get()
        assert entry.player == players[1 - seat]
        assert (entry.failed_by, entry.failed_how) == (players[seat], What.LEFT)

    def test_a_seed_is_a_sign_of_life(self, monkeypatch):
        for seat, seen in ((0, "finished_at"), (1, "created_at")):
            match = a_match()
            self.ready(match, 0)
            left = match.seats.get(seat=1 - seat).player
            play.abort(match_id=match.id, player=left)
            match.refresh_from_db()
            entry = QueueEntry.objects.get()
            assert entry.seen_at == getattr(match, seen)
            entry.delete()

    def test_the_old_place_is_kept_through_two_failures(self, later):
        one, two, three = person(), person(), person()
        pairing.enter_queue(one)
        since = QueueEntry.objects.get().entered_at
        later(20)
        first = pairing.enter_queue(two)
        later(25)
        play.abort(match_id=first.id, player=two)
        assert QueueEntry.objects.get().entered_at == since
        second = pairing.enter_queue(three)
        play.abort(match_id=second.id, player=three)
        assert QueueEntry.objects.get().entered_at == since

    def test_who_may_no_longer_play_is_not_put_back(self, monkeypatch):
        match = a_match()
        player = self.ready(match, 0)
        player.is_staff = True
        player.save()
        self.out_of_time(match, monkeypatch)
        assert not QueueEntry.objects.exists()

    def test_other_kinds_have_no_queue(self, monkeypatch):
        match = a_match(Kind.CHALLENGE)
        self.ready(match, 0)
        self.out_of_time(match, monkeypatch)
        assert not QueueEntry.objects.exists()
