"""Several acts between the same people at once on PostgreSQL, where they run side by side."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from django.conf import settings

from games.models import Answer, Block, Challenge, Clock, Follow, Mute, Notification, Player, Topic
from games.services import challenges, house, notifications, people
from games.services.errors import Refused
from tests.factories import person
from tests.ladder.test_together import at_once

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" in settings.DATABASES["default"]["ENGINE"], reason="needs PostgreSQL"
    ),
]


def refused(act: Callable[..., object], *args: object, **kwargs: object) -> Callable[[], None]:
    """``act``, that may be refused."""

    def run() -> None:
        with suppress(Refused):
            act(*args, **kwargs)

    return run


def test_of_many_at_once_with_a_tag_one_stays():
    reader = person()
    for _round in range(5):
        at_once(
            *(
                lambda number=number: notifications.notify(
                    reader, Topic.NOTICE, tag="same", number=number
                )
                for number in range(8)
            )
        )
        assert Notification.objects.filter(read_at=None).count() == 1
        assert notifications.read_all(reader)


def test_practice_pressed_twice_is_one_match():
    for _round in range(5):
        me = person()
        at_once(*(lambda me=me: house.practise(player=me, level="regular") for _tab in range(3)))
        assert me.seats.count() == 1


def test_no_follow_and_no_challenge_slips_past_a_block():
    for _round in range(8):
        one, two = person(), person()
        terms = {"target": 101, "clock_preset": Clock.FAST}
        at_once(
            lambda one=one, two=two: people.block(one, two),
            refused(people.follow, two, one),
            refused(people.follow, one, two),
            refused(challenges.offer, challenger=two, opponent=one, **terms),
        )
        assert Block.objects.filter(player=one, other=two).exists()
        assert not Follow.objects.filter(player__in=[one, two]).exists()
        assert not Challenge.objects.filter(challenger=two, answer=Answer.OPEN).exists()
        assert not Notification.objects.filter(player=one, read_at=None).exists()


def test_acts_both_ways_do_not_wait_for_each_other():
    """Nor do they for who reads; the server's log would tell of a deadlock."""
    crowd = [person() for _place in range(4)]

    def act(me: Player) -> None:
        for other in crowd:
            for what in (people.follow, people.block, people.unblock, people.follow, people.mute):
                refused(what, me, other)()
            notifications.read_all(me)

    at_once(*(lambda me=me: act(me) for me in crowd for _tab in range(2)))
    for player in crowd:
        assert Follow.objects.filter(player=player).count() <= len(crowd) - 1


def test_a_full_list_stays_full(monkeypatch):
    monkeypatch.setattr(people, "MOST", 3)
    me, others = person(), [person() for _place in range(8)]
    at_once(*(refused(people.mute, me, other) for other in others))
    assert Mute.objects.filter(player=me).count() == 3


def test_a_repeat_at_once_is_one():
    me, other = person(), person()
    at_once(*[lambda: people.follow(me, other)] * 6)
    assert Follow.objects.count() == 1
    assert Notification.objects.filter(player=other).count() == 1
