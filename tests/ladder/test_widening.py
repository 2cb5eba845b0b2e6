"""Whom waiting makes acceptable: widths, the same pair, and who is gone."""

from datetime import timedelta

import pytest

from games.models import Kind, Match, Outage, Pulse, Seat, Status, clock
from games.services import play, publish
from ladder import tasks
from ladder.models import Pairing, QueueEntry, RankedPause
from ladder.services import pairing
from tests.factories import a_match, dealt, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def waits(later):
    """``waits(1500, 7)``: a person of that rating who has waited for 7 s when the test begins."""

    def enter(rating: int = 1500, seconds: float = 0, **how):
        now = later()
        player = person()
        QueueEntry.objects.create(
            player=player,
            rating=rating,
            entered_at=now - timedelta(seconds=seconds),
            seen_at=now,
            **how,
        )
        return player

    return enter


def pairs():
    """Who sits with whom in the ranked matches."""
    found = {}
    for match, player in Seat.objects.filter(match__kind=Kind.RANKED).values_list(
        "match", "player"
    ):
        found.setdefault(match, set()).add(player)
    return sorted(map(sorted, found.values()))


def ids(*players):
    return sorted(player.pk for player in players)


@pytest.mark.parametrize(
    ("seconds", "width"),
    [(0, 100), (4.9, 100), (5, 150), (9.9, 150), (10, 200), (29.9, 350), (30, 400), (34.9, 400)],
)
def test_the_width_grows_by_fifty_every_five_seconds(waits, later, seconds, width):
    entry = QueueEntry.objects.get(player=waits())
    assert entry.width(later(seconds)) == width


def test_after_the_last_step_anybody_is_acceptable(waits, later):
    entry = QueueEntry.objects.get(player=waits())
    assert entry.width(later(35)) is None
    assert entry.width(later(days=30)) is None


@pytest.mark.parametrize(
    ("distance", "seconds"),
    [(100, 0), (101, 5), (150, 5), (151, 10), (400, 30), (401, 35), (2000, 35)],
)
def test_two_are_paired_as_soon_as_both_are_wide_enough(waits, later, distance, seconds):
    waits(1500)
    waits(1500 + distance)
    if seconds:
        later(seconds - 0.1)
        assert pairing.pair() == 0
    later(seconds)
    assert pairing.pair() == 1
    assert not QueueEntry.objects.exists()


def test_the_narrower_of_two_widths_decides(waits, later):
    """Who has just come isn't taken to somebody whom only the other's wait makes acceptable."""
    waits(1500, seconds=600)
    waits(2000)
    assert pairing.pair() == 0
    later(34)
    assert pairing.pair() == 0
    later(35)
    assert pairing.pair() == 1


def test_entering_pairs_at_once_only_with_somebody_acceptable(waits, rated):
    far = waits(1700, seconds=600)
    near = waits(1580)
    new = rated(rating=1500, won=3)
    assert {s.player for s in pairing.enter_queue(new).seats.all()} == {near, new}
    assert QueueEntry.objects.get().player == far
    assert pairing.enter_queue(rated(rating=1500, won=3)) is None


def test_nearest_first_over_all_pairs(waits, later):
    """1400–1490 would be acceptable too, and leave 1500 to nobody near."""
    a, b, c, d = waits(1400), waits(1490), waits(1500), waits(1395)
    assert pairing.pair() == 2
    assert pairs() == sorted([ids(a, d), ids(b, c)])


def test_among_equally_near_the_longest_waiting(waits):
    short, long, middle = waits(1450, 3), waits(1550, 4), waits(1500, 1)
    assert pairing.pair() == 1
    assert pairs() == [ids(long, middle)]
    assert QueueEntry.objects.get().player == short


def test_an_odd_one_stays(waits):
    people = [waits(1500, seconds=s) for s in range(5)]
    assert pairing.pair() == 2
    assert QueueEntry.objects.get().player in people


def test_the_pairing_keeps_since_when_each_has_waited(waits, later):
    one, two = waits(1500, 20), waits(1500, 10)
    now = later()
    pairing.pair()
    row = Pairing.objects.get()
    assert [seat.player for seat in row.match.seats.all()] == [one, two]
    assert [row.since(0), row.since(1)] == [now - timedelta(seconds=s) for s in (20, 10)]


@pytest.mark.django_db(transaction=True)
def test_both_are_called_to_the_table_after_the_commit(waits, monkeypatch):
    called = []
    monkeypatch.setattr(publish, "call_to_table", lambda *call: called.append(call))
    one, two = waits(), waits()
    pairing.pair()
    match = Match.objects.get()
    assert sorted(called) == sorted([(one.pk, match.id), (two.pk, match.id)])


def test_a_pair_that_cannot_be_started_keeps_nobody_from_it(waits, monkeypatch, caplog):
    bad, also = waits(1000), waits(1000)
    good, too = waits(1500), waits(1510)
    start = play.start

    def fail(*, players, **how):
        if bad in players:
            raise RuntimeError
        return start(players=players, **how)

    monkeypatch.setattr(play, "start", fail)
    assert pairing.pair() == 1
    assert pairs() == [ids(good, too)]
    assert {entry.player for entry in QueueEntry.objects.all()} == {bad, also}
    assert "could not pair" in caplog.text


