"""``recompute_ratings``: the ledger is the truth, and what differs from it is found."""

import io
import threading
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import ports
from games.models import Kind, Level, Match, Unrated
from games.services import play
from ladder.models import Rating, RatingChange
from ladder.services import recompute, restitution
from ladder.services.rating import FROM_LEDGER
from tests.factories import a_match, dealt, house, person
from tests.triggers import lifted

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(beats):
    """Three people after five matches."""
    one, two, three = person(), person(), person()
    for winner, loser in [(one, two), (three, one), (one, two), (two, three), (one, three)]:
        beats(winner, loser)
    return one, two, three


def check():
    out = io.StringIO()
    call_command("recompute_ratings", "--check", stdout=out)
    return out.getvalue()


def findings():
    """What a failing check prints."""
    out = io.StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("recompute_ratings", "--check", stdout=out)
    assert failure.value.returncode == 1
    return out.getvalue()


def change(place: int, **fields) -> RatingChange:
    """Change a row of the ledger behind the models' and the triggers' back."""
    row = RatingChange.objects.order_by("id")[place]
    ((name, value),) = fields.items()
    with lifted(), connection.cursor() as cursor:
        table = RatingChange._meta.db_table
        cursor.execute(f"UPDATE {table} SET {name} = %s WHERE id = %s", [value, row.pk])
    return row


def delete(*rows: RatingChange) -> None:
    """Take rows out of the ledger, behind every back."""
    with lifted(), connection.cursor() as cursor:
        for row in rows:
            cursor.execute(f"DELETE FROM {row._meta.db_table} WHERE id = %s", [row.pk])


def test_clean_with_and_without_matches(season):
    assert "agrees" in check()


def test_clean_on_an_empty_ladder():
    assert "agrees" in check()


@pytest.mark.parametrize("field", FROM_LEDGER)
def test_a_tampered_rating_is_found_and_rebuilt(season, field):
    before = Rating.objects.filter(player=season[0]).values().get()
    wrong = before[field] + timedelta(days=1) if field == "last_at" else (before[field] or 0) + 7
    Rating.objects.filter(player=season[0]).update(**{field: wrong})
    said = findings()
    assert f"player {season[0].pk}, ranked: {field} " in said
    assert said.count("the ledger gives") == 1
    assert Rating.objects.filter(player=season[0]).values().get() != before
    call_command("recompute_ratings", stdout=io.StringIO())
    assert Rating.objects.filter(player=season[0]).values().get() == before
    check()


def test_rebuilding_lists_who_belongs_on_the_board(beats):
    one, *others = (person() for _ in range(4))
    for place in range(10):
        beats(one, others[place % 3])
    Rating.objects.filter(player=one).update(rating=1, listed=False)
    call_command("recompute_ratings", stdout=io.StringIO())
    assert Rating.objects.get(player=one).listed


def test_a_lost_rating_is_found_and_rebuilt(season):
    was = Rating.objects.get(player=season[1])
    was.delete()
    assert f"player {season[1].pk}," in findings()
    call_command("recompute_ratings", stdout=io.StringIO())
    assert Rating.objects.get(player=season[1]).rating == was.rating


def test_a_rating_without_a_ledger_is_found(rated):
    player = rated(rating=1900, won=12)
    assert f"player {player.pk}," in findings()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("after", 1234),
        ("before", 1234),
        ("k", 16),
        ("expected", "0.123456"),
        ("score", 0),
        ("cut", 3),
        ("code", "capped"),
        ("opponent_rating", 1499),
        ("opponent_rating", None),
        ("pool", "practice"),
        ("created_at", "2026-01-01 00:00:00+00:00"),
    ],
)
def test_a_tampered_ledger_is_found_and_left_alone(season, field, value):
    row = change(2, **{field: value})
    assert f"change {row.pk}:" in findings()
    with pytest.raises(CommandError):
        call_command("recompute_ratings", stdout=io.StringIO())
    assert f"change {row.pk}:" in findings()


def test_a_tampered_count_of_matches_is_found(season):
    """By the opponent's rows, which are what it counts."""
    row = change(2, opponent_matches=5)
    assert f"change {row.pk + 1}: after 1 matches, the opponent's row says 5" in findings()


def test_players_exchanged_are_found(season):
    """Both rows stay as good as they were, and the chains of two others do not."""
    row = change(0, player_id=season[2].pk)
    assert f"change {row.pk}:" in findings()


