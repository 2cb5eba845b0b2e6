"""Spoiled ranked matches: what counts, how long the pause is, what is told, what forgives."""

from datetime import timedelta

import pytest
from django.urls import reverse

from games.models import How, Kind, Match, Outage, Status, clock
from games.models.appendonly import Immutable
from games.services import accounts, play
from games.services.errors import Refused
from ladder.models import Lapse, QueueEntry, RankedPause, RatingChange, What
from ladder.models.pauses import LONGEST_PAUSE, length
from ladder.selectors import pauses
from ladder.services import pairing, sitting
from tests.factories import a_match, dealt, person, play_on

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def after(later):
    """Moves the clock on from where it is: ``after(seconds=40)``."""
    state = [timedelta(0)]

    def move(**how):
        state[0] += timedelta(**how)
        return later(state[0].total_seconds())

    return move


@pytest.fixture
def no_seed(after):
    """A ranked match to which ``player`` gives no seed."""

    def let_down(player, other=None):
        other = other or person()
        match = a_match(players=[player, other])
        play.give_seed(match_id=match.id, player=other, client_seed="ready")
        after(seconds=32)
        play.sweep()
        pairing.leave_queue(other)
        return Match.objects.get(pk=match.pk)

    return let_down


@pytest.fixture
def clean(after):
    """Ranked matches of ``player`` that end honestly."""

    def end(player, matches=1, loses=False):
        for _match in range(matches):
            other = person()
            match = dealt(players=[player, other])
            after(seconds=1)
            play.resign(match_id=match.id, player=player if loses else other)

    return end


def past(player, *, lapses, after, no_seed):
    """Let ``player`` lapse, each time when the pause before is over."""
    for _lapse in range(lapses):
        no_seed(player)
        pause = pauses.running(player, clock.now())
        if pause:
            after(seconds=(pause.until - clock.now()).total_seconds())


def whats(player):
    return list(Lapse.objects.filter(player=player).values_list("what", flat=True))


class TestWhatCounts:
    def test_no_seed_counts_against_who_gave_none(self, no_seed):
        one, two = person(), person()
        match = no_seed(one, two)
        assert (match.how, match.ended_by) == (How.ABORT, None)
        assert (whats(one), whats(two)) == ([What.NO_SEED], [])
        assert Lapse.objects.get().at == match.finished_at

    def test_both_without_a_seed_lapse_and_nobody_is_put_back(self, after):
        match = a_match()
        after(seconds=32)
        play.sweep()
        assert Lapse.objects.filter(match=match).count() == 2
        assert not QueueEntry.objects.exists()

    def test_leaving_counts_against_who_left(self, later):
        one, two = person(), person()
        match = a_match(players=[one, two])
        play.abort(match_id=match.id, player=two)
        match.refresh_from_db()
        assert match.ended_by == 1
        assert (whats(one), whats(two)) == ([], [What.LEFT])

    def test_running_out_of_time_counts(self, after):
        match = dealt()
        mover, other = (match.seats.get(seat=s).player for s in (match.turn, 1 - match.turn))
        after(minutes=5)
        play.sweep()
        ended = Match.objects.get(pk=match.pk)
        assert (ended.how, ended.ended_by, ended.winner) == (How.TIME, match.turn, 1 - match.turn)
        assert (whats(mover), whats(other)) == ([What.TIME], [])
        assert RatingChange.objects.filter(match=match).count() == 2

    def test_resigning_is_honest(self, clean):
        player = person()
        clean(player, 3, loses=True)
        match = Match.objects.filter(status=Status.FINISHED).first()
        assert match.ended_by == match.seats.get(player=player).seat
        assert not Lapse.objects.exists()

    def test_a_match_to_the_end_is(self):
        match = play_on(dealt(target=51))
        assert (match.how, match.ended_by) == (How.POINTS, None)
        assert not Lapse.objects.exists()

    @pytest.mark.parametrize("kind", [Kind.CHALLENGE, Kind.PRACTICE])
    def test_other_kinds_cost_nothing(self, after, kind):
        for _match in range(3):
            match = a_match(kind)
            play.abort(match_id=match.id, player=match.seats.get(seat=0).player)
        dealt(kind)
        after(days=2)
        play.sweep()
        assert not Lapse.objects.exists()

    def test_closing_the_account_counts_and_puts_the_other_back(self, later):
        one, two = person(), person()
        a_match(players=[one, two])
        accounts.close_account(one)
        assert whats(one) == [What.LEFT]
        assert QueueEntry.objects.get().player == two

    def test_lapses_and_pauses_are_written_once(self, no_seed):
        player = person()
        no_seed(player)
        no_seed(player)
        for row in (Lapse.objects.first(), RankedPause.objects.get()):
            with pytest.raises(Immutable):
                row.save()
            with pytest.raises(Immutable):
                row.delete()


