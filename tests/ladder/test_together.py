"""Several people at once on PostgreSQL, where transactions really run side by side.

Runs with the other ``services`` tests on PostgreSQL. On SQLite every transaction is alone; several
processes on one file are tried in ``tests/concurrency``.
"""

import random
import threading
from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import connection

from games.models import Match, Player, Seat
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
    one, two = person(), person()
    for _round in range(10):
        pairing.enter_queue(one)
        at_once(lambda: pairing.leave_queue(one), entering(two))
        match = Match.objects.filter(status="starting").first()
        waiting = set(QueueEntry.objects.values_list("player", flat=True))
        assert waiting == (set() if match else {two.pk})
        pairing.leave_queue(two)
        if match:
            play.abort(match_id=match.id, player=one)


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
