"""Thinking in a child: it is told what its seat sees, is started again when it dies, and never
holds a match."""

import os
import pickle
import signal
import subprocess
import sys
import time
from random import Random

import pytest

from games import ai
from games.engine import PACK, Deal, NotNow, observe
from games.models import Level, Status
from games.services import play, thinking
from tests.engine.positions import states
from tests.factories import a_match, deal_of, house, person


@pytest.fixture(autouse=True)
def _ends():
    yield
    thinking.close()


def a_view(seed: int = 3, plays: int = 13):
    """What whoever's turn it is sees after so many plays."""
    deal = next(d for d in states(seed, 0) if len(d.history) == plays)
    return observe(deal, deal.turn)


def running() -> list[int]:
    """The process numbers of the children that live."""
    return [one.process.pid for one in thinking._thinkers if one.process is not None]


def is_there(pid: int) -> bool:
    """Does the process live?"""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("level", list(Level))
def test_the_child_plays_what_would_be_played_here(level):
    view = a_view()
    assert thinking.choose(level, view, seed=7) == ai.choose(level, view, Random(7))


def test_only_strong_levels_start_a_child():
    for level in (Level.NOVICE, Level.CASUAL, Level.REGULAR):
        thinking.choose(level, a_view(), seed=1)
    assert running() == []
    thinking.choose(Level.MASTER, a_view(), seed=1)
    assert len(running()) == 1


def test_a_thought_is_that_of_master():
    thought = thinking.think(a_view(), seed=5, iterations=200, least=20)
    assert thought == ai.search.think(a_view(), Random(5), 200, 20)
    assert len(thought.plays) > 1


def test_a_child_that_died_is_started_again():
    thinking.choose(Level.MASTER, a_view(), seed=1)
    (first,) = running()
    os.kill(first, signal.SIGKILL)
    view = a_view()
    for _time in range(2):
        assert thinking.choose(Level.MASTER, view, seed=2) == ai.choose("master", view, Random(2))
    assert running() != [first]


def test_what_takes_too_long_is_killed_and_a_weaker_level_plays(monkeypatch):
    thinking.choose(Level.MASTER, a_view(), seed=1)
    (pid,) = running()
    os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr(thinking, "LIMIT", 0.2)
    view = a_view()
    assert thinking.choose(Level.MASTER, view, seed=2) == ai.choose("expert", view, Random(2))
    assert not is_there(pid)


def test_when_all_are_busy_nobody_waits_for_ever(monkeypatch):
    monkeypatch.setattr(thinking, "LIMIT", 0.05)
    taken = [thinking._free.get() for _one in thinking._thinkers]
    try:
        view = a_view()
        assert thinking.choose(Level.EXPERT, view, seed=2) == ai.choose("regular", view, Random(2))
        with pytest.raises(thinking.NoAnswer):
            thinking.think(view, seed=1, limit=0.05)
    finally:
        for one in taken:
            thinking._free.put(one)


def test_a_fault_in_thinking_is_told_and_the_child_lives_on():
    with pytest.raises(thinking.NoAnswer, match="KeyError"):
        thinking.ask("sing")
    (pid,) = running()
    assert thinking.choose(Level.MASTER, a_view(), seed=1) in ai.greedy.plays(a_view())
    assert running() == [pid]


def test_out_of_turn_is_refused_as_ever():
    deal = Deal.start(PACK, dealer=0)
    with pytest.raises(NotNow):
        thinking.choose(Level.MASTER, observe(deal, 0), seed=1)


def test_the_child_knows_no_more_than_the_seat():
    """What is sent holds no card that the seat has not seen."""
    deal = next(d for d in states(4, 1) if len(d.history) == 9)
    sent = pickle.dumps(("choose", "master", observe(deal, deal.turn), 1))
    open_cards = {turn.play.card for turn in deal.history} | deal.opening | deal.hands[deal.turn]
    for card in PACK:
        written = f"\x8c\x02{card}".encode("latin-1")
        assert (written in sent) == (card in open_cards | set(deal.under)), card


def test_the_child_loads_no_django():
    program = "import sys, games.ai.child; print('django' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_the_child_ends_when_its_parent_is_killed():
    program = (
        "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'basra_site.settings'\n"
        "django.setup()\n"
        "from games.services import thinking\n"
        "from games.engine import PACK, Deal, observe\n"
        "thinking.choose('master', observe(Deal.start(PACK, 0), 1), 1)\n"
        "print(next(t.process.pid for t in thinking._thinkers if t.process), flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        pid = int(parent.stdout.readline())
        assert is_there(pid)
        parent.kill()
    until = time.monotonic() + 20
    while is_there(pid) and time.monotonic() < until:
        os.sched_yield()
    assert not is_there(pid)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("level", [Level.EXPERT, Level.MASTER])
def test_a_strong_house_player_plays_a_match(level):
    me = person()
    match = a_match("practice", [me, house(level)])
    play.give_seed(match_id=match.id, player=me, client_seed="mine")
    rng = Random(2)
    for _play in range(30):
        match.refresh_from_db()
        assert match.status == Status.PLAYING
        deal = deal_of(match)
        if deal.turn == 1:
            play.house_turn(match_id=match.id, number=match.number)
        else:
            mine = rng.choice(deal.legal())
            play.play_card(
                match_id=match.id, player=me, number=match.number, card=str(mine.card),
                capture=",".join(map(str, mine.capture)),
            )  # fmt: skip
    match.refresh_from_db()
    assert match.number == 31
