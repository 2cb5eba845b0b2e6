"""What results do to ratings and to the ledger."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import ports
from games.models import How, Kind, Match, Player, PlayerKind, Unrated, clock
from games.services import play, step
from ladder import elo
from ladder.models import Rating, RatingChange, season_number
from ladder.services import rating
from tests.factories import a_match, dealt, house, person, play_on

pytestmark = pytest.mark.django_db


def ratings(*players):
    return [Rating.objects.get(player=player).rating for player in players]


def test_a_result_moves_both_ratings_and_writes_two_rows(beats):
    one, two = person(), person()
    match = beats(one, two)
    assert ratings(one, two) == [1516, 1484]
    won, lost = RatingChange.objects.filter(match=match)
    assert (won.player, won.opponent, won.score, won.before, won.after) == (one, two, 1, 1500, 1516)
    assert (lost.player, lost.opponent, lost.score, lost.before, lost.after) == (
        two,
        one,
        0,
        1500,
        1484,
    )
    for row in (won, lost):
        assert (row.k, row.formula, row.pool, row.kind) == (32, elo.FORMULA, "ranked", "result")
        assert (row.opponent_rating, row.opponent_matches, row.cut, row.code) == (1500, 0, 0, "")
        assert (str(row.expected), row.created_at) == ("0.500000", match.finished_at)


def test_the_second_seat_can_win(beats):
    one, two = person(), person()
    match = dealt(players=[one, two])
    play.resign(match_id=match.id, player=one)
    assert ratings(one, two) == [1484, 1516]


def test_a_match_played_to_its_target_is_rated():
    match = play_on(dealt(target=51))
    assert match.how == How.POINTS
    winner = match.seats.get(seat=match.winner).player
    assert Rating.objects.get(player=winner).won == 1


def test_a_match_lost_on_time_is_rated(monkeypatch):
    match = dealt()
    monkeypatch.setattr(clock, "now", lambda: match.deadline + timedelta(seconds=2))
    play.expire_turn(match_id=match.id)
    assert Match.objects.get(pk=match.pk).how == How.TIME
    assert RatingChange.objects.filter(match=match).count() == 2


def test_an_aborted_match_changes_nothing():
    match = a_match()
    play.abort(match_id=match.id, player=match.seats.get(seat=0).player)
    assert not Rating.objects.exists()
    assert not RatingChange.objects.exists()


def test_told_twice_it_rates_once(beats):
    one, two = person(), person()
    match = beats(one, two)
    with transaction.atomic():
        ports.on_finished(match)
    assert ratings(one, two) == [1516, 1484]
    assert RatingChange.objects.count() == 2


def test_result_and_ratings_are_one(monkeypatch):
    """If the ladder cannot write, the match hasn't ended either."""
    match = dealt()

    def fail(*_args):
        raise RuntimeError

    monkeypatch.setattr(rating, "_have_met", fail)
    with pytest.raises(RuntimeError):
        play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
    assert not Match.objects.get(pk=match.pk).is_over


def test_each_side_has_its_own_k(rated, beats):
    newcomer, veteran = rated(won=29), rated(won=20, lost=10)
    match = beats(newcomer, veteran)
    assert [row.k for row in RatingChange.objects.filter(match=match)] == [32, 16]
    assert ratings(newcomer, veteran) == [1516, 1492]
    assert [row.k for row in RatingChange.objects.filter(match=beats(newcomer, veteran))] == [
        16,
        16,
    ]


def test_nobody_falls_under_the_floor(rated, beats):
    low, high = rated(rating=104), rated(rating=104)
    beats(high, low)
    assert ratings(high, low) == [120, 100]
    assert RatingChange.objects.get(player=low).change == -4


def test_each_before_is_the_after_before_it(rated, beats):
    one, two, three = person(), person(), person()
    for winner, loser in [(one, two), (three, one), (one, two), (two, one)]:
        beats(winner, loser)
    rows = list(RatingChange.objects.filter(player=one))
    assert [row.before for row in rows[1:]] == [row.after for row in rows[:-1]]


