"""Several processes at one match, on one database in a file."""

import json

import pytest

pytestmark = pytest.mark.services

SETUP = """
import json
match = dealt()
deal = deal_of(match)
players = [s.player_id for s in match.seats.all()]
legal = [[str(p.card), ",".join(map(str, sorted(p.capture)))] for p in deal.legal()]
print(json.dumps({"match": match.id, "turn": match.turn, "players": players, "legal": legal}))
"""
LOOK = """
import json
match = Match.objects.get(pk=%r)
plays = [[p.number, p.seat, p.card] for p in match.plays.all()]
print(json.dumps({"plays": plays, "number": match.number, "version": match.version,
                  "status": match.status, "how": match.how, "winner": match.winner}))
"""


@pytest.fixture
def game(run):
    return json.loads(run(SETUP))


@pytest.fixture
def look(run, game):
    return lambda: json.loads(run(LOOK % game["match"]))


def a_play(game, which=0, number=1):
    card, capture = game["legal"][which]
    player = game["players"][game["turn"]]
    return ["play", f"match_id={game['match']}", f"player={player}", f"number={number}",
            f"card={card}", f"capture={capture}"]  # fmt: skip


def test_the_same_play_from_many_processes_counts_once(game, race, look):
    outcomes = race(*[a_play(game)] * 8)
    assert outcomes == ["done"] * 8
    after = look()
    assert len(after["plays"]) == 1
    assert after["number"] == 2


def test_different_plays_at_once_make_one(game, race, look):
    outcomes = race(*(a_play(game, which) for which in range(4)))
    assert sorted(outcomes) == ["Stale", "Stale", "Stale", "done"]
    assert len(look()["plays"]) == 1


def test_both_seats_at_once(game, race, look, run):
    other = run(
        f"m = Match.objects.get(pk={game['match']!r})\nprint(min(deal_of(m).hands[1 - m.turn]))"
    )
    early = ["play", f"match_id={game['match']}", f"player={game['players'][1 - game['turn']]}",
             "number=1", f"card={other}"]  # fmt: skip
    outcomes = race(a_play(game), early)
    assert outcomes[0] == "done"
    assert outcomes[1] in ("NotNow", "Stale", "ChoiceNeeded")
    assert [play[1] for play in look()["plays"]] == [game["turn"]]


def test_a_play_against_its_own_timeout(game, race, look, run):
    """The deadline is just past its grace for the sweep, so one of the two is first: not both."""
    run(
        "from datetime import timedelta\nfrom games.models import clock\n"
        f"Match.objects.filter(pk={game['match']!r}).update("
        "deadline=clock.now() - timedelta(seconds=5))"
    )
    outcomes = race(a_play(game), ["expire", f"match_id={game['match']}"])
    after = look()
    assert outcomes[1] == "done"
    assert after["how"] == "time"
    assert after["winner"] == 1 - game["turn"]
    assert after["plays"] == []
    assert outcomes[0] in ("TooLate", "Stale")


def test_a_play_in_time_stands_against_an_early_sweep(game, race, look):
    outcomes = race(a_play(game), *[["expire", f"match_id={game['match']}"]] * 3)
    assert outcomes == ["done"] * 4
    after = look()
    assert (after["status"], len(after["plays"])) == ("playing", 1)


def test_both_resign_at_once_and_one_loses(game, race, look, run):
    ids = [["resign", f"match_id={game['match']}", f"player={p}"] for p in game["players"]]
    assert race(*ids) == ["done", "done"]
    after = look()
    assert after["how"] == "resignation"
    changes = run(
        "from ladder.models import RatingChange\n"
        f"print(RatingChange.objects.filter(match_id={game['match']!r}).count())"
    )
    assert changes == "2"


def test_many_enter_the_queue_at_once(race, run):
    """Nobody is paired twice, with themselves or left out: eight people make four matches."""
    ids = run("print(*(person().pk for _ in range(8)))").split()
    assert race(*(["queue", f"player={pk}"] for pk in ids)) == ["done"] * 8
    seated = run("print(*(s.player_id for s in Seat.objects.filter(match__kind='ranked')))").split()
    assert sorted(seated, key=int) == sorted(ids, key=int)