class TestThePause:
    def test_once_costs_nothing(self, no_seed):
        player = person()
        no_seed(player)
        assert not RankedPause.objects.exists()
        assert sitting.may_sit(player, Kind.RANKED).allowed

    def test_the_second_time_costs_ten_minutes(self, no_seed, after):
        player = person()
        no_seed(player)
        match = no_seed(player)
        pause = RankedPause.objects.get()
        assert (pause.player, pause.nth, pause.lapse.match) == (player, 1, match)
        assert (pause.began_at, pause.until) == (match.finished_at, match.finished_at + 10 * MINUTE)
        assert not sitting.may_sit(player, Kind.RANKED).allowed
        after(minutes=10)
        assert sitting.may_sit(player, Kind.RANKED).allowed

    def test_each_next_one_is_twice_as_long(self, no_seed, after):
        player = person()
        past(player, lapses=7, after=after, no_seed=no_seed)
        lengths = [(row.until - row.began_at) / MINUTE for row in RankedPause.objects.all()]
        assert lengths == [10, 20, 40, 80, 160, 320]

    def test_ten_times_in_a_day_is_not_to_be_had(self, no_seed, after):
        player, began = person(), clock.now()
        past(player, lapses=9, after=after, no_seed=no_seed)
        assert clock.now() - began > timedelta(days=1 / 2)
        assert RankedPause.objects.count() == 8

    def test_it_is_never_longer_than_three_days(self):
        assert [length(n) / MINUTE for n in (1, 2, 3)] == [10, 20, 40]
        assert length(9) < LONGEST_PAUSE == length(10) == length(60) == length(1000)
        assert timedelta(days=3) == LONGEST_PAUSE

    def test_what_is_older_than_a_week_is_forgotten(self, no_seed, after):
        player = person()
        no_seed(player)
        after(days=7)
        no_seed(player)
        assert not RankedPause.objects.exists()
        after(days=6)
        no_seed(player)
        assert RankedPause.objects.get().nth == 1

    def test_one_pauses_alone(self, no_seed):
        player, other = person(), person()
        no_seed(player, other)
        no_seed(player, other)
        assert sitting.may_sit(other, Kind.RANKED).allowed

    def test_it_is_from_ranked_play_alone(self, no_seed):
        player = person()
        no_seed(player)
        no_seed(player)
        assert sitting.may_sit(player, Kind.PRACTICE).allowed
        assert sitting.may_sit(player, Kind.CHALLENGE).allowed
        assert a_match(Kind.CHALLENGE, [player, person()])
        with pytest.raises(Refused, match="paused"):
            a_match(players=[player, person()])

    def test_who_is_paused_is_not_paired(self, no_seed, later):
        player = person()
        no_seed(player)
        no_seed(player)
        now = clock.now()
        QueueEntry.objects.create(player=player, rating=1500, entered_at=now, seen_at=now)
        other = person()
        assert pairing.enter_queue(other) is None
        assert QueueEntry.objects.get().player == other

    def test_staff_are_told_that_they_are_staff(self, no_seed):
        player = person()
        no_seed(player)
        no_seed(player)
        player.is_staff = True
        assert "Staff" in sitting.may_sit(player, Kind.RANKED).reason
        assert sitting.may_sit(person(is_staff=True), Kind.PRACTICE).allowed


class TestForgiven:
    def test_five_clean_matches_in_a_row_forgive(self, no_seed, clean):
        player = person()
        no_seed(player)
        clean(player, 5)
        no_seed(player)
        assert not RankedPause.objects.exists()

    def test_four_do_not(self, no_seed, clean):
        player = person()
        no_seed(player)
        clean(player, 4)
        no_seed(player)
        assert RankedPause.objects.get().nth == 1

    def test_they_have_to_be_in_a_row(self, no_seed, clean, after):
        player = person()
        no_seed(player)
        clean(player, 3)
        no_seed(player)
        after(minutes=10)
        clean(player, 3)
        no_seed(player)
        assert list(RankedPause.objects.values_list("nth", flat=True)) == [1, 2]

    def test_lost_ones_are_as_clean(self, no_seed, clean):
        player = person()
        no_seed(player)
        clean(player, 5, loses=True)
        no_seed(player)
        assert not RankedPause.objects.exists()

    def test_the_doubling_starts_afresh(self, no_seed, clean, after):
        player = person()
        past(player, lapses=4, after=after, no_seed=no_seed)
        clean(player, 5)
        no_seed(player)
        assert pauses.running(player, clock.now()) is None
        no_seed(player)
        assert pauses.running(player, clock.now()).nth == 1

    def test_practice_forgives_nothing(self, no_seed, later, after):
        player = person()
        no_seed(player)
        for _match in range(5):
            match = dealt(Kind.CHALLENGE, [player, person()])
            after(seconds=1)
            play.resign(match_id=match.id, player=player)
        no_seed(player)
        assert RankedPause.objects.count() == 1

    def test_a_match_that_the_other_spoiled_is_neither(self, no_seed, clean):
        player = person()
        no_seed(player)
        clean(player, 4)
        no_seed(person(), player)
        no_seed(player)
        assert RankedPause.objects.get().player == player


