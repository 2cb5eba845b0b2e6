"""What the periodic looks find, and what they leave alone; marks say nothing by themselves."""

from collections import Counter
from datetime import timedelta
from itertools import combinations
from random import Random

import pytest
from django.urls import reverse

from games.models import How, Match, clock
from games.services import play
from ladder.models import Finding, FindingKind, Mark, MarkKey
from ladder.services import findings, marks
from tests.factories import dealt, person, play_on

pytestmark = pytest.mark.django_db


def ended(winner, loser, plays=0, lead=(0, 0), bank_ms=90_000):
    """A ranked match that ``loser`` resigned after so many plays; ``lead`` are the points then."""
    match = dealt(players=[winner, loser])
    if plays:
        play_on(match, plays=plays)
    play.resign(match_id=match.pk, player=loser)
    Match.objects.filter(pk=match.pk).update(points_0=lead[0], points_1=lead[1])
    match.seats.filter(player=loser).update(bank_ms=bank_ms)
    return match


def kinds():
    return sorted(Finding.objects.values_list("kind", flat=True))


def test_matches_given_away_at_once():
    one, two = person(), person()
    for _match in range(2):
        ended(one, two)
    findings.look()
    assert kinds() == []
    ended(one, two)
    findings.look()
    found = Finding.objects.get()
    assert (found.kind, found.matches.count()) == (FindingKind.SHORT, 3)
    assert set(found.players.all()) == {one, two}


def test_resigning_won_positions_names_who_resigned_alone():
    """Innocent winners are in the facts, not accused."""
    thrower = person()
    for _match in range(3):
        ended(person(), thrower, plays=20, lead=(0, 60))
    findings.look()
    found = Finding.objects.get(kind=FindingKind.THROWN)
    assert list(found.players.all()) == [thrower]


def test_resigning_lost_positions_is_no_finding():
    honest = person()
    for _match in range(6):
        ended(person(), honest, plays=20, lead=(60, 0))
    findings.look()
    assert kinds() == []


def test_sitting_out_the_clock_and_resigning_at_the_last_second():
    sitter = person()
    for _match in range(5):
        ended(person(), sitter, plays=20, lead=(60, 0), bank_ms=900)
    findings.look()
    found = Finding.objects.get()
    assert (found.kind, list(found.players.all())) == (FindingKind.STALLING, [sitter])


def test_two_who_take_turns():
    one, two = person(), person()
    for _match in range(3):
        ended(one, two)
        ended(two, one)
    findings.look()
    assert FindingKind.TRADING in kinds()


def test_a_ring():
    ring = [person() for _player in range(3)]
    for _round in range(5):
        for one, two in ((0, 1), (1, 2), (2, 0)):
            ended(ring[one], ring[two], plays=20)
    findings.look()
    found = Finding.objects.get(kind=FindingKind.RING)
    assert set(found.players.all()) == set(ring)


def test_people_who_play_everybody_are_no_ring():
    people = [person() for _player in range(8)]
    for one in people:
        for two in people:
            if one != two:
                ended(one, two, plays=20)
    findings.look()
    assert FindingKind.RING not in kinds()


def met(pairs):
    """Results of which nothing matters but who met, and how often."""
    return [
        findings.Result(
            f"{one}-{two}-{n}", (one, two), 0, How.POINTS, None, 48, timedelta(minutes=9),
            (60, 40), (90_000, 90_000),
        )
        for (one, two), count in pairs.items()
        for n in range(count)
    ]  # fmt: skip


def population(players, each=30):
    """How often people met who take whoever comes, and a few of whom come back for more."""
    pairs = Counter()
    chance = Random(7)
    for one in players:
        for two in chance.choices([two for two in players if two != one], k=each):
            pairs[min(one, two), max(one, two)] += 1
        pairs[one, one + 1] += 5
    return pairs


RING_OF_FOUR = dict.fromkeys(combinations(range(4), 2), 4)


def test_a_ring_with_a_way_out_is_found_among_honest_people():
    """One of it plays three matches with an outsider who plays many others."""
    pairs = {**RING_OF_FOUR, **population(range(10, 300)), (3, 10): 3}
    [found] = findings.rings(met(pairs))
    assert (found.players, len(found.matches)) == ((0, 1, 2, 3), 24)
    assert found.facts == {"share": 0.8}


def test_two_rings_that_met_are_two():
    other = {(one + 4, two + 4): n for (one, two), n in RING_OF_FOUR.items()}
    found = findings.rings(met({**RING_OF_FOUR, **other, (3, 4): 3}))
    assert sorted(one.players for one in found) == [(0, 1, 2, 3), (4, 5, 6, 7)]


def test_a_ring_with_many_ways_out_is_none():
    assert findings.rings(met({**RING_OF_FOUR, (3, 10): 3, (3, 11): 1})) == []


@pytest.mark.parametrize("size", [8, 12, 400])
def test_honest_people_are_no_ring(size):
    assert findings.rings(met(population(range(size)))) == []
    assert findings.rings(met(dict.fromkeys(combinations(range(min(size, 60)), 2), 4))) == []


def test_accounts_alike_that_play_each_other(client):
    one, two, three = person(), person(), person()
    for player in (one, two):
        marks.note(player, agent="Firefox", language="ar", address="192.0.2.7")
    marks.note(three, agent="Firefox", language="ar", address="198.51.100.7")
    ended(one, two, plays=20)
    ended(one, three, plays=20)
    findings.look()
    found = Finding.objects.get()
    assert (found.kind, set(found.players.all())) == (FindingKind.ALIKE, {one, two})
    assert found.evidence["others"] == 0


def test_a_cleared_finding_comes_back_with_more_evidence_only():
    one, two = person(), person()
    for _match in range(3):
        ended(one, two)
    findings.look()
    Finding.objects.update(cleared_at=clock.now())
    findings.look()
    assert Finding.objects.get().cleared_at
    ended(one, two)
    findings.look()
    assert Finding.objects.get().cleared_at is None
    assert Finding.objects.get().matches.count() == 4


def test_looking_again_writes_nothing_twice():
    one, two = person(), person()
    for _match in range(3):
        ended(one, two)
    findings.look()
    findings.look()
    assert Finding.objects.count() == 1


def test_a_log_in_leaves_a_mark_that_tells_nothing(client):
    player = person("Nadia")
    player.set_password("long-enough-9")
    player.save()
    form = {"login": "Nadia", "password": "long-enough-9"}
    client.post(reverse("account_login"), form, headers={"User-Agent": "Firefox/999"})
    mark = Mark.objects.get()
    assert mark.player == player
    assert len(mark.digest) == 64
    assert "Firefox" not in str(vars(mark))


def test_marks_and_keys_go(later):
    player = person()
    later()
    marks.note(player, agent="a", language="b", address="192.0.2.7")
    later(days=91)
    marks.note(player, agent="a", language="b", address="192.0.2.7")
    assert Mark.objects.values("digest").distinct().count() == 2
    assert marks.forget_old() == 1
    later(days=190)
    marks.forget_old()
    assert MarkKey.objects.count() == 1
