"""Appeals: one against each sanction, decided by another moderator; and the moderators' pages."""

import pytest

from games.models import Notification
from games.services import accounts
from games.services.errors import Refused
from ladder.models import Appeal, AuditEntry, Measure, Reason, Role, Sanction
from ladder.selectors import sanctions as selector
from ladder.services import appeals, sanctions
from tests.factories import person, staff

pytestmark = pytest.mark.django_db
SCRIPT = "<script>alert(1)</script>\u202e"


@pytest.fixture
def boss():
    return staff(Role.SENIOR)


@pytest.fixture
def other():
    return staff(Role.SENIOR)


@pytest.fixture
def case(boss):
    """A player and the sanction against them, acknowledged."""

    def make(measure=Measure.SUSPENSION):
        player = person()
        made = sanctions.impose(boss, player, measure, reason=Reason.INSULTS)
        sanctions.acknowledge(made, player)
        return player, made

    return make


class TestAppealing:
    @pytest.mark.parametrize("measure", Measure)
    def test_once_against_each_measure(self, case, client, measure):
        player, made = case(measure)
        client.force_login(player)
        address = f"/sanctions/{made.pk}/appeal/"
        assert client.post(address, {"text": "It was not me."}).status_code == 303
        assert client.post(address, {"text": "It was not me."}).status_code == 303
        second = client.post(address, {"text": "Really not."})
        assert second.status_code == 409
        assert "once" in second.content.decode()
        assert Appeal.objects.get().text == "It was not me."
        page = client.get("/sanctions/").content.decode()
        assert "Another moderator will decide" in page
        assert 'data-action="appeal"' not in page

    def test_before_it_is_acknowledged(self, boss, client):
        player = person()
        made = sanctions.impose(boss, player, Measure.CLOSURE, reason=Reason.OTHER)
        client.force_login(player)
        assert client.post(f"/sanctions/{made.pk}/appeal/", {"text": "Why?"}).status_code == 303
        assert Appeal.objects.exists()

    @pytest.mark.parametrize("text", ["", "  \u200b ", "\x00", "x" * 1001, "x" * 5000])
    def test_nothing_and_too_much_are_refused_and_what_was_typed_stays(self, case, client, text):
        player, made = case()
        client.force_login(player)
        answer = client.post(f"/sanctions/{made.pk}/appeal/", {"text": text})
        assert answer.status_code == 409
        assert not Appeal.objects.exists()

    def test_against_somebody_elses_there_is_none(self, case, client):
        _player, made = case()
        client.force_login(person())
        for address in (f"/sanctions/{made.pk}/appeal/", f"/sanctions/{made.pk}/acknowledge/"):
            assert client.post(address, {"text": "Me."}).status_code == 404
        assert client.post(f"/sanctions/{10**30}/appeal/").status_code == 404
        client.logout()
        assert client.post(f"/sanctions/{made.pk}/appeal/", {"text": "Me."}).status_code == 302
        assert not Appeal.objects.exists()

    def test_against_what_is_taken_back_there_is_none(self, case, boss):
        player, made = case()
        sanctions.undo(made, boss, "")
        with pytest.raises(Refused, match="taken back"):
            appeals.appeal(made, player, "Please.")

    def test_not_again_from_a_second_account(self, case):
        old, made = case()
        sanctions.on_address(old, "me@example.org")
        appeals.appeal(made, old, "It was not me.")
        new = person()
        sanctions.on_address(new, "me@example.org")
        carried = Sanction.objects.get(player=new)
        with pytest.raises(Refused, match="once"):
            appeals.appeal(carried, new, "It was not me.")
        (notice,) = selector.notices(new)
        assert not notice.may_appeal


class TestDeciding:
    def test_granted_undoes_it_and_the_player_is_told(self, case, other):
        player, made = case()
        row = appeals.decide(appeals.appeal(made, player, "No."), other, True, "You are right.")
        made.refresh_from_db()
        assert (made.undone_by, row.decided_by, row.granted) == (other, other, True)
        player.refresh_from_db()
        assert not player.is_held
        told = Notification.objects.get(player=player, read_at=None)
        assert told.facts["answer"] == "granted"
        acts = list(AuditEntry.objects.values_list("act", flat=True))
        assert acts == ["sanction.undo", "appeal.decide", "sanction.suspend"]

    def test_rejected_it_stands(self, case, other, client):
        player, made = case()
        appeals.decide(appeals.appeal(made, player, "No."), other, False, "It was you.")
        made.refresh_from_db()
        assert made.undone_at is None
        assert Notification.objects.get(player=player, read_at=None).facts["answer"] == "rejected"
        client.force_login(player)
        page = client.get("/sanctions/").content.decode()
        assert "rejected" in page
        assert "It was you." in page

    def test_not_by_who_imposed_it_nor_by_a_lower_role(self, case, boss):
        player, made = case()
        row = appeals.appeal(made, player, "No.")
        for by in (boss, staff(Role.MODERATOR), staff(Role.HELPER), player, person()):
            with pytest.raises(Refused):
                appeals.decide(row, by, True, "")
        row.refresh_from_db()
        assert row.granted is None
        assert AuditEntry.objects.filter(act="appeal.decide").count() == 0

    def test_the_first_decision_holds(self, case, other):
        player, made = case()
        row = appeals.appeal(made, player, "No.")
        appeals.decide(row, other, False, "It was you.")
        assert appeals.decide(row, other, False, "Once more.").answer == "It was you."
        with pytest.raises(Refused, match="already"):
            appeals.decide(row, staff(Role.SENIOR), True, "")
        assert AuditEntry.objects.filter(act="appeal.decide").count() == 1