class TestAfterAnOutage:
    def outage(self, **ago):
        end = clock.now() - timedelta(**ago)
        Outage.objects.create(began_at=end - MINUTE, ended_at=end, matches=0)

    def test_nothing_is_counted_for_ten_minutes(self, no_seed, after):
        player = person()
        no_seed(player)
        self.outage(seconds=0)
        after(minutes=9)
        no_seed(player)
        assert len(whats(player)) == 1
        assert not RankedPause.objects.exists()

    def test_time_lost_then_is_not_counted_but_rated(self, after):
        match = dealt()
        after(minutes=5)
        self.outage(minutes=2)
        play.sweep()
        assert not Lapse.objects.exists()
        assert RatingChange.objects.filter(match=match).count() == 2

    def test_the_other_is_put_back_all_the_same(self, after):
        match = a_match()
        player = match.seats.get(seat=0).player
        play.give_seed(match_id=match.id, player=player, client_seed="ready")
        self.outage(seconds=0)
        after(seconds=32)
        play.sweep()
        assert QueueEntry.objects.get().player == player
        assert not Lapse.objects.exists()

    def test_afterwards_it_is(self, no_seed, after):
        player = person()
        self.outage(seconds=0)
        after(minutes=10)
        no_seed(player)
        assert whats(player) == [What.NO_SEED]

    def test_an_uncounted_one_is_not_clean_either(self, no_seed, clean, after):
        people = [person(), person()]
        for player in people:
            no_seed(player)
            clean(player, 4)
        match = dealt(players=people)
        loser, winner = people[match.turn], people[1 - match.turn]
        after(minutes=5)
        self.outage(minutes=1)
        play.sweep()
        assert len(pauses.conduct(loser, clock.now()).lapses) == 1
        assert pauses.conduct(winner, clock.now()).lapses == []


class TestTold:
    def paused(self, no_seed, player=None):
        player = player or person()
        no_seed(player)
        no_seed(player)
        return player

    def lobby(self, client, player, **headers):
        client.force_login(player)
        return client.get("/", headers=headers or None).content.decode()

    def test_the_refusal_has_reason_and_end(self, no_seed):
        player = self.paused(no_seed)
        reason = sitting.may_sit(player, Kind.RANKED).reason
        until = RankedPause.objects.get().until
        assert f"{until:%H:%M} UTC" in reason
        assert "2 ranked matches" in reason
        assert "no seed came from you in time" in reason

    def test_the_lobby_has_it_in_place_of_the_button(self, no_seed, client):
        player = self.paused(no_seed)
        page = self.lobby(client, player)
        pause = RankedPause.objects.get()
        assert 'data-action="ranked"' not in page
        assert f'<time datetime="{pause.until.isoformat()}" data-local>' in page
        assert "2 ranked matches of yours" in page
        assert "5 ranked matches in a row" in page
        assert 'data-action="practice"' in page

    def test_what_the_last_one_was(self, no_seed, later, client):
        player = person()
        no_seed(player)
        match = a_match(players=[player, person()])
        play.abort(match_id=match.id, player=player)
        assert "The last of them you left before the deal." in self.lobby(client, player)

    def test_pressing_by_hand_is_refused_in_words(self, no_seed, client):
        client.force_login(self.paused(no_seed))
        page = client.post(reverse("ladder:ranked"), follow=True).content.decode()
        assert "Ranked play is paused for you until" in page
        assert not QueueEntry.objects.exists()

    def test_when_it_is_over_the_page_has_the_button_again(self, no_seed, client, after):
        player = self.paused(no_seed)
        after(minutes=2)
        page = self.lobby(client, player)
        assert ", load delay:481s" in page
        after(seconds=481)
        page = self.lobby(client, player, **{"HX-Request": "true"})
        assert 'data-action="ranked"' in page
        assert "load delay" not in page

    def test_a_long_one_asks_every_hour(self, no_seed, client, after):
        player = person()
        past(player, lapses=5, after=after, no_seed=no_seed)
        no_seed(player)
        assert ", load delay:3600s" in self.lobby(client, player)

    def test_after_the_first_lapse_the_next_is_warned_of(self, no_seed, clean, client):
        player = person()
        no_seed(player)
        page = self.lobby(client, player)
        assert "In a ranked match no seed came from you in time." in page
        assert "Next time ranked play is paused for you for 10 minutes." in page
        assert "Play 5 more ranked matches" in page
        assert 'data-action="ranked"' in page
        clean(player, 4)
        assert "Play 1 more ranked match to its end" in self.lobby(client, player)
        clean(player)
        assert "forgotten" not in self.lobby(client, player)

    def test_nobody_else_sees_it(self, no_seed, client):
        player = self.paused(no_seed)
        for page in (
            self.lobby(client, person()),
            client.get(player.get_absolute_url()).content.decode(),
        ):
            assert "paused" not in page
            assert "no seed" not in page
