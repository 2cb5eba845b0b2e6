"""Several people at once on PostgreSQL, where transactions really run side by side.

Runs with the other ``services`` tests on PostgreSQL. On SQLite every transaction is alone; several
processes on one file are tried in ``tests/concurrency``.
"""

import random
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection

from games.models import Kind, Match, Player, Seat, clock
from games.services import play
from ladder.models import QueueEntry, RatingChange
from ladder.services import pairing, recompute
from tests.factories import dealt, person

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" in settings.DATABASES["default"]["ENGINE"], reason="needs PostgreSQL"
    ),
]


def at_once(*acts: Callable[[], object]) -> None:
    """Run each act in a thread of its own, from the same moment on; none may fail."""
    line = threading.Barrier(len(acts))
    failures: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            line.wait()
            act()
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def entering(player: Player) -> Callable[[], object]:
    return lambda: pairing.enter_queue(player)


def leaving(player: Player) -> Callable[[], object]:
    return lambda: pairing.leave_queue(player)


def waits(rating: int) -> Player:
    """A person who has waited long enough to be taken to anybody."""
    player, now = person(), clock.now()
    since = now - timedelta(minutes=1)
    QueueEntry.objects.create(player=player, rating=rating, entered_at=since, seen_at=now)
    return player


def pairs() -> list[list[int]]:
    """Who sits with whom, by id."""
    found: dict[str, list[int]] = {}
    for match, player in Seat.objects.values_list("match", "player"):
        found.setdefault(match, []).append(player)
    return sorted(map(sorted, found.values()))


@pytest.mark.parametrize("count", [8, 7])
def test_all_who_enter_at_once_are_paired_and_nobody_twice(count):
    people = [person() for _ in range(count)]
    at_once(*map(entering, people))
    seated = list(Seat.objects.values_list("player", flat=True))
    assert len(seated) == len(set(seated)) == count - count % 2
    assert QueueEntry.objects.count() == count % 2


def test_one_person_in_many_windows_is_paired_once():
    one, two = person(), person()
    at_once(*map(entering, [one, two] * 4))
    assert Match.objects.count() == 1
    assert not QueueEntry.objects.exists()


def test_leaving_and_entering_at_once_leaves_nobody_half_paired():
    for _round in range(10):
        one, two = person(), person()
        pairing.enter_queue(one)
        at_once(leaving(one), entering(two))
        match = Match.objects.filter(status="starting").first()
        waiting = set(QueueEntry.objects.values_list("player", flat=True))
        assert waiting == (set() if match else {two.pk})
        if match:
            play.abort(match_id=match.id, player=one)
        pairing.leave_queue(two)


@pytest.mark.parametrize("count", [16, 15])
def test_whoever_pairs_at_once_pairs_nobody_twice_and_forgets_nobody(count):
    people = [waits(1500) for _ in range(count)]
    at_once(*[pairing.pair] * 8)
    seated = list(Seat.objects.values_list("player", flat=True))
    assert len(seated) == len(set(seated)) == count - count % 2
    left = set(QueueEntry.objects.values_list("player", flat=True))
    assert left | set(seated) == {player.pk for player in people}
    assert len(left) == count % 2


def test_however_many_pair_at_once_it_is_the_nearest_first():
    together = [(waits(1000 + 500 * at), waits(1040 + 500 * at)) for at in range(5)]
    at_once(*[pairing.pair] * 8)
    assert pairs() == sorted(sorted(player.pk for player in pair) for pair in together)


def test_pairing_while_people_enter_leave_and_look():
    """Whoever is neither seated nor gone by choice still waits, and nobody sits twice."""
    for _round in range(4):
        waiting = [waits(1500 + 10 * at) for at in range(3)]
        new = [person() for _ in range(3)]
        looks = [lambda who=who: pairing.still_here(who) for who in waiting]
        at_once(pairing.pair, pairing.pair, leaving(waiting[0]), *map(entering, new), *looks)
        seated = list(Seat.objects.values_list("player", flat=True))
        assert len(seated) == len(set(seated))
        left = set(QueueEntry.objects.values_list("player", flat=True))
        missing = {who.pk for who in waiting + new} - set(seated) - left
        assert missing <= {waiting[0].pk}
        assert not left & set(seated)
        for who in waiting + new:
            pairing.leave_queue(who)


def test_pairs_that_fall_through_while_others_pair_do_not_deadlock():
    """Aborts hold the match and then want the queue; pairing holds the queue and makes matches."""
    for _round in range(4):
        aborted = [play.start(kind=Kind.RANKED, players=[person(), person()]) for _ in range(3)]
        leavers = [match.seats.get(seat=0).player for match in aborted]
        people = [waits(1500) for _ in range(4)]
        acts = [
            lambda m=match, who=who: play.abort(match_id=m.id, player=who)
            for match, who in zip(aborted, leavers, strict=True)
        ]
        at_once(*acts, *[pairing.pair] * 4)
        pairing.pair()
        live = Seat.objects.filter(match__status="starting")
        seated = list(live.values_list("player", flat=True))
        assert len(seated) == len(set(seated))
        assert {player.pk for player in people} <= set(seated) | set(
            QueueEntry.objects.values_list("player", flat=True)
        )
        assert not set(seated) & {player.pk for player in leavers}


def test_pairs_that_end_crosswise_neither_deadlock_nor_lose_a_point():
    """The same four people, each in two matches that end at once, with a check beside them."""
    people = [person() for _ in range(4)]
    for _round in range(6):
        random.shuffle(people)
        a, b, c, d = people
        matches = [dealt(players=pair) for pair in ([a, b], [b, a], [c, d], [d, b], [a, c])]
        acts = [
            lambda m=match: play.resign(match_id=m.id, player=m.seats.get(seat=0).player)
            for match in matches
        ]
        at_once(*acts, lambda: recompute.survey().clean or pytest.fail("not clean"))
    assert RatingChange.objects.count() == 6 * 5 * 2
    assert recompute.survey().clean
    for player in people:
        rows = list(RatingChange.objects.filter(player=player))
        assert [row.before for row in rows[1:]] == [row.after for row in rows[:-1]]
