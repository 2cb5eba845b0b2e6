"""Measures against players: imposed, read, undone, ended by themselves; by whom, and once."""

from datetime import timedelta

import pytest

from games.models import Notification, PlayerKind, clock
from games.services import renaming
from games.services.errors import Refused
from ladder.models import AuditEntry, Measure, Reason, Role, Sanction, SanctionedAddress
from ladder.selectors import sanctions as selector
from ladder.services import sanctions
from tests.factories import person, staff

pytestmark = pytest.mark.django_db
ENDING = [Measure.MUTE, Measure.PAUSE, Measure.OFF_BOARD, Measure.SUSPENSION]


@pytest.fixture
def boss():
    return staff(Role.SENIOR)


def impose(by, player, measure=Measure.MUTE, **how):
    return sanctions.impose(by, player, measure, **{"reason": Reason.INSULTS, **how})


class TestImposing:
    @pytest.mark.parametrize("measure", Measure)
    def test_each_is_kept_told_and_in_the_trail(self, boss, measure):
        player = person()
        made = impose(boss, player, measure, message="Mind your words.", days=3)
        entry = AuditEntry.objects.get()
        assert (entry.act, entry.by, entry.player) == (f"sanction.{measure}", boss.pk, player.pk)
        assert entry.why == made.message == "Mind your words."
        assert (entry.before["in_force"], entry.after["sanction"]) == ([], made.pk)
        assert selector.to_acknowledge(player) == [made]
        bites = measure != Measure.WARNING
        assert selector.in_force(player) == ([made] if bites else [])
        assert selector.holds(player, measure) == bites
        assert Notification.objects.get(player=player).topic == "warning"

    @pytest.mark.parametrize("measure", ENDING)
    def test_ends_by_itself(self, boss, measure, later):
        player = person()
        made = impose(boss, player, measure, days=1)
        sanctions.acknowledge(made, player)
        later(days=1, seconds=-1)
        assert selector.holds(player, measure)
        later(days=1, seconds=1)
        assert not selector.holds(player, measure)
        assert sanctions.end_lapsed() == 1
        player.refresh_from_db()
        assert not player.is_held
        assert sanctions.end_lapsed() == 0

    def test_what_has_run_out_unread_is_still_to_be_read(self, boss, later):
        player = person()
        made = impose(boss, player, days=1)
        later(days=2)
        sanctions.end_lapsed()
        player.refresh_from_db()
        assert selector.to_acknowledge(player) == [made]

    @pytest.mark.parametrize("measure", selector.ENDLESS)
    def test_some_have_no_end(self, boss, measure):
        assert impose(boss, person(), measure, days=1).until is None

    def test_the_ready_text_is_in_the_players_language(self, boss):
        text = {}
        for language in ("en", "ar"):
            text[language] = impose(boss, person(language=language), days=3).message
        assert "You have insulted other players." in text["en"]
        assert "Until" in text["en"]
        assert impose(boss, person()).message == (
            "You have insulted other players. You cannot write at the tables any more, "
            "and nobody sees the text on your profile."
        )

    @pytest.mark.parametrize("measure", Measure)
    @pytest.mark.parametrize("reason", Reason)
    def test_there_is_a_ready_text_for_each(self, measure, reason):
        endless = measure not in ENDING
        until = None if endless else clock.now() + timedelta(days=400)
        text = selector.ready_text(person(), measure, reason, until)
        assert 20 < len(text) < sanctions.MESSAGE_LONGEST
        assert endless or str(until.year) in text

    def test_a_message_keeps_its_lines_and_nothing_unseen(self, boss):
        made = impose(boss, person(), message="One\u202e\x00\nTwo\u2066")
        assert made.message == "One\nTwo"

    @pytest.mark.parametrize(
        "wrong",
        [
            {"measure": "flogging"},
            {"reason": "none"},
            {"days": 0},
            {"days": -1},
            {"days": 10**9},
            {"days": float("nan")},
            {"running": "won"},
            {"message": "x" * 1001},
            {"message": "\x00" * 9000},
        ],
    )
    def test_what_is_no_choice_is_refused(self, boss, wrong):
        measure = wrong.pop("measure", Measure.MUTE)
        with pytest.raises(Refused):
            impose(boss, person(), measure, **wrong)
        assert not Sanction.objects.exists()
        assert not AuditEntry.objects.exists()

    def test_guests_and_closed_accounts_are_out_of_reach(self, boss):
        for kind in (PlayerKind.GUEST, PlayerKind.CLOSED):
            with pytest.raises(Refused):
                impose(boss, person(kind=kind))


