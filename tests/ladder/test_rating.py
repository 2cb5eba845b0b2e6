"""What results do to ratings and to the ledger."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from games import ports
from games.models import How, Kind, Match, clock
from games.models.appendonly import Immutable
from games.services import play
from ladder import elo
from ladder.models import ChangeKind, Rating, RatingChange
from ladder.services import rating
from tests.factories import a_match, dealt, person, play_on

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


@pytest.mark.parametrize("kind", [Kind.PRACTICE, Kind.CHALLENGE])
def test_other_kinds_change_nothing(kind):
    match = dealt(kind)
    play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
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

    monkeypatch.setattr(rating, "_move", fail)
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


class TestLedger:
    def test_a_row_cannot_be_changed(self, beats):
        beats(person(), person())
        row = RatingChange.objects.first()
        row.after = 3000
        with pytest.raises(Immutable):
            row.save()
        with pytest.raises(Immutable):
            RatingChange.objects.update(after=3000)
        with pytest.raises(Immutable):
            RatingChange.objects.bulk_update([row], ["after"])

    def test_a_row_cannot_be_deleted(self, beats):
        match = beats(person(), person())
        with pytest.raises(Immutable):
            RatingChange.objects.first().delete()
        with pytest.raises(Immutable):
            RatingChange.objects.filter(match=match).delete()

    def test_one_result_for_a_match_and_player(self, beats):
        beats(person(), person())
        row = RatingChange.objects.first()
        row.pk, row._state.adding = None, True
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()

    def test_a_later_row_names_the_one_it_refers_to(self, beats):
        match = beats(person(), person())
        first = RatingChange.objects.first()
        fields = {
            "player": first.player,
            "opponent": first.opponent,
            "match": match,
            "before": first.after,
            "after": first.before,
            "created_at": first.created_at,
            "kind": ChangeKind.ANNULMENT,
        }
        RatingChange.objects.create(**fields, refers_to=first)
        with pytest.raises(IntegrityError), transaction.atomic():
            RatingChange.objects.create(**fields)


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

    def test_a_house_player_has_none(self):
        match = dealt(Kind.PRACTICE)
        computer = match.seats.get(seat=1).player
        assert ports.standing([computer], match)[computer.pk].rating is None

    def test_a_rating_stops_being_provisional_with_the_tenth_match(self, rated):
        nine, ten = rated(won=9), rated(won=10)
        found = ports.standing([nine, ten])
        assert (found[nine.pk].provisional, found[ten.pk].provisional) == (True, False)
