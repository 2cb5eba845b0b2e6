"""The one write path: what each door does, and what it refuses."""

from datetime import timedelta

import pytest

from games.engine import Illegal, Malformed, NotNow, fair, write_cards
from games.engine.record import verify
from games.models import Clock, Commitment, How, Kind, Match, MatchDeal, Play, Seat, Status, clock
from games.models.appendonly import Immutable
from games.selectors.record import record_for
from games.services import play
from games.services.errors import ChoiceNeeded, NotSeated, Refused, Stale
from tests.factories import a_match, deal_of, dealt, person, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def at(monkeypatch, moment) -> None:
    """Let the clock stand at ``moment``."""
    monkeypatch.setattr(clock, "now", lambda: moment)


def mover(match: Match) -> Seat:
    return match.seats.select_related("player").get(seat=match.turn)


def post(match: Match, **other):
    """The first legal play of the seat whose turn it is, with ``other`` in place of its parts."""
    legal = deal_of(match).legal()[0]
    what = {
        "match_id": match.id,
        "player": mover(match).player,
        "number": match.number,
        "card": str(legal.card),
        "capture": write_cards(legal.capture),
    }
    return play.play_card(**(what | other))


class TestStart:
    def test_commits_before_anything_is_asked(self):
        match = a_match()
        line = Commitment.objects.get(number=match.commitment_number)
        assert line.sha256 == match.commitment
        assert match.status == Status.STARTING
        assert not match.server_seed
        assert {s.client_seed for s in match.seats.all()} == {""}

    def test_id_is_twelve_letters_or_digits(self):
        match = a_match()
        assert len(match.id) == 12
        assert match.id.isascii()
        assert match.id.isalnum()

    def test_a_house_player_gives_its_seed_at_once(self):
        match = a_match(Kind.PRACTICE)
        assert [s.client_seed for s in match.seats.all()] == ["", "house"]

    def test_server_seeds_are_never_alike(self):
        seeds = {play_on(dealt(), 0).commitment for _ in range(20)}
        assert len(seeds) == 20


class TestSeeds:
    def test_both_seeds_deal_the_first_deal(self):
        match = a_match()
        one, two = (s.player for s in match.seats.all())
        waiting = play.give_seed(match_id=match.id, player=one, client_seed="mine")
        assert waiting.status == Status.STARTING
        begun = play.give_seed(match_id=match.id, player=two, client_seed="yours")
        assert begun.status == Status.PLAYING
        assert begun.turn == 1 - begun.first_dealer
        assert begun.version > waiting.version

    def test_the_same_seed_again_changes_nothing(self):
        match = a_match()
        one = match.seats.get(seat=0).player
        first = play.give_seed(match_id=match.id, player=one, client_seed="mine")
        assert play.give_seed(match_id=match.id, player=one, client_seed="mine").version == (
            first.version
        )

    def test_a_seed_cannot_be_changed(self):
        match = a_match()
        one = match.seats.get(seat=0).player
        play.give_seed(match_id=match.id, player=one, client_seed="mine")
        with pytest.raises(Refused):
            play.give_seed(match_id=match.id, player=one, client_seed="other")
        assert match.seats.get(seat=0).client_seed == "mine"

    @pytest.mark.parametrize("bad", ["", "a b", "a:b", "x" * 65, "é", "a\x00", "٣"])
    def test_what_is_no_seed_is_refused(self, bad):
        match = a_match()
        with pytest.raises(Refused):
            play.give_seed(
                match_id=match.id, player=match.seats.get(seat=0).player, client_seed=bad
            )

    def test_without_a_seed_in_time_the_match_is_aborted(self, monkeypatch):
        match = a_match()
        at(monkeypatch, match.deadline + timedelta(seconds=2))
        play.sweep()
        match.refresh_from_db()
        assert (match.status, match.how, match.winner) == (Status.ABORTED, How.ABORT, None)
        assert fair.commitment(bytes.fromhex(match.server_seed)) == match.commitment

    def test_a_seed_after_the_limit_aborts_too(self, monkeypatch):
        match = a_match()
        at(monkeypatch, match.deadline + timedelta(seconds=2))
        late = play.give_seed(
            match_id=match.id, player=match.seats.get(seat=0).player, client_seed="late"
        )
        assert late.status == Status.ABORTED