class TestWho:
    @pytest.mark.parametrize(
        ("role", "measure", "allowed"),
        [
            (Role.HELPER, Measure.MUTE, True),
            (Role.HELPER, Measure.SUSPENSION, False),
            (Role.MODERATOR, Measure.SUSPENSION, True),
            (Role.MODERATOR, Measure.CHEAT, False),
            (Role.SENIOR, Measure.CHEAT, True),
        ],
    )
    def test_the_role_decides(self, role, measure, allowed):
        by, player = staff(role), person()
        if allowed:
            assert impose(by, player, measure)
        else:
            with pytest.raises(Refused):
                impose(by, player, measure)
            assert not Sanction.objects.exists()

    def test_who_may_not_impose_it_may_not_undo_it(self, boss):
        made = impose(boss, person(), Measure.CHEAT)
        with pytest.raises(Refused):
            sanctions.undo(made, staff(Role.MODERATOR), "")
        made.refresh_from_db()
        assert made.undone_at is None

    def test_nobody_acts_on_oneself_or_an_equal(self, boss):
        for player in (boss, staff(Role.SENIOR), staff(Role.ADMINISTRATOR)):
            with pytest.raises(Refused):
                impose(boss, player)

    def test_a_player_may_nothing(self):
        with pytest.raises(Refused):
            impose(person(), person())


class TestTwice:
    @pytest.mark.parametrize("measure", Measure)
    def test_a_double_click_is_one(self, boss, measure):
        player = person()
        made = impose(boss, player, measure)
        assert impose(boss, player, measure) == made
        assert Sanction.objects.count() == AuditEntry.objects.count() == 1
        player.refresh_from_db()
        shut_out = measure in selector.SHUT_OUT
        assert player.sessions_ended == (1 if shut_out else 0)

    def test_of_two_moderators_the_second_is_told(self, boss):
        player = person()
        impose(boss, player)
        with pytest.raises(Refused, match="in force"):
            impose(staff(Role.MODERATOR), player)
        assert Sanction.objects.count() == 1

    def test_each_may_warn(self, boss, later):
        player = person()
        impose(boss, player, Measure.WARNING)
        impose(staff(Role.MODERATOR), player, Measure.WARNING)
        later(minutes=2)
        impose(boss, player, Measure.WARNING)
        assert Sanction.objects.count() == 3

    def test_undone_twice_is_undone_once(self, boss):
        made = impose(boss, person())
        first = sanctions.undo(made, boss, "Wrong one.")
        again = sanctions.undo(made, staff(Role.MODERATOR), "Mine.")
        assert (again.undone_by, again.undone_why) == (boss, "Wrong one.")
        assert first.undone_at == again.undone_at
        assert AuditEntry.objects.filter(act="sanction.undo").count() == 1


class TestReading:
    def test_once_and_only_ones_own(self, boss, later):
        player = person()
        made = impose(boss, player)
        with pytest.raises(Sanction.DoesNotExist):
            sanctions.acknowledge(made, person())
        first = sanctions.acknowledge(made, player).acknowledged_at
        later(minutes=1)
        assert sanctions.acknowledge(made, player).acknowledged_at == first
        assert selector.to_acknowledge(player) == []
        assert selector.holds(player, Measure.MUTE)

    def test_a_warning_is_over_when_it_is_read(self, boss):
        player = person()
        sanctions.acknowledge(impose(boss, player, Measure.WARNING), player)
        assert not player.is_held


