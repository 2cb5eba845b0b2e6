"""``recompute_ratings``: the ledger is the truth, and what differs from it is found."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.models import Match
from ladder.models import Rating, RatingChange
from tests.factories import person

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


def tamper(**fields):
    """Change a row of the ledger behind the models' back."""
    row = RatingChange.objects.order_by("id")[2]
    ((name, value),) = fields.items()
    with connection.cursor() as cursor:
        table = RatingChange._meta.db_table
        cursor.execute(f"UPDATE {table} SET {name} = %s WHERE id = %s", [value, row.pk])
    return row


def test_clean_with_and_without_matches(season):
    assert "agrees" in check()


def test_clean_on_an_empty_ladder():
    assert "agrees" in check()


@pytest.mark.parametrize("field", ["rating", "matches", "won", "lost"])
def test_a_tampered_rating_is_found_and_rebuilt(season, field):
    before = Rating.objects.filter(player=season[0]).values().get()
    Rating.objects.filter(player=season[0]).update(**{field: before[field] + 7})
    assert f"player {season[0].pk}," in findings()
    assert Rating.objects.filter(player=season[0]).values().get() != before
    call_command("recompute_ratings", stdout=io.StringIO())
    assert Rating.objects.filter(player=season[0]).values().get() == before
    check()


def test_a_lost_rating_is_found_and_rebuilt(season):
    was = Rating.objects.get(player=season[1])
    was.delete()
    assert f"player {season[1].pk}," in findings()
    call_command("recompute_ratings", stdout=io.StringIO())
    assert Rating.objects.get(player=season[1]).rating == was.rating


def test_a_rating_without_a_ledger_is_found(rated):
    player = rated(rating=1900, won=12)
    assert f"player {player.pk}," in findings()


@pytest.mark.parametrize("field", ["after", "before", "k"])
def test_a_tampered_ledger_is_found_and_left_alone(season, field):
    row = tamper(**{field: 1234})
    assert f"change {row.pk}:" in findings()
    with pytest.raises(CommandError):
        call_command("recompute_ratings", stdout=io.StringIO())
    assert getattr(RatingChange.objects.get(pk=row.pk), field) == 1234


def test_a_result_that_is_not_in_the_ledger_is_found(season):
    match = Match.objects.first()
    with connection.cursor() as cursor:
        table = RatingChange._meta.db_table
        cursor.execute(f"DELETE FROM {table} WHERE match_id = %s", [match.pk])
    assert f"match {match.pk}: not in the ledger" in findings()