class TestPlay:
    def test_a_play_moves_number_version_and_turn(self):
        match = dealt()
        after = post(match)
        assert (after.number, after.version) == (match.number + 1, match.version + 1)
        assert after.turn == 1 - match.turn
        assert Play.objects.get(match=match).number == 1

    def test_the_same_play_again_is_a_success_and_counts_once(self):
        match = dealt()
        first = post(match)
        row = Play.objects.get(match=match)
        again = play.play_card(
            match_id=match.id,
            player=mover(match).player,
            number=1,
            card=row.card,
            capture=row.captured,
        )
        assert again.version == first.version
        assert Play.objects.filter(match=match).count() == 1

    def test_another_card_under_a_past_number_is_stale(self):
        match = dealt()
        was = mover(match).player
        post(match)
        made = Play.objects.get(match=match).card
        with pytest.raises(Stale):
            play.play_card(
                match_id=match.id, player=was, number=1, card="Ks" if made != "Ks" else "Kd"
            )

    def test_a_number_to_come_is_stale(self):
        match = dealt()
        with pytest.raises(Stale):
            post(match, number=match.number + 1)

    def test_out_of_turn_is_not_now(self):
        match = dealt()
        other = match.seats.get(seat=1 - match.turn).player
        card = str(min(deal_of(match).hands[1 - match.turn]))
        with pytest.raises(NotNow):
            post(match, player=other, card=card, capture=None)

    def test_a_card_that_is_none_is_malformed(self):
        with pytest.raises(Malformed):
            post(dealt(), card="1d")

    def test_a_card_of_the_other_hand_is_illegal(self):
        match = dealt()
        with pytest.raises(Illegal):
            post(match, card=str(min(deal_of(match).hands[1 - match.turn])))

    def test_a_capture_that_is_not_maximal_is_illegal(self):
        match = dealt()
        legal = {(p.card, p.capture) for p in deal_of(match).legal()}
        card = min(deal_of(match).hands[match.turn])
        wrong = next(c for c in sorted(deal_of(match).floor) if (card, frozenset([c])) not in legal)
        with pytest.raises(Illegal):
            post(match, card=str(card), capture=str(wrong))

    def test_who_holds_no_seat_cannot_play(self):
        match = dealt()
        with pytest.raises(NotSeated):
            post(match, player=person())

    def test_a_refusal_changes_nothing(self):
        match = dealt()
        for bad in ({"card": "zz"}, {"number": 9}, {"player": person()}):
            with pytest.raises((Malformed, Refused)):
                post(match, **bad)
        now = Match.objects.get(pk=match.pk)
        assert (now.version, now.sealed) == (match.version, match.sealed)
        assert not Play.objects.exists()

    def test_a_choice_has_to_be_made(self):
        """Plays on until some card can take different ranks; leaving the choice out is refused."""
        seen = []

        def ask(deal):
            from games.engine import choices

            for card in sorted(deal.hands[deal.turn]):
                if len(choices(deal.floor, card)) > 1:
                    seen.append(card)
            throws = [p for p in deal.legal() if not p.capture]
            return (throws or deal.legal())[0]

        for _try in range(60):
            match = dealt()
            while not seen and match.status == Status.PLAYING and match.deal == 1:
                deal = deal_of(match)
                chosen = ask(deal)
                if seen:
                    with pytest.raises(ChoiceNeeded):
                        post(match, card=str(seen[0]), capture=None)
                    return
                match = post(match, card=str(chosen.card), capture=write_cards(chosen.capture))
        pytest.fail("no choice came up in 60 deals")

    def test_plays_cannot_be_changed_or_deleted(self):
        post(dealt())
        row = Play.objects.get()
        for act in (row.save, row.delete, Play.objects.all().delete):
            with pytest.raises(Immutable):
                act()
        with pytest.raises(Immutable):
            Play.objects.update(card="As")


