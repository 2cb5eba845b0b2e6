"""A server that was away: the time is given back, once, and nobody loses by it."""

from datetime import timedelta

import pytest

from games import tasks
from games.models import Match, Outage, Pulse, Status, clock
from games.selectors.record import record_for
from games.services import outage, play
from tests.factories import a_match, dealt

pytestmark = [pytest.mark.django_db, pytest.mark.services]
MINUTE = timedelta(minutes=1)


@pytest.fixture
def later(monkeypatch):
    """Let the clock go on by so much."""
    real = clock.now
    gone = timedelta()

    def go(by):
        nonlocal gone
        gone += by
        monkeypatch.setattr(clock, "now", lambda: real() + gone)

    return go


def test_the_time_is_given_back_to_deadline_and_turn(later):
    outage.alive()
    match = dealt()
    later(5 * MINUTE)
    row = outage.alive()
    after = Match.objects.get(pk=match.pk)
    assert row.matches == 1
    gap = row.ended_at - row.began_at
    assert gap >= 5 * MINUTE
    assert after.deadline == match.deadline + gap
    assert after.turn_began == match.turn_began + gap
    assert after.version == match.version + 1


def test_the_site_comes_up_again_after_months(later):
    outage.alive()
    match = dealt()
    later(100 * 24 * 60 * MINUTE)
    assert outage.alive().matches == 1
    after = Match.objects.get(pk=match.pk)
    assert after.given_back_ms == play.MOST_MS
    assert after.deadline > clock.now()


def test_without_a_clock_only_the_limit_of_a_day_moves(later):
    outage.alive()
    match = dealt(kind="practice")
    later(5 * MINUTE)
    outage.alive()
    after = Match.objects.get(pk=match.pk)
    assert after.deadline >= match.deadline + 5 * MINUTE
    assert after.given_back_ms == 0


def test_it_is_given_back_once(later):
    outage.alive()
    match = dealt()
    later(MINUTE)
    assert outage.alive()
    assert outage.alive() is None
    assert Outage.objects.count() == 1
    assert Match.objects.get(pk=match.pk).version == match.version + 1


def test_a_short_silence_is_no_outage(later):
    outage.alive()
    later(timedelta(seconds=2.5))
    assert outage.alive() is None


def test_in_an_outage_nobody_runs_out_of_time(later):
    outage.alive()
    match = dealt()
    later(10 * MINUTE)
    tasks.sweep()
    assert Match.objects.get(pk=match.pk).status == Status.PLAYING
    outage.alive()
    tasks.sweep()
    assert Match.objects.get(pk=match.pk).status == Status.PLAYING


def test_a_match_that_waits_for_seeds_waits_on(later):
    outage.alive()
    match = a_match()
    later(MINUTE)
    outage.alive()
    tasks.sweep()
    assert Match.objects.get(pk=match.pk).status == Status.STARTING


def test_after_it_the_clock_runs_on(later):
    outage.alive()
    match = dealt()
    later(5 * MINUTE)
    outage.alive()
    later(timedelta(seconds=100))
    Pulse.objects.update(at=clock.now())
    tasks.sweep()
    assert Match.objects.get(pk=match.pk).status == Status.PLAYING
    later(timedelta(seconds=15))
    Pulse.objects.update(at=clock.now())
    tasks.sweep()
    assert Match.objects.get(pk=match.pk).status == Status.FINISHED


def test_the_record_says_what_was_given_back(later):
    outage.alive()
    match = dealt()
    later(MINUTE)
    outage.alive()
    play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
    assert record_for(match.id, None)["time_given_back_ms"] >= 60_000
