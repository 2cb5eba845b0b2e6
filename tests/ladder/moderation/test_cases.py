"""Cases: in order, one moderator at a time, and closed with everything answered."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Notification, Player
from games.services import accounts, play
from games.services.errors import Refused
from ladder.models import (
    Act,
    AuditEntry,
    Case,
    Finding,
    FindingKind,
    Measure,
    Note,
    Reason,
    Report,
    Sanction,
)
from ladder.selectors import moderation as selector
from ladder.services import cases, findings, marks, reports, sanctions
from tests.factories import dealt, person, staff

pytestmark = pytest.mark.django_db
MANY = 10_000


def acts() -> list[str]:
    """What the trail holds, oldest first."""
    return list(AuditEntry.objects.order_by("pk").values_list("act", flat=True))


def found(*players: Player, n: int = 3, severity: int = 2) -> Finding:
    """A finding about these players, in so many matches."""
    matches = [dealt(players=[players[0], person()]) for _number in range(n)]
    for match in matches:
        play.resign(match_id=match.pk, player=players[0])
    return findings.write(
        findings.Found(
            FindingKind.THROWN,
            tuple(player.pk for player in players),
            tuple(match.pk for match in matches),
            {"leads": [41, 50, 60]},
            severity,
        )
    )


class TestClaim:
    def test_one_moderator_at_a_time_and_free_again_after_20_minutes(self, reported, later):
        case = reported(person()).case
        one, two = staff("helper"), staff("senior")
        cases.claim(case, one)
        with pytest.raises(Refused, match="Somebody else"):
            cases.claim(case, two)
        later(minutes=20)
        assert selector.queue(two).rows[0].holder is None
        assert cases.claim(case, two).claimed_by == two
        with pytest.raises(Refused, match="Claim"):
            cases.close(case, one, rest=True)

    def test_each_act_on_it_keeps_it_for_20_minutes_more(self, claimed, later):
        by = staff("helper")
        case = claimed(person(), by)
        later(minutes=19)
        reports.answer(case.reports.get(), by, upheld=True)
        later(minutes=38)
        cases.close(case, by)
        assert Case.objects.get().closed_by == by

    def test_claiming_again_is_no_second_entry(self, claimed):
        by = staff("helper")
        case = claimed(person(), by)
        cases.claim(case, by)
        assert acts() == [Act.CLAIM]

    def test_given_back_it_is_free_and_somebody_elses_is_left_alone(self, claimed):
        one, two = staff("helper"), staff("helper")
        case = claimed(person(), one)
        cases.release(case, two)
        assert cases.claim(case, one).claimed_by == one
        cases.release(case, one)
        cases.release(case, one)
        cases.claim(case, two)
        assert acts() == [Act.CLAIM, Act.RELEASE, Act.CLAIM]

    def test_nothing_is_answered_without_a_claim(self, reported):
        by = staff("helper")
        with pytest.raises(Refused, match="Claim"):
            reports.answer(reported(person()), by, upheld=True)
        assert acts() == []


class TestClose:
    def test_what_is_open_needs_an_answer_first(self, claimed, reported):
        by, suspect = staff("helper"), person()
        case = claimed(suspect, by)
        reported(suspect)
        with pytest.raises(Refused, match="Some reports"):
            cases.close(case, by)
        cases.close(case, by, rest=False, why="Mild words.")
        case.refresh_from_db()
        assert (case.closed_by, case.reports_open, case.weight) == (by, 0, 0)
        assert set(case.reports.values_list("upheld", flat=True)) == {False}
        assert Notification.objects.count() == 2
        closing = AuditEntry.objects.get(act=Act.CLOSE)
        assert closing.why == "Mild words."
        assert closing.before["open"] == list(
            case.reports.order_by("pk").values_list("pk", flat=True)
        )
        with pytest.raises(Refused, match="closed"):
            cases.close(case, by, rest=False)

    def test_an_act_that_fails_leaves_no_entry(self, claimed, monkeypatch):
        by = staff("helper")
        case = claimed(person(), by)

        def fail(*_args, **_how):
            raise RuntimeError

        monkeypatch.setattr("ladder.services.docket.weigh", fail)
        with pytest.raises(RuntimeError):
            cases.close(case, by, rest=True)
        assert acts() == [Act.CLAIM]
        assert Report.objects.get().answered_at is None


class TestFindings:
    def test_one_of_weight_opens_a_case_and_the_least_does_not(self):
        grave, light = person(), person()
        found(grave)
        found(light, severity=1)
        assert [case.player for case in Case.objects.all()] == [grave]

    def test_cleared_it_weighs_nothing_and_comes_back_with_more_evidence_alone(self):
        suspect, by = person(), staff("moderator")
        finding = found(suspect)
        case = Case.objects.get()
        assert case.weight > 0
        cases.clear(finding, case, by)
        case.refresh_from_db()
        assert case.weight == 0
        again = findings.Found(
            FindingKind.THROWN,
            (suspect.pk,),
            tuple(finding.matches.values_list("pk", flat=True)),
            {},
            2,
        )
        assert findings.write(again) is None
        assert not selector.dossier(case, by).found
        assert AuditEntry.objects.get().after == {"finding": finding.key}

    def test_a_closed_case_is_opened_by_new_evidence_and_not_by_looking_again(self):
        suspect, by = person(), staff("moderator")
        finding = found(suspect)
        cases.close(cases.claim(Case.objects.get(), by), by)
        found_again = findings.Found(
            FindingKind.THROWN,
            (suspect.pk,),
            tuple(finding.matches.values_list("pk", flat=True)),
            {},
            2,
        )
        findings.write(found_again)
        assert not Case.objects.filter(closed_at=None).exists()
        found(suspect, n=4)
        assert Case.objects.filter(closed_at=None).count() == 1

    def test_one_that_is_about_an_equal_too_is_not_theirs_to_clear(self):
        by, suspect = staff("moderator"), person()
        finding = found(suspect, staff("moderator"))
        with pytest.raises(Refused, match="equal"):
            cases.clear(finding, Case.objects.get(player=suspect), by)


class TestNotes:
    def test_one_is_read_by_the_others(self, reported, as_):
        case = reported(person()).case
        address = f"/moderation/cases/{case.pk}/"
        one = as_(staff("helper", "Amal_one"))
        one.post(f"{address}note/", {"text": "<b>His</b> brother\u202e plays here."})
        page = as_(staff("senior")).get(address).text
        assert "&lt;b&gt;His&lt;/b&gt; brother plays here." in page
        assert "Amal_one" in page

    @pytest.mark.parametrize("text", ["", "  \u200b ", "x" * 1001])
    def test_an_empty_or_endless_one_is_refused_and_what_was_typed_stays(self, text, reported, as_):
        case = reported(person()).case
        response = as_(staff("helper")).post(f"/moderation/cases/{case.pk}/note/", {"text": text})
        assert response.status_code == 409
        assert not Note.objects.exists()
        assert text.strip() in response.text


class TestOpening:
    def test_a_moderator_opens_a_case_from_a_profile(self, as_):
        suspect = person()
        client = as_(staff("helper"))
        address = f"/moderation/players/{suspect.pk}/"
        assert address in client.get(suspect.get_absolute_url()).text
        there = client.post(address).url
        assert client.post(address).url == there
        assert client.get(there).status_code == 200
        assert acts() == [Act.OPEN]
        assert address not in as_(person()).get(suspect.get_absolute_url()).text


class TestQueue:
    def test_the_weightiest_first_then_the_oldest(self, reported, as_):
        light, first, second = person(), person(), person()
        for suspect, reason in ((light, "stalling"), (first, "cheating"), (second, "cheating")):
            reported(suspect, reason)
        found = selector.queue(staff("helper"))
        assert [row.case.player for row in found.rows] == [first, second, light]
        assert found.open == 3
        assert [row.reasons for row in found.rows][2] == [("stalling or leaving", 1)]

    def test_mine_and_closed_have_lists_of_their_own(self, claimed, reported, as_):
        by, mine, done, other = staff("helper"), person(), person(), person()
        claimed(mine, by)
        cases.close(claimed(done, by), by, rest=True)
        reported(other)
        for tab, there in (("mine", {mine}), ("closed", {done}), ("open", {mine, other})):
            page = as_(by).get(f"/moderation/?tab={tab}").text
            assert {one for one in (mine, done, other) if one.name in page} == there

    @pytest.mark.parametrize(
        "query", ["?tab=x", "?after=x", "?after=99999999999999999999", "?after=%00", "?after=-1"]
    )
    def test_an_address_made_up_shows_the_beginning(self, query, reported, as_):
        suspect = person()
        reported(suspect)
        assert suspect.name in as_(staff("helper")).get(f"/moderation/{query}").text


@pytest.fixture
def many():
    """10,000 open reports of as many players, and their cases."""
    now = timezone.now()
    names = [f"n{number:05}" for number in range(MANY)]
    Player.objects.bulk_create(
        Player(name=name, name_key=name, skeleton=f"s{name}") for name in names
    )
    players = list(Player.objects.filter(name__startswith="n0").order_by("pk"))
    Case.objects.bulk_create(
        Case(
            player=player, weight=number % 97, reports_open=1, opened_at=now - timedelta(number % 7)
        )
        for number, player in enumerate(players)
    )
    Report.objects.bulk_create(
        Report(
            case=case, reporter=players[number - 1], suspect_id=case.player_id,
            reason="insults", made_at=now,
        )
        for number, case in enumerate(Case.objects.order_by("pk"))
    )  # fmt: skip
    return players


class TestTenThousand:
    def test_every_page_costs_the_same_and_shows_each_case_once(
        self, many, as_, django_assert_max_num_queries
    ):
        by = staff("helper")
        client = as_(by)
        seen, after, pages = [], "", 0
        while after is not None and pages < 4:
            with django_assert_max_num_queries(20):
                page = client.get(f"/moderation/?after={after}")
            assert page.text.count("data-key-item") == selector.PAGE
            found = selector.queue(by, after=str(after))
            seen += [row.case.pk for row in found.rows]
            after, pages = found.after, pages + 1
        order = Case.objects.order_by("-weight", "opened_at", "pk").values_list("pk", flat=True)
        assert seen == list(order[: 4 * selector.PAGE])
        middle = order[MANY // 2]
        found = selector.queue(by, after=str(middle))
        assert found.open == MANY
        assert [row.case.pk for row in found.rows] == list(order[MANY // 2 + 1 :][: selector.PAGE])
        last = order[MANY - 1]
        assert selector.queue(by, after=str(last)).rows == []

    def test_the_queue_is_read_by_its_index(self, many):
        rows = Case.objects.filter(closed_at=None).order_by("-weight", "opened_at", "pk")
        assert "case_queue" in rows[: selector.PAGE].explain()


class TestPage:
    def test_the_case_costs_the_same_with_little_and_with_much_in_it(
        self, as_, claimed, reported, django_assert_max_num_queries
    ):
        suspect, by = person(about="See\u2066 me"), staff("senior")
        client = as_(by)
        case, costs = claimed(suspect, by), []
        for size in (1, 12):
            for number in range(size):
                other = person()
                match = dealt(players=[suspect, other])
                play.resign(match_id=match.pk, player=suspect)
                reported(suspect, match=match, by=other)
                marks.note(suspect, agent=f"a{number}", language="", address="192.0.2.1")
                marks.note(other, agent=f"a{number}", language="", address="192.0.2.1")
                cases.note(case, by, "Noted.")
                Sanction.objects.create(
                    player=suspect, measure="warning", reason="insults", message="Stop.",
                    by=by, began_at=timezone.now(),
                )  # fmt: skip
            found(suspect, n=3)
            with django_assert_max_num_queries(60) as made:
                page = client.get(f"/moderation/cases/{case.pk}/")
            assert page.status_code == 200
            costs.append(len(made))
        assert costs[1] <= costs[0]
        assert page.text.count('data-action="uphold"') == 14
        assert "Stop." in page.text
        assert 'data-action="clear"' in page.text

    def test_accounts_alike_are_told_with_how_many_others_share_the_mark(self):
        suspect, brother, neighbours = person(), person(), [person() for _one in range(3)]
        for player in (suspect, brother):
            marks.note(player, agent="rare", language="ar", address="192.0.2.7")
        for player in (suspect, brother, *neighbours):
            marks.note(player, agent="common", language="ar", address="192.0.2.8")
        nearest, *rest = selector.alike(suspect)
        assert (nearest.player, nearest.marks, nearest.others) == (brother, 2, 0)
        assert [(one.marks, one.others) for one in rest] == [(1, 3)] * 3

    def test_marks_are_masked_until_a_senior_looks(self, reported, as_):
        suspect = person()
        marks.note(suspect, agent="a", language="b", address="192.0.2.1")
        digest = suspect.marks.get().digest
        case = reported(suspect).case
        for role in ("helper", "moderator", "senior", "administrator"):
            client = as_(staff(role))
            assert digest[:8] not in client.get(f"/moderation/cases/{case.pk}/").text
            shown = client.post(f"/moderation/cases/{case.pk}/marks/")
            assert (digest[:16] in shown.text) is (role in ("senior", "administrator"))
        assert acts() == [Act.SEE_MARKS] * 2

    def test_somebody_elses_report_or_finding_is_not_found_there(self, claimed, reported, as_):
        by = staff("senior")
        case, other = claimed(person(), by), reported(person())
        finding = found(person())
        client = as_(by)
        for address in (f"reports/{other.pk}/", f"findings/{finding.pk}/", "talk/nothere/",
                        "matches/nothere/"):  # fmt: skip
            response = client.post(f"/moderation/cases/{case.pk}/{address}", {"upheld": "yes"})
            assert response.status_code == 404
        assert client.get("/moderation/cases/99999999999999999999/").status_code == 404
        assert client.get(f"/moderation/cases/{case.pk}/claim/").status_code == 405
        for address in ("reports", "findings"):
            response = client.post(f"/moderation/cases/{10**30}/{address}/1/", {"upheld": "yes"})
            assert response.status_code == 404
        answer = f"/moderation/cases/{case.pk}/reports/{case.reports.get().pk}/"
        assert client.post(answer, {"upheld": "x"}).status_code == 404

    def test_a_name_is_shown_as_text_and_fenced(self, reported, as_):
        suspect = person(about="<script>alert(1)</script>")
        case = reported(suspect, "name", text='"><img src=x onerror=alert(1)>').case
        page = as_(staff("helper")).get(f"/moderation/cases/{case.pk}/").text
        assert f"<bdi>{suspect.name}</bdi>" in page
        assert "<script>alert" not in page
        assert "<img" not in page

    def test_a_withheld_name_is_read_by_moderators_alone(self, reported, as_):
        suspect = person()
        case, by = reported(suspect, "name").case, staff("senior")
        sanctions.impose(by, suspect, Measure.RENAME, reason=Reason.NAME)
        assert suspect.name in as_(staff("helper")).get(f"/moderation/cases/{case.pk}/").text
        page = as_(person()).get(f"/report/?player={suspect.pk}").text
        assert "name withheld" in page
        assert suspect.name not in page

    def test_a_case_of_a_closed_account_has_no_name(self, reported, as_):
        suspect = person()
        case = reported(suspect).case
        accounts.close_account(suspect)
        page = as_(staff("helper")).get(f"/moderation/cases/{case.pk}/")
        assert page.status_code == 200
        assert "closed account" in page.text
