"""Measures taken at the same instant as other things, on PostgreSQL, where transactions really run
side by side. A deadlock there fails the run."""

import contextlib
import functools
from collections.abc import Callable

import pytest
from django.conf import settings

from games.models import How, Kind, Match
from games.selectors.matches import LIVE
from games.services import challenges, play
from games.services.errors import Refused
from ladder.models import (
    AuditEntry,
    ChangeKind,
    Measure,
    QueueEntry,
    RatingChange,
    Reason,
    Role,
    Sanction,
)
from ladder.services import annulments, appeals, pairing, recompute, sanctions
from tests.factories import deal_of, dealt, first_legal, person, staff
from tests.ladder.test_together import at_once

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "sqlite" in settings.DATABASES["default"]["ENGINE"], reason="needs PostgreSQL"
    ),
]
TIMES = 6


def maybe(act: Callable[..., object], *args: object, **what: object) -> Callable[[], None]:
    """To do it, or to be refused."""

    def run() -> None:
        with contextlib.suppress(Refused):
            act(*args, **what)

    return run


def imposing(by, player, measure, **how) -> Callable[[], None]:
    return maybe(sanctions.impose, by, player, measure, reason=Reason.OTHER, **how)


def test_of_several_moderators_one_imposes_and_one_undoes():
    for _time in range(TIMES):
        player, seniors = person(), [staff(Role.SENIOR) for _ in range(3)]
        at_once(*(imposing(by, player, Measure.SUSPENSION) for by in seniors for _click in "ab"))
        made = Sanction.objects.get(player=player)
        at_once(*(maybe(sanctions.undo, made, by, "") for by in seniors))
        acts = AuditEntry.objects.filter(player=player.pk)
        assert sorted(acts.values_list("act", flat=True)) == ["sanction.suspend", "sanction.undo"]
        player.refresh_from_db()
        assert (player.is_held, player.sessions_ended) == (False, 1)


def test_who_enters_the_queue_meanwhile_plays_nothing_that_goes_on():
    by = staff(Role.SENIOR)
    for _time in range(TIMES):
        player, other = person(), person()
        pairing.enter_queue(other)
        at_once(
            maybe(pairing.enter_queue, player),
            pairing.pair,
            imposing(by, player, Measure.SUSPENSION, running="lost"),
        )
        pairing.pair()
        assert not Match.objects.filter(seats__player=player, status__in=LIVE).exists()
        assert not QueueEntry.objects.filter(player=player).exists()
        pairing.leave_queue(other)


def test_who_accepts_or_rematches_meanwhile_plays_nothing_that_goes_on():
    by = staff(Role.SENIOR)
    terms = {"target": 101, "clock_preset": "fast"}
    for _time in range(TIMES):
        player, other = person(), person()
        got = challenges.offer(challenger=other, opponent=player, **terms)
        at_once(
            maybe(challenges.accept, challenge_id=got.pk, player=player),
            imposing(by, player, Measure.CLOSURE, running="lost"),
        )
        assert not Match.objects.filter(seats__player=player, status__in=LIVE).exists()


def test_a_play_in_the_middle_is_before_the_end_or_refused():
    by = staff(Role.SENIOR)
    for _time in range(TIMES):
        player, other = person(), person()
        match = dealt(players=[player, other])
        mover = (player, other)[match.turn]
        card = first_legal(deal_of(match)).card
        playing = functools.partial(
            play.play_card, match_id=match.id, player=mover, number=1, card=str(card)
        )
        at_once(
            maybe(playing),
            imposing(by, player, Measure.SUSPENSION, running="lost"),
            maybe(play.resign, match_id=match.id, player=other),
        )
        match.refresh_from_db()
        assert match.how in (How.SANCTION, How.RESIGNATION)
        assert match.plays.count() == match.number - 1
    assert recompute.survey().clean


def test_refunds_annulments_and_results_in_each_others_way(beats):
    """Ratings of the same people, locked from all sides."""
    for _time in range(TIMES):
        seniors = [staff(Role.SENIOR) for _ in range(2)]
        cheat, *victims = [person() for _ in range(4)]
        over = [beats(cheat, victim) for victim in victims]
        running = [dealt(Kind.RANKED, players=[victim, person()]) for victim in victims]
        running.append(dealt(Kind.RANKED, players=[cheat, person()]))
        at_once(
            *(imposing(by, cheat, Measure.CHEAT, running="lost") for by in seniors),
            maybe(annulments.annul, seniors[0], over[0], ""),
            *(
                maybe(play.resign, match_id=match.id, player=match.seats.get(seat=0).player)
                for match in running
            ),
        )
        made = Sanction.objects.get(player=cheat)
        at_once(*(maybe(sanctions.undo, made, by, "") for by in seniors))
        given = RatingChange.objects.filter(given_for__sanction=made)
        assert all(row.followed_by.filter(kind=ChangeKind.REVERSAL).count() == 1 for row in given)
    assert recompute.survey().clean


def test_of_two_decisions_one_holds():
    for _time in range(TIMES):
        player = person()
        made = sanctions.impose(staff(Role.SENIOR), player, Measure.MUTE, reason=Reason.OTHER)
        row = appeals.appeal(made, player, "No.")
        one, two = staff(Role.SENIOR), staff(Role.SENIOR)
        at_once(
            maybe(appeals.decide, row, one, True, ""), maybe(appeals.decide, row, two, False, "")
        )
        row.refresh_from_db()
        made.refresh_from_db()
        assert row.granted == (made.undone_at is not None)
        assert AuditEntry.objects.filter(act="appeal.decide", player=player.pk).count() == 1
