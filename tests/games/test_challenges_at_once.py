"""Challenges pressed at once on PostgreSQL, where transactions really run side by side."""

import contextlib
from collections.abc import Callable

import pytest
from django.conf import settings

from games.models import Answer, Block, Challenge, Clock, Kind, Match, Player
from games.services import accounts, challenges, people, play
from games.services.errors import Refused
from tests.factories import dealt, person
from tests.ladder.test_together import at_once

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" in settings.DATABASES["default"]["ENGINE"], reason="needs PostgreSQL"
    ),
]
TERMS = {"target": 101, "clock_preset": Clock.FAST}
TIMES = 8


def maybe(act: Callable[..., object], **what: object) -> Callable[[], None]:
    """To do it, or to be refused."""

    def run() -> None:
        with contextlib.suppress(Refused):
            act(**what)

    return run


def accepting(challenge: Challenge, player: Player) -> Callable[[], None]:
    return maybe(challenges.accept, challenge_id=challenge.pk, player=player)


def asking(match: Match, player: Player) -> Callable[[], None]:
    return maybe(challenges.offer_again, match_id=match.pk, player=player)


def test_of_several_who_take_a_link_one_has_it():
    for _time in range(TIMES):
        one, others = person(), [person() for _ in range(4)]
        link = challenges.offer_link(challenger=one, **TERMS)
        at_once(*(accepting(link, other) for other in others for _tab in range(2)))
        assert Match.objects.filter(seats__player=one).count() == 1
        assert Challenge.objects.get(pk=link.pk).answer == Answer.ACCEPTED


def test_who_accepts_several_at_once_begins_one():
    for _time in range(TIMES):
        me, others = person(), [person() for _ in range(3)]
        got = [challenges.offer(challenger=other, opponent=me, **TERMS) for other in others]
        at_once(*(accepting(challenge, me) for challenge in got))
        assert Match.objects.filter(seats__player=me).count() == 1


def test_accepted_and_taken_back_or_declined_is_one_of_them():
    for _time in range(TIMES):
        one, two = person(), person()
        made = challenges.offer(challenger=one, opponent=two, **TERMS)
        at_once(
            accepting(made, two),
            maybe(challenges.cancel, challenge_id=made.pk, player=one),
            maybe(challenges.decline, challenge_id=made.pk, player=two),
        )
        made.refresh_from_db()
        begun = Match.objects.filter(seats__player=one).count()
        assert begun == (made.answer == Answer.ACCEPTED)


def test_two_who_challenge_each_other_at_once_meet_once():
    for _time in range(TIMES):
        one, two = person(), person()
        at_once(
            maybe(challenges.offer, challenger=one, opponent=two, **TERMS),
            maybe(challenges.offer, challenger=two, opponent=one, **TERMS),
        )
        assert Match.objects.filter(seats__player=one).count() == 1
        assert Challenge.objects.filter(challenger__in=[one, two]).count() == 1


@pytest.mark.parametrize("kind", [Kind.RANKED, Kind.CHALLENGE])
def test_both_press_play_again_and_one_match_begins(kind):
    for _time in range(TIMES):
        old = dealt(kind)
        players = [seat.player for seat in old.seats.select_related("player")]
        play.resign(match_id=old.pk, player=players[0])
        at_once(*(asking(old, player) for player in players for _press in range(3)))
        assert Match.objects.filter(seats__player=players[0]).count() == 2
        assert Challenge.objects.filter(again=old).count() == 1


def test_a_block_or_a_closing_at_the_same_moment_leaves_nothing_open():
    for _time in range(TIMES):
        one, two = person(), person()
        challenges.offer(challenger=two, opponent=one, target=51, clock_preset=Clock.FAST)
        at_once(
            maybe(challenges.offer, challenger=one, opponent=two, **TERMS),
            lambda one=one, two=two: people.block(two, one),
        )
        assert Block.objects.filter(player=two, other=one).exists()
        assert not Challenge.objects.filter(answer=Answer.OPEN).exists()
        three, four = person(), person()
        at_once(
            maybe(challenges.offer, challenger=three, opponent=four, **TERMS),
            lambda gone=four: accounts.close_account(gone),
        )
        assert not Challenge.objects.filter(answer=Answer.OPEN).exists()