class TestClock:
    def test_within_the_free_seconds_the_bank_stays(self, monkeypatch):
        match = post(dealt())
        at(monkeypatch, match.turn_began + timedelta(seconds=11.9))
        post(match)
        assert {s.bank_ms for s in match.seats.all()} == {90_000}

    def test_beyond_them_the_bank_runs(self, monkeypatch):
        match = post(dealt())
        at(monkeypatch, match.turn_began + timedelta(seconds=15))
        post(match)
        assert match.seats.get(seat=match.turn).bank_ms == 87_000
        assert Play.objects.get(number=2).spent_ms == 3_000

    @pytest.mark.parametrize(
        ("preset", "free", "bank"),
        [(Clock.FAST, 6, 45), (Clock.STANDARD, 12, 90), (Clock.RELAXED, 40, 300)],
    )
    def test_the_presets(self, monkeypatch, preset, free, bank):
        match = post(dealt(Kind.CHALLENGE, clock_preset=preset))
        assert match.deadline == match.turn_began + timedelta(seconds=free + bank)
        at(monkeypatch, match.turn_began + timedelta(seconds=free + 5))
        post(match)
        assert match.seats.get(seat=match.turn).bank_ms == (bank - 5) * 1000

    def test_more_time_doubles_the_free_seconds_of_who_asked(self, monkeypatch):
        match = post(dealt(players=[person(more_time=True), person(more_time=True)]))
        at(monkeypatch, match.turn_began + timedelta(seconds=25))
        post(match)
        assert match.seats.get(seat=match.turn).bank_ms == 89_000

    def test_the_opponent_is_told_of_more_time(self, client):
        slow, other = person(more_time=True), person()
        match = dealt(players=[slow, other])
        client.force_login(other)
        assert b"more time" in client.get(f"/games/{match.id}/").content
        assert b"more time" not in client.get(f"/games/{dealt().id}/").content

    def test_a_deals_first_turn_has_ten_seconds_more(self, monkeypatch):
        match = dealt()
        at(monkeypatch, match.turn_began + timedelta(seconds=22))
        post(match)
        assert {s.bank_ms for s in match.seats.all()} == {90_000}

    def test_a_play_a_second_late_counts(self, monkeypatch):
        match = dealt()
        at(monkeypatch, match.deadline + timedelta(seconds=0.9))
        assert post(match).number == 2

    def test_an_empty_bank_loses(self, monkeypatch):
        match = dealt()
        at(monkeypatch, match.deadline + timedelta(seconds=1.1))
        with pytest.raises(NotNow):
            post(match)
        match.refresh_from_db()
        assert (match.how, match.winner) == (How.TIME, 1 - mover_was(match))
        assert not Play.objects.exists()

    def test_the_sweep_ends_what_is_overdue(self, monkeypatch):
        match = dealt()
        at(monkeypatch, match.deadline + timedelta(seconds=1.1))
        play.sweep()
        match.refresh_from_db()
        assert match.how == How.TIME

    def test_the_sweep_leaves_what_is_not(self, monkeypatch):
        match = dealt()
        at(monkeypatch, match.deadline + timedelta(seconds=0.9))
        play.sweep()
        match.refresh_from_db()
        assert match.status == Status.PLAYING

    def test_practice_has_no_clock_but_a_day(self, monkeypatch):
        match = dealt(Kind.PRACTICE)
        assert match.clock == Clock.NONE
        at(monkeypatch, match.turn_began + timedelta(hours=23))
        play.sweep()
        assert Match.objects.get(pk=match.pk).status == Status.PLAYING

    def test_practice_left_for_a_day_is_lost_on_time(self, monkeypatch):
        match = dealt(Kind.PRACTICE)
        while match.turn == 1:
            play.house_turn(match_id=match.id, number=match.number)
            match.refresh_from_db()
        at(monkeypatch, match.turn_began + timedelta(hours=25))
        play.sweep()
        match.refresh_from_db()
        assert (match.how, match.winner) == (How.TIME, 1)

    def test_practice_never_dealt_is_aborted_after_a_day(self, monkeypatch):
        match = a_match(Kind.PRACTICE)
        at(monkeypatch, match.created_at + timedelta(hours=25))
        play.sweep()
        match.refresh_from_db()
        assert match.status == Status.ABORTED