class TestUndoing:
    @pytest.mark.parametrize("measure", Measure)
    def test_nothing_stands_any_more(self, boss, measure):
        player = person()
        sanctions.undo(impose(boss, player, measure), boss, "A mistake.")
        player.refresh_from_db()
        assert (player.is_held, player.mask) == (False, "")
        assert not selector.holds(player, measure)
        entry = AuditEntry.objects.first()
        assert (entry.act, entry.why, entry.player) == ("sanction.undo", "A mistake.", player.pk)
        assert entry.after["in_force"] == []
        told = Notification.objects.filter(player=player, read_at=None)
        assert [line.facts["answer"] for line in told] == ["undone"]

    def test_of_one_leaves_the_other(self, boss):
        player = person()
        mute = impose(boss, player)
        pause = impose(boss, player, Measure.PAUSE)
        sanctions.undo(mute, boss, "")
        player.refresh_from_db()
        assert selector.in_force(player) == [pause]


class TestAnotherName:
    def test_the_old_one_is_out_of_sight_and_never_free_again(self, boss, client):
        player = person("Badword")
        made = impose(boss, player, Measure.RENAME, reason=Reason.NAME)
        assert player.shown_name == "name withheld"
        assert "badword" not in player.get_absolute_url()
        page = client.get("/players/Badword/")
        assert page.status_code == 302
        assert "badword" not in page.url.lower()
        assert "badword" not in client.get(page.url).content.decode().lower()
        renaming.rename(player=player, name="Polite")
        player.refresh_from_db()
        assert (player.shown_name, player.mask) == ("Polite", "")
        assert not selector.holds(player, Measure.RENAME)
        assert player.former_names.get(name_key="badword").until is None
        old = client.get("/players/badword/")
        assert old.url == player.get_absolute_url() == "/players/polite/"
        assert "badword" not in client.get(old.url).content.decode().lower()
        made.refresh_from_db()
        assert made.name_key == "badword"

    def test_it_need_not_wait_and_the_same_name_will_not_do(self, boss):
        player = person("Badword", renamed_at=clock.now())
        impose(boss, player, Measure.RENAME, reason=Reason.NAME)
        with pytest.raises(Exception, match="taken"):
            renaming.rename(player=player, name="Badword")
        renaming.rename(player=player, name="Polite")

    def test_undone_before_the_change_the_name_is_back(self, boss):
        player = person("Fine")
        sanctions.undo(impose(boss, player, Measure.RENAME), boss, "")
        player.refresh_from_db()
        assert player.shown_name == "Fine"

    def test_undone_after_it_the_name_may_be_taken_again(self, boss):
        player = person("Fine")
        made = impose(boss, player, Measure.RENAME)
        renaming.rename(player=player, name="Polite")
        sanctions.undo(made, boss, "")
        renaming.rename(player=player, name="Fine")
        player.refresh_from_db()
        assert player.name == "Fine"


class TestNoEscape:
    def test_a_freed_name_carries_nothing(self, boss):
        player = person("Sought")
        impose(boss, player, Measure.MUTE)
        player.name = "Elsewhere"
        player.save()
        assert not person("Sought").is_held

    def test_who_comes_back_with_the_address_comes_back_to_it(self, boss):
        old, new = person(), person()
        made = impose(boss, old, Measure.SUSPENSION, days=30)
        sanctions.on_address(old, "Me@example.org")
        assert "example" not in SanctionedAddress.objects.get().digest
        sanctions.on_address(new, "me@example.org ")
        (carried,) = selector.in_force(new)
        assert (carried.measure, carried.until, carried.follows) == (
            Measure.SUSPENSION,
            made.until,
            made,
        )
        assert new.sessions_ended == 1
        sanctions.on_address(new, "me@example.org")
        assert len(selector.in_force(new)) == 1
        sanctions.undo(made, boss, "")
        new.refresh_from_db()
        assert not new.is_held

    def test_what_is_over_is_not_carried_and_the_address_is_forgotten(self, boss):
        old, new = person(), person()
        made = impose(boss, old, Measure.MUTE)
        sanctions.on_address(old, "me@example.org")
        sanctions.undo(made, boss, "")
        sanctions.on_address(new, "me@example.org")
        assert not new.is_held
        sanctions.end_lapsed()
        assert not SanctionedAddress.objects.exists()