def test_an_empty_queue_costs_one_query(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert pairing.pair() == 0


def test_the_queries_do_not_grow_with_who_waits(waits, django_assert_max_num_queries):
    for place in range(12):
        waits(300 + 200 * place)
    with django_assert_max_num_queries(8):
        assert pairing.pair() == 0


class TestTheSamePair:
    """Not the same two a fourth time in 24 hours."""

    def meet(self, one, two, times, ended=True):
        for _time in range(times):
            match = dealt(players=[one, two])
            if ended:
                play.resign(match_id=match.id, player=one)

    def again(self, *players):
        """Who of ``players`` has waited for anybody; how many matches begin."""
        now = clock.now()
        for player in players:
            QueueEntry.objects.create(
                player=player, rating=1500, entered_at=now - timedelta(minutes=1), seen_at=now
            )
        return pairing.pair()

    def test_a_third_time_yes_a_fourth_no(self, later):
        one, two = person(), person()
        self.meet(one, two, 2)
        assert self.again(one, two) == 1
        match = Match.objects.get(status=Status.STARTING)
        for player in (one, two):
            play.give_seed(match_id=match.id, player=player, client_seed="seed")
        play.resign(match_id=match.id, player=two)
        assert self.again(one, two) == 0
        later(60 * 60)
        QueueEntry.objects.update(seen_at=clock.now())
        assert pairing.pair() == 0

    def test_whoever_else_comes_is_taken(self, later):
        one, two, three = person(), person(), person()
        self.meet(one, two, 3)
        assert self.again(one, two) == 0
        assert self.again(three) == 1
        assert any(three.pk in pair for pair in pairs())

    def test_aborted_ones_do_not_count(self, later):
        one, two = person(), person()
        self.meet(one, two, 2)
        soon = later(40)  # after an outage, so that nobody is paused for them
        Outage.objects.create(began_at=soon - timedelta(minutes=1), ended_at=soon, matches=0)
        for _time in range(3):
            match = a_match(players=[one, two])
            play.abort(match_id=match.id, player=one)
            pairing.leave_queue(two)
        assert Match.objects.filter(status=Status.ABORTED).count() == 3
        assert self.again(one, two) == 1

    def test_other_kinds_do_not_count(self, later):
        one, two = person(), person()
        for _time in range(3):
            match = dealt(Kind.CHALLENGE, players=[one, two])
            play.resign(match_id=match.id, player=one)
        assert self.again(one, two) == 1

    def test_after_twenty_four_hours_it_begins_anew(self, later):
        """Hours, not days of a calendar."""
        one, two = person(), person()
        self.meet(one, two, 3)
        later(hours=23, minutes=59)
        assert self.again(one, two) == 0
        later(hours=24, seconds=1)
        QueueEntry.objects.update(seen_at=clock.now())
        assert pairing.pair() == 1

    def test_others_meetings_are_theirs(self, later):
        one, two, three, four = (person() for _ in range(4))
        self.meet(one, three, 3)
        self.meet(two, four, 3)
        assert self.again(one, two) == 1


class TestGone:
    """Who shows no sign of life for 90 s leaves the queue, and nothing else happens."""

    def test_at_ninety_seconds_one_is_there(self, waits, later):
        waits()
        waits()
        later(90)
        assert pairing.pair() == 1

    def test_after_that_one_is_neither_paired_nor_kept(self, waits, later):
        waits()
        later(91)
        assert pairing.enter_queue(person()) is None
        assert QueueEntry.objects.count() == 1
        assert not Match.objects.exists()
        assert not RankedPause.objects.exists()

    def test_alone_too(self, waits, later):
        waits()
        later(91)
        assert pairing.pair() == 0
        assert not QueueEntry.objects.exists()

    @pytest.mark.parametrize("htmx", [True, False])
    def test_the_page_that_asks_keeps_the_place(self, waits, later, client, htmx):
        player = waits()
        client.force_login(player)
        since = QueueEntry.objects.get().entered_at
        for seconds in (60, 120, 180):
            later(seconds)
            client.get("/", headers={"HX-Request": "true"} if htmx else None)
            pairing.pair()
            entry = QueueEntry.objects.get()
            assert (entry.player, entry.entered_at, entry.seen_at) == (player, since, clock.now())

    def test_only_the_own_page_does(self, waits, later, client):
        waits()
        later(60)
        client.force_login(person())
        client.get("/", headers={"HX-Request": "true"})
        client.logout()
        client.get("/")
        later(91)
        pairing.pair()
        assert not QueueEntry.objects.exists()

    def test_pressing_again_is_a_sign_of_life(self, waits, later):
        player = waits()
        later(80)
        pairing.enter_queue(player)
        later(160)
        assert pairing.pair() == 0
        assert QueueEntry.objects.get().player == player

    def test_while_nothing_answered_no_page_could_ask(self, waits, later):
        """Soon after an outage nobody is put out, and nobody who has not come back is paired."""
        one, two = waits(), waits()
        now = later(minutes=5)
        Outage.objects.create(began_at=now - timedelta(minutes=4), ended_at=now, matches=0)
        assert pairing.pair() == 0
        pairing.still_here(one)
        assert pairing.pair() == 0
        assert QueueEntry.objects.count() == 2
        pairing.still_here(two)
        assert pairing.pair() == 1


class TestTheTask:
    def test_it_pairs(self, waits, later):
        Pulse.objects.create(name="alive", at=clock.now())
        waits()
        waits()
        tasks.pair()
        assert Match.objects.count() == 1

    def test_in_an_outage_nobody_is_called_to_a_table_that_does_not_answer(self, waits, later):
        Pulse.objects.create(name="alive", at=clock.now() - timedelta(seconds=10))
        waits()
        waits()
        tasks.pair()
        assert not Match.objects.exists()
        assert QueueEntry.objects.count() == 2