class TestPages:
    def test_the_whole_of_it(self, case, other, boss, client):
        player, made = case()
        row = appeals.appeal(made, player, SCRIPT + "It was my brother.")
        client.force_login(other)
        assert (
            f"/moderation/appeals/{row.pk}/" in client.get("/moderation/appeals/").content.decode()
        )
        page = client.get(f"/moderation/appeals/{row.pk}/").content.decode()
        assert "It was my brother." in page
        assert "<script>alert" not in page
        assert "\u202e" not in page
        wrong = client.post(f"/moderation/appeals/{row.pk}/", {"decision": "maybe"})
        assert wrong.status_code == 409
        done = client.post(
            f"/moderation/appeals/{row.pk}/", {"decision": "grant", "answer": SCRIPT}, follow=True
        )
        assert "No appeal waits" in done.content.decode()
        client.force_login(player)
        assert "<script>alert" not in client.get("/sanctions/").content.decode()

    def test_who_imposed_it_sees_no_form_and_cannot_post(self, case, boss, client):
        player, made = case()
        row = appeals.appeal(made, player, "No.")
        client.force_login(boss)
        page = client.get(f"/moderation/appeals/{row.pk}/").content.decode()
        assert "somebody else decides" in page
        assert 'data-action="grant"' not in page
        answer = client.post(f"/moderation/appeals/{row.pk}/", {"decision": "grant"})
        assert answer.status_code == 409

    def test_there_are_none_for_anybody_else(self, case, client):
        player, made = case(Measure.MUTE)
        row = appeals.appeal(made, player, "No.")
        for who in (None, person(), player, staff(Role.HELPER), staff(Role.MODERATOR)):
            client.logout()
            if who is not None:
                client.force_login(who)
            for address in ("/moderation/appeals/", f"/moderation/appeals/{row.pk}/"):
                assert client.get(address).status_code == 404
            assert client.post(f"/moderation/appeals/{row.pk}/").status_code == 404
        client.force_login(staff(Role.SENIOR))
        assert client.get(f"/moderation/appeals/{10**30}/").status_code == 404

    def test_nobody_reads_what_an_equal_says(self, other, client):
        boss, equal = staff(Role.ADMINISTRATOR), staff(Role.SENIOR)
        made = sanctions.impose(boss, equal, Measure.MUTE, reason=Reason.INSULTS)
        row = appeals.appeal(made, equal, "No.")
        client.force_login(other)
        assert "No appeal waits" in client.get("/moderation/appeals/").text
        assert client.get(f"/moderation/appeals/{row.pk}/").status_code == 404
        client.force_login(staff(Role.ADMINISTRATOR))
        assert 'data-action="grant"' in client.get(f"/moderation/appeals/{row.pk}/").text

    def test_a_withheld_name_is_read_by_who_decides_on_it(self, case, other, client):
        player, made = case(Measure.RENAME)
        row = appeals.appeal(made, player, "It is my name.")
        client.force_login(other)
        assert player.name in client.get(f"/moderation/appeals/{row.pk}/").text
        player.refresh_from_db()
        accounts.close_account(player)
        assert player.name not in client.get(f"/moderation/appeals/{row.pk}/").text
        assert "closed account" in client.get("/moderation/appeals/").text

    def test_many_cost_no_more(self, boss, other, client, django_assert_max_num_queries):
        for _number in range(60):
            player = person()
            made = Sanction.objects.create(
                player=player, by=boss, measure="mute", reason="other", began_at=player.date_joined
            )
            Appeal.objects.create(sanction=made, text="No.", made_at=player.date_joined)
        client.force_login(other)
        client.get("/moderation/appeals/")
        with django_assert_max_num_queries(14):
            assert 'href="?page=2"' in client.get("/moderation/appeals/").content.decode()
