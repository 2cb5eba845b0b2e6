"""Restitution by moderators: cheats marked, matches annulled, and both taken back to the point."""

from datetime import timedelta

import pytest

from games.models import Match, Notification, clock
from games.services.errors import Refused
from ladder.models import (
    AuditEntry,
    ChangeKind,
    GivenBack,
    Measure,
    Rating,
    RatingChange,
    Reason,
    Role,
    Sanction,
)
from ladder.services import annulments, recompute, restitution, sanctions
from tests.factories import a_match, person, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss():
    return staff(Role.SENIOR)


@pytest.fixture(autouse=True)
def _clean_in_the_end():
    yield
    assert recompute.survey().clean


def mark(by, player) -> Sanction:
    return sanctions.impose(by, player, Measure.CHEAT, reason=Reason.CHEATING)


def ratings() -> list[dict]:
    columns = [*recompute.FROM_LEDGER, "listed", "barred", "player_id"]
    return list(Rating.objects.filter(matches__gt=0).order_by("player").values(*columns))


def lost_to(cheat, victim) -> int:
    rows = RatingChange.objects.filter(player=victim, opponent=cheat, kind=ChangeKind.RESULT)
    return -sum(row.change for row in rows if row.change < 0)


class TestMarking:
    def test_each_victim_gets_back_what_was_lost_and_is_told(self, boss, beats):
        cheat, one, two, winner = person(), person(), person(), person()
        for _match in range(3):
            beats(cheat, one)
        beats(cheat, two)
        beats(one, two)
        beats(winner, cheat)
        before = {row.player_id: row.rating for row in Rating.objects.all()}
        made = mark(boss, cheat)
        rows = RatingChange.objects.filter(kind=ChangeKind.REFUND)
        assert rows.count() == GivenBack.objects.filter(sanction=made).count() == 4
        for victim in (one, two):
            after = Rating.objects.get(player=victim).rating
            assert after - before[victim.pk] == lost_to(cheat, victim)
            told = Notification.objects.get(player=victim, topic="refund")
            assert told.facts == {"answer": "cheat", "text": f"+{lost_to(cheat, victim)}"}
        for untouched in (cheat, winner):
            assert Rating.objects.get(player=untouched).rating == before[untouched.pk]

    def test_at_most_150_each(self, boss, beats):
        cheat, victim = person(), person()
        while lost_to(cheat, victim) < 160:
            beats(cheat, victim)
        mark(boss, cheat)
        rows = RatingChange.objects.filter(kind=ChangeKind.REFUND, player=victim)
        assert sum(row.change for row in rows) == 150
        assert Notification.objects.get(player=victim, topic="refund").facts["text"] == "+150"

    def test_of_the_last_thirty_days(self, boss, beats, later):
        cheat, old, new = person(), person(), person()
        beats(cheat, old)
        later(days=20)
        beats(cheat, new)
        later(days=30, minutes=1)
        mark(boss, cheat)
        assert RatingChange.objects.get(kind=ChangeKind.REFUND).player == new

    def test_what_was_given_back_before_is_not_given_twice(self, boss, beats):
        cheat, one, two, three = person(), person(), person(), person()
        annulled, refunded = beats(cheat, one), beats(cheat, two)
        beats(cheat, three)
        annulments.annul(boss, annulled, "")
        lost = RatingChange.objects.get(match=refunded, player=two, kind=ChangeKind.RESULT)
        restitution.refund(lost, 5)
        made = mark(boss, cheat)
        assert [row.change.player for row in made.given_back.all()] == [three]
        sanctions.undo(made, boss, "")
        assert not RatingChange.objects.filter(player=two, kind=ChangeKind.REVERSAL).exists()

    def test_undoing_reverses_exactly_that(self, boss, beats):
        cheat, one, two = person(), person(), person()
        for _match in range(11):
            beats(cheat, one)
            beats(two, one)
        before = ratings()
        made = mark(boss, cheat)
        assert ratings() != before
        sanctions.undo(made, boss, "It was somebody else.")
        assert ratings() == before
        told = Notification.objects.get(player=one, topic="refund")
        given = sum(row.change.change for row in made.given_back.select_related("change"))
        assert told.facts == {"answer": "reversed", "text": f"−{given}"}

    def test_what_was_played_between_stays_to_the_point(self, boss, beats):
        cheat, one, two = person(), person(), person()
        for _match in range(4):
            beats(cheat, one)
        made = mark(boss, cheat)
        beats(one, two)
        between = Rating.objects.get(player=one).rating
        given = sum(row.change.change for row in made.given_back.select_related("change"))
        sanctions.undo(made, boss, "")
        assert Rating.objects.get(player=one).rating == between - given

    def test_twice_gives_once(self, boss, beats):
        cheat, one = person(), person()
        beats(cheat, one)
        made = mark(boss, cheat)
        assert mark(boss, cheat) == made
        sanctions.undo(made, boss, "")
        sanctions.undo(made, boss, "")
        assert RatingChange.objects.filter(kind=ChangeKind.REFUND).count() == 1
        assert RatingChange.objects.filter(kind=ChangeKind.REVERSAL).count() == 1

    def test_marked_again_what_was_reversed_stays_reversed(self, boss, beats):
        cheat, one, two = person(), person(), person()
        beats(cheat, one)
        sanctions.undo(mark(boss, cheat), boss, "")
        beats(cheat, two)
        again = mark(boss, cheat)
        assert [row.change.player for row in again.given_back.all()] == [two]

    def test_all_of_it_stands_or_falls_together(self, boss, beats, monkeypatch):
        cheat, one, two = person(), person(), person()
        beats(cheat, one)
        beats(cheat, two)
        real, calls = restitution.refund, []

        def break_at_the_second(loss, points):
            calls.append(loss)
            if len(calls) == 2:
                raise RuntimeError
            return real(loss, points)

        monkeypatch.setattr(restitution, "refund", break_at_the_second)
        with pytest.raises(RuntimeError):
            mark(boss, cheat)
        assert not RatingChange.objects.filter(kind=ChangeKind.REFUND).exists()
        assert not Sanction.objects.exists()
        assert not AuditEntry.objects.exists()
        cheat.refresh_from_db()
        assert not cheat.is_held