def test_a_match_scored_late_takes_the_ratings_of_the_moment(rated, beats):
    """Those at its start are past: a match that began first and ends last comes last."""
    one, two, three = rated(rating=1500, won=40), rated(rating=1500, won=40), person()
    slow = dealt(players=[one, two])
    beats(one, three)
    before = Rating.objects.get(player=one)
    play.resign(match_id=slow.id, player=two)
    row = RatingChange.objects.get(match=slow, player=one)
    assert (row.before, row.opponent_rating) == (before.rating, 1500) != (1500, 1500)
    assert RatingChange.objects.get(match=slow, player=two).opponent_rating == before.rating
    assert row.after == elo.new_rating(before.rating, 1500, 1, 16)


class TestReasons:
    """Why a match moved no rating: each says so itself."""

    def reason(self, match: Match) -> str:
        assert not RatingChange.objects.filter(match=match).exists()
        match = Match.objects.get(pk=match.pk)
        assert not rating.counts(match)
        return match.unrated

    def test_a_rated_match_has_none(self, beats):
        assert beats(person(), person()).unrated == ""

    @pytest.mark.parametrize("kind", Kind.values)
    def test_aborted(self, kind):
        match = a_match(kind)
        play.abort(match_id=match.id, player=match.seats.get(seat=0).player)
        assert self.reason(match) == Unrated.ABORTED

    def test_a_challenge(self):
        match = dealt(Kind.CHALLENGE)
        assert match.unrated == Unrated.CHALLENGE
        play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
        assert self.reason(match) == Unrated.CHALLENGE

    def test_the_fourth_of_a_pair(self, beats):
        one, two = person(), person()
        for _match in range(3):
            beats(one, two)
        match = ports.start_ranked([one, two])
        assert match.unrated == Unrated.SAME_PAIR
        for player in (one, two):
            play.give_seed(match_id=match.id, player=player, client_seed="seed")
        play.resign(match_id=match.id, player=two)
        assert self.reason(match) == Unrated.SAME_PAIR

    def test_who_has_become_staff_meanwhile(self):
        match = dealt()
        player = match.seats.get(seat=0).player
        player.is_staff = True
        player.save()
        play.resign(match_id=match.id, player=player)
        assert self.reason(match) == Unrated.STAFF

    def test_staff_does_not_hide_an_earlier_reason(self, beats):
        one, two = person(), person()
        for _match in range(3):
            beats(one, two)
        match = ports.start_ranked([one, two])
        for player in (one, two):
            play.give_seed(match_id=match.id, player=player, client_seed="seed")
        Player.objects.filter(pk=one.pk).update(is_staff=True)
        play.resign(match_id=match.id, player=two)
        assert self.reason(match) == Unrated.SAME_PAIR

    def test_ended_by_a_moderator(self):
        match = dealt()
        with step.step(match.id) as at:
            at.end(How.SANCTION, 0)
        assert self.reason(match) == Unrated.SANCTION

    def test_the_page_says_why(self, client):
        match = dealt(Kind.CHALLENGE)
        one, two = (seat.player for seat in match.seats.all())
        client.force_login(one)
        play.resign(match_id=match.id, player=two)
        page = client.get(match.get_absolute_url()).content.decode()
        assert f'data-unrated="{Unrated.CHALLENGE}"' in page
        assert "challenges are friendly" in page
        match = a_match(players=[one, two])
        play.abort(match_id=match.id, player=two)
        page = client.get(match.get_absolute_url()).content.decode()
        assert f'data-unrated="{Unrated.ABORTED}"' in page