def mover_was(match: Match) -> int:
    """The seat whose turn it was in the first deal before any play."""
    return 1 - match.first_dealer


class TestEnd:
    def test_a_whole_match_ends_on_points_and_its_record_verifies(self):
        match = play_on(dealt())
        assert match.status == Status.FINISHED
        assert match.how == How.POINTS
        assert max(match.totals) >= 101
        assert match.sealed == ""
        record = record_for(match.id, None)
        verify(record)
        assert record["result"]["totals"] == list(match.totals)
        assert MatchDeal.objects.filter(match=match, pack="").count() == 0

    def test_nothing_counts_before_a_deal_is_over(self):
        match = play_on(dealt(), 47)
        assert match.totals == (0, 0)
        after = play_on(match, 1)
        assert after.deal == 2 or after.is_over
        assert MatchDeal.objects.get(match=match, index=1).pack

    def test_the_running_pack_is_not_written(self):
        match = play_on(dealt(), 50)
        assert MatchDeal.objects.get(match=match, index=2).pack == ""

    def test_resigning_loses_whatever_the_points(self):
        match = play_on(dealt(), 20)
        loser = match.seats.get(seat=0).player
        over = play.resign(match_id=match.id, player=loser)
        assert (over.how, over.winner) == (How.RESIGNATION, 1)
        verify(record_for(match.id, None))

    def test_resigning_twice_is_the_same(self):
        match = dealt()
        loser = match.seats.get(seat=0).player
        first = play.resign(match_id=match.id, player=loser)
        again = play.resign(match_id=match.id, player=match.seats.get(seat=1).player)
        assert (again.winner, again.version) == (first.winner, first.version)

    def test_once_dealt_a_match_cannot_be_aborted(self):
        match = dealt()
        with pytest.raises(Refused):
            play.abort(match_id=match.id, player=match.seats.get(seat=0).player)

    def test_before_the_deal_there_is_nothing_to_resign(self):
        match = a_match()
        with pytest.raises(Refused):
            play.resign(match_id=match.id, player=match.seats.get(seat=0).player)

    def test_a_play_after_the_end_is_stale(self):
        match = dealt()
        play.resign(match_id=match.id, player=match.seats.get(seat=0).player)
        with pytest.raises(Stale):
            play.play_card(
                match_id=match.id,
                player=match.seats.get(seat=0).player,
                number=1,
                card="As",
            )


class TestHouse:
    def practice(self) -> Match:
        match = dealt(Kind.PRACTICE)
        while match.turn == 0:
            match = post(match)
        return match

    def test_it_plays_its_turn(self):
        match = self.practice()
        play.house_turn(match_id=match.id, number=match.number)
        assert Match.objects.get(pk=match.pk).number == match.number + 1

    def test_a_stale_turn_does_nothing(self):
        match = self.practice()
        play.house_turn(match_id=match.id, number=match.number)
        play.house_turn(match_id=match.id, number=match.number)
        play.house_turn(match_id=match.id, number=match.number + 5)
        assert Play.objects.filter(match=match, number=match.number).count() == 1
        assert Match.objects.get(pk=match.pk).number == match.number + 1

    def test_its_turn_is_enqueued_after_the_commit(
        self, sent_tasks, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks() as held:
            match = self.practice()
        assert not sent_tasks
        for callback in held:
            callback()
        assert ("games.tasks.house_turn", [match.id, match.number]) in sent_tasks

    def test_the_sweep_sends_again_what_was_lost(
        self, sent_tasks, monkeypatch, django_capture_on_commit_callbacks
    ):
        match = self.practice()
        at(monkeypatch, match.house_due + timedelta(seconds=10))
        with django_capture_on_commit_callbacks(execute=True):
            play.sweep()
        assert sent_tasks == [("games.tasks.house_turn", [match.id, match.number])]

    def test_a_person_is_not_played_for(self):
        match = dealt(Kind.PRACTICE)
        while match.turn == 1:
            play.house_turn(match_id=match.id, number=match.number)
            match.refresh_from_db()
        play.house_turn(match_id=match.id, number=match.number)
        assert Match.objects.get(pk=match.pk).number == match.number