class TestAnnulling:
    def test_both_sides_are_told_and_pages_say_so(self, boss, beats, client):
        one, two = person(), person()
        match = beats(one, two)
        client.force_login(boss)
        address = f"/moderation/matches/{match.id}/annul/"
        assert "gets back exactly its change" in client.get(address).content.decode()
        assert client.post(address, {"why": "Thrown."}).status_code == 303
        texts = {row.player: row.facts for row in Notification.objects.filter(topic="refund")}
        assert texts == {
            one: {"answer": "annulled", "text": "−16"},
            two: {"answer": "annulled", "text": "+16"},
        }
        for player, change in ((one, -16), (two, 16)):
            entry = AuditEntry.objects.get(player=player.pk)
            assert (entry.act, entry.match, entry.why) == ("match.annul", match.id, "Thrown.")
            assert entry.after["changes"] == {str(player.pk): change}
            found = client.get("/moderation/audit/", {"player": f"#{player.pk}"}).text
            assert "<bdi>Thrown.</bdi>" in found
        assert "data-annulled" in client.get(match.get_absolute_url()).content.decode()
        client.force_login(one)
        assert "annulled" in client.get("/games/").content.decode()
        assert "annulled" in client.get(one.get_absolute_url()).content.decode()

    def test_taken_back_to_the_point(self, boss, beats, client):
        one, two = person(), person()
        match = beats(one, two)
        before = ratings()
        annulments.annul(boss, match, "")
        client.force_login(boss)
        address = f"/moderation/matches/{match.id}/annul/"
        assert "Reverse the annulment" in client.get(address).content.decode()
        client.post(address, {"undo": "yes", "why": "It was fair."})
        client.post(address, {"undo": "yes", "why": "It was fair."})
        assert ratings() == before
        for player in (one, two):
            acts = AuditEntry.objects.filter(player=player.pk).values_list("after", flat=True)
            assert [after["annulled"] for after in acts] == [False, True]
        assert "data-annulled" not in client.get(match.get_absolute_url()).content.decode()

    def test_twice_is_once(self, boss, beats):
        match = beats(person(), person())
        rows = annulments.annul(boss, match, "")
        assert annulments.annul(boss, match, "") == rows
        assert AuditEntry.objects.count() == len(rows) == 2

    def test_what_cannot_be_is_said(self, boss, beats, client):
        client.force_login(boss)
        running = a_match()
        asked = client.get(f"/moderation/matches/{running.id}/annul/")
        assert "nothing to annul" in asked.content.decode()
        why = {"why": "Thrown."}
        answer = client.post(f"/moderation/matches/{running.id}/annul/", why, follow=True)
        assert "moved no rating" in answer.content.decode()
        match = beats(person(), person())
        undo = {**why, "undo": "1"}
        answer = client.post(f"/moderation/matches/{match.id}/annul/", undo, follow=True)
        assert "has not been annulled" in answer.content.decode()
        assert client.post("/moderation/matches/nothing/annul/").status_code == 404
        assert not AuditEntry.objects.exists()

    def test_only_seniors_may_and_nobody_their_own(self, beats, client):
        match = beats(person(), person())
        for role in (Role.HELPER, Role.MODERATOR):
            client.force_login(staff(role))
            assert client.post(f"/moderation/matches/{match.id}/annul/").status_code == 404
        was_player = match.seats.get(seat=0).player
        was_player.is_superuser = was_player.is_staff = True
        was_player.save()
        with pytest.raises(Refused):
            annulments.annul(staff(Role.SENIOR), match, "")
        assert Match.objects.get(pk=match.pk).rating_changes.count() == 2


def test_many_victims_are_bounded_by_their_losses(boss, beats, django_assert_max_num_queries):
    cheat = person()
    for _victim in range(8):
        beats(cheat, person())
    with django_assert_max_num_queries(60 + 8 * 20):
        made = mark(boss, cheat)
    assert made.given_back.count() == 8
    assert clock.now() - made.began_at < timedelta(minutes=1)