class TestColumns:
    """What is kept of a rating beside the number."""

    def test_peak_begins_when_the_rating_is_no_longer_provisional(self, rated, beats):
        nine, other = rated(rating=1600, won=8), rated(rating=1600, won=20)
        beats(nine, other)
        assert Rating.objects.get(player=nine).peak is None
        beats(nine, other)
        peak = Rating.objects.get(player=nine)
        assert peak.peak == peak.rating
        beats(other, nine)
        assert Rating.objects.get(player=nine).peak == peak.rating

    def test_opponents_are_counted_once(self, beats):
        one, two, three = person(), person(), person()
        for winner, loser in [(one, two), (two, one), (three, one), (one, two)]:
            beats(winner, loser)
        counted = {row.player_id: row.opponents for row in Rating.objects.all()}
        assert counted == {one.pk: 2, two.pk: 1, three.pk: 1}

    def test_a_new_season_begins_from_nothing(self, beats, monkeypatch):
        one, two = person(), person()
        autumn, winter = (
            datetime(2026, 12, 31, 23, 59, tzinfo=UTC),
            datetime(2027, 1, 1, tzinfo=UTC),
        )
        for moment, winner, loser in [(autumn, one, two), (autumn, one, two), (winter, two, one)]:
            monkeypatch.setattr(clock, "now", lambda moment=moment: moment)
            beats(winner, loser)
        row = Rating.objects.get(player=one)
        assert (row.matches, row.won, row.lost, row.last_at) == (3, 2, 1, winter)
        assert (row.season, row.season_matches, row.season_won, row.season_lost) == (
            season_number(winter), 1, 0, 1,
        )  # fmt: skip

    def test_a_match_of_the_old_season_written_late_is_not_of_the_new_one(self):
        row, at = Rating(), datetime(2027, 1, 1, tzinfo=UTC)
        for moment in (at, at - timedelta(seconds=1), at + timedelta(seconds=1)):
            row.take(RatingChange(score=1, after=1500, created_at=moment), new_opponent=True)
        assert (row.matches, row.season_matches, row.season) == (3, 2, season_number(at))
        assert row.last_at == at + timedelta(seconds=1)

    def test_who_is_listed(self, beats):
        """Ten ranked matches against three people, the last within 14 days."""
        one, *others = (person() for _ in range(4))
        for place in range(9):
            beats(one, others[place % 2])
        assert not Rating.objects.get(player=one).listed
        beats(one, others[1])
        assert not Rating.objects.get(player=one).listed
        beats(others[2], one)
        row = Rating.objects.get(player=one)
        assert row.listed
        assert not Rating.objects.get(player=others[2]).listed
        assert row.qualifies(row.last_at + timedelta(days=14, seconds=-1))
        assert not row.qualifies(row.last_at + timedelta(days=14))
        row.player.kind = PlayerKind.CLOSED
        assert not row.qualifies(row.last_at)

    def test_the_number_of_queries_does_not_grow(self, beats):
        """One result more costs the same after many."""

        def cost() -> int:
            match = dealt(players=[one, two])
            with CaptureQueriesContext(connection) as queries:
                play.resign(match_id=match.id, player=two)
            return len(queries)

        one, two = person(), person()
        beats(one, two)
        first = cost()
        for _match in range(12):
            beats(one, person())
        assert cost() == first


class TestStanding:
    def test_of_people_houses_and_a_match(self, beats, django_assert_max_num_queries):
        one, two, new = person(), person(), person()
        match = beats(one, two)
        with django_assert_max_num_queries(2):
            found = ports.standing([one, two, new], match)
        assert (found[one.pk].rating, found[one.pk].change) == (1516, 16)
        assert (found[two.pk].before, found[two.pk].after) == (1500, 1484)
        assert (found[one.pk].k, found[two.pk].k) == (32, 32)
        assert (found[new.pk].rating, found[new.pk].provisional) == (1500, True)
        assert (found[new.pk].change, found[new.pk].k) == (None, None)

    def test_each_side_has_its_own_k(self, beats, rated):
        new, settled = person(), rated(won=30)
        match = beats(new, settled)
        found = ports.standing([new, settled], match)
        assert (found[new.pk].k, found[settled.pk].k) == (32, 16)

    def test_a_house_player_has_none_away_from_its_tables(self):
        computer = house()
        assert ports.standing([computer])[computer.pk].rating is None

    def test_a_rating_stops_being_provisional_with_the_tenth_match(self, rated):
        nine, ten = rated(won=9), rated(won=10)
        found = ports.standing([nine, ten])
        assert (found[nine.pk].provisional, found[ten.pk].provisional) == (True, False)
