"""Annulments, refunds and their reversal: rows more, and never one taken back."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from games.models import Kind, clock
from games.services import play
from games.services.errors import Refused
from ladder import elo
from ladder.models import ChangeKind, Pool, Rating, RatingChange
from ladder.services import recompute, restitution
from tests.factories import dealt, house, person

pytestmark = pytest.mark.django_db


def told(player) -> tuple[int, int, int, int]:
    row = Rating.objects.get(player=player)
    return row.rating, row.matches, row.won, row.lost


@pytest.fixture
def loss(beats):
    """A match that the second lost to the first, a cheat."""

    def lose(cheat, victim) -> RatingChange:
        return RatingChange.objects.get(match=beats(cheat, victim), player=victim)

    return lose


@pytest.fixture(autouse=True)
def _clean_in_the_end():
    yield
    if not transaction.get_connection().needs_rollback:
        assert recompute.survey().clean


class TestAnnulment:
    def test_gives_back_exactly_what_the_match_changed(self, beats):
        one, two, three = person(), person(), person()
        first = beats(one, two)
        beats(one, three)
        rows = restitution.annul(first)
        assert [(row.player, row.change) for row in rows] == [(one, -16), (two, 16)]
        for row in rows:
            assert (row.kind, row.match, row.refers_to.match) == ("annulment", first, first)
            assert (row.score, row.k, row.pool) == (None, None, Pool.RANKED)
        assert told(two) == (1500, 0, 0, 0)
        rating, *counts = told(one)
        assert counts == [1, 1, 0]
        assert rating == RatingChange.objects.filter(player=one).last().after

    def test_the_floor_does_not_bind_it(self, beats, monkeypatch):
        """Nor does a loss lift who is below it."""
        monkeypatch.setattr(elo, "FLOOR", 1450)
        low = person()
        won = beats(low, person())
        for _match in range(8):
            beats(person(), low)
        assert Rating.objects.get(player=low).rating == 1450
        restitution.annul(won)
        assert Rating.objects.get(player=low).rating == 1450 - 16
        beats(person(), low)
        assert Rating.objects.get(player=low).rating == 1450 - 16
        beats(low, person())
        assert Rating.objects.get(player=low).rating > 1450

    def test_it_counts_for_nothing_any_more(self, beats):
        """Not as a match, an opponent, a peak, a match of the season, nor towards the board."""
        one, *others = (person() for _ in range(4))
        for place in range(9):
            beats(one, others[place % 2])
        last = beats(one, others[2])
        before = Rating.objects.get(player=one)
        assert (before.listed, before.peak, before.opponents) == (True, before.rating, 3)
        restitution.annul(last)
        after = Rating.objects.get(player=one)
        assert (after.matches, after.opponents, after.season_matches) == (9, 2, 9)
        assert (after.peak, after.listed, after.provisional) == (None, False, True)
        assert after.last_at < before.last_at
        beats(one, others[2])
        assert Rating.objects.get(player=one).opponents == 3

    def test_k_goes_by_the_matches_that_stand(self, beats):
        one = person()
        matches = [beats(one, person()) for _ in range(30)]
        restitution.annul(matches[0])
        assert RatingChange.objects.get(match=beats(one, person()), player=one).k == 32
        assert RatingChange.objects.get(match=beats(one, person()), player=one).k == 16

    def test_twice_is_once(self, beats):
        match = beats(person(), person())
        rows = restitution.annul(match)
        assert restitution.annul(match) == rows
        assert RatingChange.objects.filter(kind=ChangeKind.ANNULMENT).count() == 2

    def test_of_a_practice_match(self):
        one, computer = person(), house()
        match = dealt(Kind.PRACTICE, players=[one, computer])
        play.resign(match_id=match.id, player=one)
        (row,) = restitution.annul(match)
        assert (row.player, row.change, row.pool) == (one, 16, Pool.PRACTICE)
        assert told(one) == (1500, 0, 0, 0)

    def test_of_a_match_that_moved_nothing_is_refused(self):
        match = dealt(Kind.CHALLENGE)
        play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
        with pytest.raises(Refused, match="moved no rating"):
            restitution.annul(match)


class TestReversal:
    def test_of_an_annulment_restores_everything(self, beats):
        one, two = person(), person()
        for _match in range(9):
            beats(two, one)
        match = beats(one, two)
        columns = [*recompute.FROM_LEDGER, "listed"]
        before = list(Rating.objects.order_by("id").values(*columns))
        annulments = restitution.annul(match)
        assert list(Rating.objects.order_by("id").values(*columns)) != before
        for annulment in annulments:
            row = restitution.reverse(annulment)
            assert (row.kind, row.refers_to, row.change) == (
                "reversal", annulment, -annulment.change,
            )  # fmt: skip
        assert list(Rating.objects.order_by("id").values(*columns)) == before

    def test_twice_is_once(self, beats):
        annulment, _other = restitution.annul(beats(person(), person()))
        row = restitution.reverse(annulment)
        assert restitution.reverse(annulment) == row
        assert RatingChange.objects.filter(kind=ChangeKind.REVERSAL).count() == 1

    def test_what_was_reversed_is_not_done_again(self, beats, loss):
        match = beats(person(), person())
        for row in restitution.annul(match):
            restitution.reverse(row)
        with pytest.raises(Refused, match="not done again"):
            restitution.annul(match)
        lost = loss(person(), person())
        restitution.reverse(restitution.refund(lost, 5))
        with pytest.raises(Refused, match="not done again"):
            restitution.refund(lost, 5)

    def test_of_a_result_or_a_reversal_is_refused(self, beats):
        match = beats(person(), person())
        annulment, _other = restitution.annul(match)
        for row in (annulment.refers_to, restitution.reverse(annulment)):
            with pytest.raises(Refused, match="Only an annulment or a refund"):
                restitution.reverse(row)


class TestRefund:
    def test_gives_the_loser_back_what_the_cheat_took(self, loss):
        cheat, victim = person(), person()
        lost = loss(cheat, victim)
        row = restitution.refund(lost, 10)
        assert (row.kind, row.refers_to, row.player, row.change) == ("refund", lost, victim, 10)
        assert told(victim) == (1494, 1, 0, 1)
        assert told(cheat) == (1516, 1, 1, 0)

    def test_never_more_than_was_lost(self, loss):
        assert restitution.refund(loss(person(), person()), 99).change == 16

    def test_at_most_150_of_one_cheat_to_one_victim(self, loss):
        cheat, victim, other = person(), person(), person()
        losses = iter([loss(cheat, victim) for _ in range(30)])
        third = loss(other, victim)
        refunds = []
        while sum(row.change for row in refunds) < 150:
            refunds.append(restitution.refund(next(losses), 16))
        assert sum(row.change for row in refunds) == 150
        left = next(losses)
        with pytest.raises(Refused, match="has been"):
            restitution.refund(left, 1)
        assert restitution.refund(third, 3).change == 3
        restitution.reverse(refunds[0])
        assert restitution.refund(left, 1).change == 1

    def test_of_the_last_thirty_days(self, loss, later):
        lost = loss(person(), person())
        later(days=29, hours=23)
        restitution.refund(lost, 1)
        lost = loss(person(), person())
        later(days=59, hours=23, minutes=1)
        with pytest.raises(Refused, match="30 days"):
            restitution.refund(lost, 1)

    def test_twice_is_once(self, loss):
        lost = loss(person(), person())
        row = restitution.refund(lost, 5)
        assert restitution.refund(lost, 7) == row
        assert RatingChange.objects.filter(kind=ChangeKind.REFUND).count() == 1

    def test_it_lifts_no_peak(self, beats, loss):
        cheat, victim = person(), person()
        for _match in range(10):
            beats(victim, person())
        peak = Rating.objects.get(player=victim).peak
        lost = loss(cheat, victim)
        beats(victim, person())
        restitution.refund(lost, -lost.change)
        row = Rating.objects.get(player=victim)
        assert row.rating > row.peak >= peak

    @pytest.mark.parametrize("points", [0, -5])
    def test_of_nothing_is_refused(self, loss, points):
        with pytest.raises(Refused):
            restitution.refund(loss(person(), person()), points)

    def test_of_a_win_or_of_practice_is_refused(self, beats):
        match = beats(person(), person())
        won = RatingChange.objects.get(match=match, score=1)
        practice = dealt(Kind.PRACTICE)
        play.resign(match_id=practice.id, player=practice.seats.get(seat=0).player)
        for row in (won, RatingChange.objects.get(match=practice)):
            with pytest.raises(Refused, match="lost in a ranked match"):
                restitution.refund(row, 5)

    def test_refund_and_annulment_never_give_back_twice(self, loss):
        refunded, annulled = loss(person(), person()), loss(person(), person())
        restitution.refund(refunded, 5)
        with pytest.raises(Refused, match="reverse that first"):
            restitution.annul(refunded.match)
        restitution.annul(annulled.match)
        with pytest.raises(Refused, match="annulled"):
            restitution.refund(annulled, 5)
        restitution.reverse(RatingChange.objects.get(kind=ChangeKind.REFUND))
        assert len(restitution.annul(refunded.match)) == 2


def test_the_database_takes_no_second_row_of_a_kind(beats):
    row, _other = restitution.annul(beats(person(), person()))
    row.pk, row._state.adding = None, True
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save()


def test_a_season_of_all_of_it_is_told_by_the_ledger(beats, later):
    """Wins, defeats, annulments, refunds and reversals in turn; the check after every test finds
    each column as the rows give it."""
    people = [person() for _ in range(4)]
    began = clock.now()
    for place in range(24):
        later(days=5 * place)
        winner, loser = people[place % 4], people[(place * 3 + 1) % 4]
        if winner == loser:
            continue
        match = beats(winner, loser)
        lost = RatingChange.objects.get(match=match, player=loser)
        if place % 5 == 0:
            rows = restitution.annul(match)
            if place % 10 == 0:
                restitution.reverse(rows[0])
                restitution.reverse(rows[1])
        elif place % 4 == 2:
            row = restitution.refund(lost, 4)
            if place % 8 == 2:
                restitution.reverse(row)
    assert clock.now() - began > timedelta(days=100)
