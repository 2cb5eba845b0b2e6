"""The look for players who play as a program does, with a stand-in for the search."""

import random
from datetime import timedelta

import pytest

from basra_site.celery import app
from games.ai.heuristic import options
from games.ai.search import Thought, Valued
from games.engine import Deal, observe
from games.engine import Play as EnginePlay
from games.models import Match, Review, clock
from games.services import play, reviews, thinking
from ladder.models import Finding, FindingKind, Sanction
from ladder.selectors.moderation import FACTS
from ladder.services import machines
from tests.factories import dealt, person, play_on

pytestmark = pytest.mark.django_db
FEW = 3


def stand_in(seen, *_how) -> Thought:
    """Stands for the search: the play that is written first is best, by ten points."""
    plays = sorted((option.play for option in options(seen)), key=str)
    valued = [Valued(made, 0.0 if place else 10.0, 1) for place, made in enumerate(plays)]
    return Thought(plays[0], tuple(valued), 1)


def as_it(deal: Deal) -> EnginePlay:
    return stand_in(observe(deal, deal.turn)).play


def otherwise(deal: Deal) -> EnginePlay:
    return stand_in(observe(deal, deal.turn)).plays[-1].play


@pytest.fixture(autouse=True)
def few_matches(monkeypatch) -> None:
    assert machines.MATCHES == 20
    monkeypatch.setattr(machines, "MATCHES", FEW)
    monkeypatch.setattr(thinking, "think", stand_in)


def won(player, choose=as_it, pace=(900, 1500), plays=52) -> Match:
    """A ranked match that ``player`` wins after so many plays, with turns of so many ms."""
    match = dealt(players=[player, person()])
    other = match.seats.select_related("player").get(seat=1).player
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "elapsed_ms", lambda *_turn: random.randint(*pace))
        play_on(match, plays, lambda deal: choose(deal) if deal.turn == 0 else deal.legal()[0])
    play.resign(match_id=match.id, player=other)
    return match


def gone_through() -> int:
    """Make the reviews that wait, as the worker does. Returns how many there are."""
    while reviews.resume():
        reviews.make(next(iter(reviews._waiting())))
    return Review.objects.count()


def test_choices_and_pace_of_a_program_over_many_matches_are_a_finding():
    suspect = person()
    matches = [won(suspect) for _match in range(FEW)]
    assert machines.look() == 0
    assert gone_through() == FEW
    assert not Review.objects.exclude(asked_at=None).exists()
    assert machines.look() == 1
    found = Finding.objects.get()
    assert found.kind == FindingKind.MACHINE
    assert list(found.players.all()) == [suspect]
    assert set(found.matches.all()) == set(matches)
    assert set(found.evidence) <= set(FACTS)
    assert (found.evidence["agreed"], found.evidence["given_up"]) == (1.0, 0.0)
    low, middle, high = found.evidence["pace_ms"]
    assert 900 <= low < middle < high <= 1500
    assert not Sanction.objects.exists()
    machines.look()
    assert Finding.objects.count() == 1


@pytest.mark.parametrize(
    "how",
    [{"choose": otherwise}, {"pace": (300, 20_000)}, {"plays": 20}],
    ids=["other choices", "the pace of a person", "matches too short"],
)
def test_either_alone_is_none(how):
    suspect = person()
    for _match in range(FEW):
        won(suspect, **how)
    machines.look()
    gone_through()
    assert machines.look() == 0
    assert not Finding.objects.exists()


def test_what_costs_nothing_is_asked_first(monkeypatch):
    """Of who plays little, loses, or thinks as people do, no match is gone through."""
    won(person())
    slow, loser = person(), person()
    for _match in range(FEW):
        won(slow, pace=(300, 20_000))
        Match.objects.filter(pk=won(loser).pk).update(winner=1)
    machines.look()
    assert not Review.objects.exists()


def test_the_work_of_a_run_is_bounded(monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(machines, "REVIEWS_A_RUN", 2)
    suspects = [person(), person()]
    for suspect in suspects:
        for _match in range(FEW):
            won(suspect)
    with django_assert_max_num_queries(40):
        machines.look()
    assert Review.objects.count() == 2
    for _run in range(2):
        machines.look()
        gone_through()
    assert Review.objects.count() >= 4


def test_everybody_has_a_turn_whatever_their_number(monkeypatch):
    monkeypatch.setattr(machines, "PLAYERS_A_RUN", 1)
    suspects = [person(), person()]
    for suspect in suspects:
        for _match in range(FEW):
            won(suspect)
    now = clock.now()
    seen = set()
    for hour in range(2):
        monkeypatch.setattr(clock, "now", lambda at=now + timedelta(hours=hour): at)
        seen |= {player for player, _rows in machines._winners()}
    assert seen == {suspect.pk for suspect in suspects}


def test_it_is_in_the_timetable():
    entry = app.conf.beat_schedule["look-for-machines"]
    assert entry["task"] == "ladder.tasks.look_for_machines"