@pytest.mark.parametrize("kind", ["annulment", "refund", "reversal"])
@pytest.mark.parametrize("field", ["after", "refers_to_id", "match_id", "kind"])
def test_a_tampered_annulment_refund_or_reversal_is_found(season, beats, kind, field):
    lost = RatingChange.objects.filter(score=0).last()
    row = restitution.annul(lost.match)[0] if kind == "annulment" else restitution.refund(lost, 99)
    if kind == "reversal":
        row = restitution.reverse(row)
    check()
    first = RatingChange.objects.first()
    other = {
        "after": row.after + 1,
        "refers_to_id": first.pk,
        "match_id": first.match_id,
        "kind": "reversal" if kind != "reversal" else "annulment",
    }[field]
    place = list(RatingChange.objects.order_by("id")).index(row)
    change(place, **{field: other})
    assert f"change {row.pk}:" in findings()


def test_a_row_that_is_missing_is_found(season):
    rows = list(RatingChange.objects.order_by("id"))
    delete(rows[-1])
    said = findings()
    assert f"change {rows[-2].pk}: the other side of the match does not agree" in said
    assert f"player {rows[-1].player_id}, ranked: rating " in said


def test_a_result_that_is_not_in_the_ledger_is_found(season):
    match = Match.objects.order_by("finished_at").last()
    delete(*RatingChange.objects.filter(match=match))
    assert f"match {match.pk}: not in the ledger" in findings()


def test_a_row_of_a_match_that_moved_none_is_found(season):
    row = RatingChange.objects.first()
    Match.objects.filter(pk=row.match_id).update(unrated=Unrated.SAME_PAIR)
    assert f"change {row.pk}: not what the match says" in findings()


def test_a_winner_exchanged_is_found(season):
    row = RatingChange.objects.first()
    Match.objects.filter(pk=row.match_id).update(winner=1)
    assert f"change {row.pk}: not what the match says" in findings()


def test_unrated_matches_need_no_rows(beats):
    for kind in (Kind.CHALLENGE, Kind.RANKED):
        match = a_match(kind)
        play.abort(match_id=match.id, player=match.seats.get(seat=0).player)
    one, two = person(), person()
    for _match in range(3):
        beats(one, two)
    match = ports.start_ranked([one, two])
    for player in (one, two):
        play.give_seed(match_id=match.id, player=player, client_seed="seed")
    play.resign(match_id=match.id, player=one)
    check()


class TestPractice:
    @pytest.fixture
    def row(self):
        match = dealt(Kind.PRACTICE, players=[person(), house(Level.NOVICE)])
        play.resign(match_id=match.id, player=match.seats.get(seat=1).player)
        check()
        return RatingChange.objects.get(match=match)

    @pytest.mark.parametrize(
        ("field", "value"), [("opponent_rating", 1500), ("after", 1600), ("cut", 1), ("score", 0)]
    )
    def test_a_tampered_row_is_found(self, row, field, value):
        change(0, **{field: value})
        assert f"change {row.pk}:" in findings()

    def test_a_missing_row_is_found(self, row):
        delete(row)
        assert f"match {row.match_id}: not in the ledger" in findings()

    def test_a_tampered_rating_is_rebuilt(self, row):
        Rating.objects.update(rating=2000)
        assert f"player {row.player_id}, practice: rating 2000" in findings()
        call_command("recompute_ratings", stdout=io.StringIO())
        assert Rating.objects.get().rating == row.after


def test_one_player_at_a_time_is_in_memory(season, django_assert_max_num_queries):
    """However many rows and players: the queries are these, and each reads on as it goes."""
    with django_assert_max_num_queries(12):
        assert recompute.survey().clean


@pytest.mark.django_db(transaction=True)
def test_matches_that_end_meanwhile_are_no_difference_and_are_not_held_up(beats, monkeypatch):
    """A check reads one snapshot. On SQLite it takes no write lock for it."""
    one, two = person(), person()
    beats(one, two)
    walk = recompute._by_player

    def end_another(*args):
        yield from walk(*args)
        thread = threading.Thread(target=meanwhile)
        thread.start()
        thread.join()

    def meanwhile():
        beats(two, one)
        connection.close()

    monkeypatch.setattr(recompute, "_by_player", end_another)
    assert recompute.survey().clean
    assert RatingChange.objects.count() == 4
