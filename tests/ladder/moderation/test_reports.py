"""Reporting: who can be reported by whom, what is attached, and what the reporter hears of it."""

import pytest
from django.db import IntegrityError, transaction

from games.models import Block, Kind, Mask, Notification, Player, PlayerKind, Topic
from games.selectors import notifications
from games.services import play
from games.services.errors import Refused
from ladder.models import Case, Reason, Report
from ladder.selectors import reporting
from ladder.services import cases, docket, reports
from ladder.tasks import forget_reported_talk
from tests.factories import dealt, house, person, play_on, staff

pytestmark = pytest.mark.django_db


class TestEvidence:
    def test_of_a_line_is_copied_what_was_said_around_it(self, insulted):
        match, (one, two), lines = insulted(*[f"line {n}" for n in range(30)])
        subject = reporting.subject(one, line=lines[15].pk)
        made = reports.report(
            one, subject.suspects[0], "insults", "He went on.", subject.match, subject.utterance
        )
        assert made.suspect == two
        copied = made.evidence["talk"]
        assert [line["text"] for line in copied] == [f"line {n}" for n in range(5, 26)]
        assert made.evidence["line"] == lines[15].pk
        lines[15].delete()
        made.refresh_from_db()
        assert made.utterance is None
        assert made.evidence["talk"] == copied

    def test_of_talk_it_goes_90_days_after_the_answer(self, insulted, later):
        _match, (one, two), (said, *_others) = insulted("you donkey", "no", "yes")
        open_one = reports.report(two, one, "insults", "Look.", said.match, said)
        hit = reports.queue_hit(one, "insults", said.text, {"found": ["donkey"]}, said)
        by = staff("helper")
        cases.claim(hit.case, by)
        reports.answer(hit, by, upheld=True)
        later(days=89)
        assert reports.forget_talk() == 0
        later(days=91)
        assert reports.forget_talk() == 1
        hit.refresh_from_db()
        assert (hit.text, hit.reason, hit.upheld, hit.evidence["name"]) == (
            "", "insults", True, one.name,
        )  # fmt: skip
        assert "donkey" not in str(hit.evidence)
        open_one.refresh_from_db()
        assert "donkey" in str(open_one.evidence)
        assert forget_reported_talk() is None
        assert reports.forget_talk() == 0

    def test_of_a_match_how_far_it_was(self):
        match = play_on(dealt(), 7)
        one, two = (seat.player for seat in match.seats.select_related("player"))
        made = reports.report(one, two, "stalling", match=match)
        assert made.evidence == {"name": two.name, "about": "", "match": match.pk, "plays": 7}

    def test_of_a_player_the_name_and_text_as_they_were(self):
        suspect = person("Nasty", about="buy this")
        made = reports.report(person(), suspect, "name")
        Player.objects.filter(pk=suspect.pk).update(about="")
        made.refresh_from_db()
        assert made.evidence == {"name": "Nasty", "about": "buy this"}


class TestWhoAndWhom:
    @pytest.mark.parametrize(
        "suspect", ["oneself", PlayerKind.HOUSE, PlayerKind.GUEST, PlayerKind.CLOSED]
    )
    def test_only_others_with_an_account_can_be_reported(self, suspect, as_):
        me = person()
        other = {
            "oneself": me,
            PlayerKind.HOUSE: house(),
        }.get(suspect) or person(kind=suspect)
        with pytest.raises(Refused):
            reports.report(me, other, "cheating")
        address = f"/report/?player={other.pk}"
        client = as_(me)
        assert client.get(address).status_code == 404
        form = {"suspect": other.pk, "reason": "cheating"}
        assert client.post(address, form).status_code == 404
        assert not Report.objects.exists()

    def test_guests_and_strangers_are_led_to_an_account(self, as_):
        address = f"/report/?player={person().pk}"
        assert as_(None).get(address).url.startswith("/accounts/login/")
        guest = person(kind=PlayerKind.GUEST)
        assert as_(guest).get(address).url.startswith("/accounts/signup/")
        with pytest.raises(Refused):
            reports.report(guest, person(), "cheating")

    def test_a_line_is_reported_by_who_was_at_the_table_alone(self, insulted, as_):
        _match, (one, two), (mine, theirs) = insulted("mine", "theirs")
        assert as_(one).get(f"/report/?line={theirs.pk}").status_code == 200
        assert as_(one).get(f"/report/?line={mine.pk}").status_code == 404
        assert as_(person()).get(f"/report/?line={theirs.pk}").status_code == 404

    def test_a_match_is_reported_by_who_may_look_at_it(self, as_):
        player = person()
        match = dealt(Kind.PRACTICE, [player, house()])
        assert as_(person()).get(f"/report/?match={match.pk}").status_code == 404
        assert as_(player).get(f"/report/?match={match.pk}").status_code == 404  # against the house
        friendly = dealt(Kind.CHALLENGE)
        one = friendly.seats.first().player
        blocked = person()
        Block.objects.create(player=one, other=blocked, made_at=match.created_at)
        assert as_(blocked).get(f"/report/?match={friendly.pk}").status_code == 404
        assert as_(one).get(f"/report/?match={friendly.pk}").status_code == 200

    @pytest.mark.parametrize(
        "query", ["", "?player=x", "?player=99999999999999999999", "?match=%00", "?line=-1",
                  "?line=9", "?match=nothere", "?player=0"],
    )  # fmt: skip
    def test_what_is_not_there_is_not_found(self, query, as_):
        assert as_(person()).get(f"/report/{query}").status_code == 404


class TestForm:
    def test_from_a_profile(self, as_):
        me, suspect = person(), person()
        client = as_(me)
        address = f"/report/?player={suspect.pk}"
        assert address in client.get(suspect.get_absolute_url()).text
        page = client.get(address).text
        assert page.count('name="reason"') == len(Reason)
        response = client.post(
            address,
            {"suspect": suspect.pk, "reason": "other", "text": "  See\u202e his page. ",
             "next": suspect.get_absolute_url()},
        )  # fmt: skip
        assert response.url == suspect.get_absolute_url()
        made = Report.objects.get()
        assert (made.reporter, made.suspect, made.text) == (me, suspect, "See his page.")
        mine = client.get("/reports/").text
        assert suspect.name in mine
        assert "waits" in mine

    def test_a_watcher_says_which_of_the_two(self, as_):
        match = play_on(dealt(), 4)
        one, two = (seat.player for seat in match.seats.select_related("player"))
        client = as_(person())
        address = f"/report/?match={match.pk}"
        assert client.get(f"/games/{match.pk}/").text.count('data-action="report"') == 1
        assert client.get(address).text.count('name="suspect"') == 2
        assert client.post(address, {"reason": "cheating"}).status_code == 200
        assert not Report.objects.exists()
        client.post(address, {"suspect": two.pk, "reason": "cheating"})
        assert Report.objects.get().suspect == two
        stranger = person()
        answer = client.post(address, {"suspect": stranger.pk, "reason": "cheating"})
        assert answer.status_code == 200
        assert Report.objects.count() == 1

    def test_a_watcher_reads_no_name_that_is_withheld(self, as_):
        match = dealt()
        one, two = (seat.player for seat in match.seats.select_related("player"))
        Player.objects.filter(pk=one.pk).update(mask=Mask.RENAME)
        page = as_(person()).get(f"/report/?match={match.pk}").text
        assert "name withheld" in page
        assert one.name not in page
        assert two.name in page

    def test_at_an_own_table_running_and_over_the_other_is_meant(self, as_):
        match = dealt()
        one, two = (seat.player for seat in match.seats.select_related("player"))
        client = as_(one)
        for _moment in ("running", "over"):
            page = client.get(f"/games/{match.pk}/").text
            assert page.count('data-action="report"') == 1
            form = client.get(f"/report/?match={match.pk}").text
            assert f'name="suspect" value="{two.pk}"' in form
            if not match.is_over:
                play.resign(match_id=match.pk, player=one)

    def test_beside_each_line_of_the_other_and_none_of_my_own(self, insulted, as_):
        match, (one, _two), (_mine, theirs) = insulted("mine", "theirs")
        page = as_(one).get(f"/games/{match.pk}/").text
        assert page.count('data-action="report-line"') == 1
        assert f"/report/?line={theirs.pk}" in page

    def test_against_a_house_player_there_is_nothing_to_report(self, as_):
        player = person()
        match = dealt(Kind.PRACTICE, [player, house()])
        assert 'data-action="report"' not in as_(player).get(f"/games/{match.pk}/").text

    @pytest.mark.parametrize(
        "form",
        [
            {},
            {"reason": "none"},
            {"reason": "cheating", "text": "x" * 501},
            {"reason": "cheating", "text": "a\x00b"},
        ],
    )
    def test_what_cannot_be_sent_is_said_beside_the_field(self, form, as_):
        suspect = person()
        response = as_(person()).post(
            f"/report/?player={suspect.pk}", {"suspect": suspect.pk, **form}
        )
        assert response.status_code == 200
        assert 'class="error"' in response.text
        assert not Report.objects.exists()

    def test_something_else_needs_words_and_a_refusal_keeps_the_form(self, as_):
        suspect = person()
        response = as_(person()).post(
            f"/report/?player={suspect.pk}", {"suspect": suspect.pk, "reason": "other"}
        )
        assert response.status_code == 409
        assert "few words" in response.text
        assert 'value="other" id="id_reason_5" checked' in response.text


class TestHowMany:
    def test_one_open_report_of_the_same_player(self):
        me, suspect = person(), person()
        first = reports.report(me, suspect, "insults")
        with pytest.raises(Refused, match="already"):
            reports.report(me, suspect, "cheating")
        by = staff("moderator")
        cases.claim(first.case, by)
        reports.answer(first, by, upheld=True)
        assert reports.report(me, suspect, "cheating").case == first.case

    def test_the_database_keeps_to_one(self):
        made = reports.report(person(), person(), "insults")
        made.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            made.save(force_insert=True)

    def test_ten_a_day(self, later):
        me = person()
        for _number in range(10):
            reports.report(me, person(), "cheating")
        with pytest.raises(Refused, match="in a day"):
            reports.report(me, person(), "cheating")
        later(days=1, seconds=1)
        reports.report(me, person(), "cheating")

    def test_all_of_one_player_are_one_case_until_it_is_closed(self, reported):
        suspect, by = person(), staff("moderator")
        case = reported(suspect).case
        assert reported(suspect).case == case
        cases.claim(case, by)
        cases.close(case, by, rest=False)
        assert reported(suspect).case != case
        assert Case.objects.filter(player=suspect, closed_at=None).count() == 1


class TestAnswer:
    @pytest.mark.parametrize("upheld", [True, False])
    def test_the_reporter_is_told_and_the_suspect_is_not(self, upheld, as_):
        me, suspect, by = person(), person(), staff("helper")
        made = reports.report(me, suspect, "insults")
        cases.claim(made.case, by)
        reports.answer(made, by, upheld=upheld)
        told = Notification.objects.get()
        assert (told.player, told.topic) == (me, Topic.REPORT)
        line = notifications.page(me).lines[0]
        assert ("agreed" in line.plain) is upheld
        assert line.address == "/reports/"
        page = as_(me).get("/reports/").text
        assert ("a moderator agreed" in page) is upheld
        assert me.name not in as_(suspect).get("/notifications/").text
        assert suspect.name not in as_(suspect).get("/reports/").text.partition("<main")[2]

    def test_the_same_answer_again_changes_nothing_and_another_is_refused(self):
        by = staff("helper")
        made = reports.report(person(), person(), "insults")
        cases.claim(made.case, by)
        first = reports.answer(made, by, upheld=True).answered_at
        assert reports.answer(made, by, upheld=True).answered_at == first
        assert Notification.objects.count() == 1
        with pytest.raises(Refused, match="already"):
            reports.answer(made, by, upheld=False)

    def test_nobody_answers_their_own(self):
        by = staff("helper")
        made = reports.report(by, person(), "insults")
        cases.claim(made.case, by)
        with pytest.raises(Refused, match="yourself"):
            reports.answer(made, by, upheld=True)
        with pytest.raises(Refused, match="yourself"):
            cases.close(made.case, by, rest=True)


class TestFilterHits:
    def test_the_same_text_is_queued_once_and_again_only_if_it_was_upheld(self):
        suspect, by = person(), staff("helper")
        made = reports.queue_hit(suspect, "insults", "you dog", {"word": "dog"})
        assert made.reporter is None
        assert made.evidence["word"] == "dog"
        assert reports.queue_hit(suspect, "insults", "you dog", {}) is None
        assert reports.queue_hit(suspect, "name", "you dog", {}) is not None
        cases.claim(made.case, by)
        reports.answer(made, by, upheld=True)
        again = reports.queue_hit(suspect, "insults", "you dog", {})
        assert again is not None
        reports.answer(again, by, upheld=False)
        assert reports.queue_hit(suspect, "insults", "you dog", {}) is None

    @pytest.mark.parametrize("kind", [PlayerKind.GUEST, PlayerKind.CLOSED])
    def test_who_has_no_account_has_no_case(self, kind):
        assert reports.queue_hit(person(kind=kind), "insults", "you dog", {}) is None


class TestWeight:
    def weight(self, suspect: Player) -> int:
        return Case.objects.get(player=suspect, closed_at=None).weight

    def test_what_is_graver_weighs_more(self, reported):
        grave, light = person(), person()
        reported(grave, "cheating")
        reported(light, "stalling")
        assert self.weight(grave) > self.weight(light)

    def test_who_was_right_before_weighs_more_than_who_was_wrong(self, reported):
        right, wrong, by = person(), person(), staff("helper")
        for reporter, upheld in ((right, True), (wrong, False)):
            for _report in range(3):
                made = reported(person(), by=reporter)
                cases.claim(made.case, by)
                reports.answer(made, by, upheld=upheld)
        new, of_right, of_wrong = person(), person(), person()
        reported(new)
        reported(of_right, by=right)
        reported(of_wrong, by=wrong)
        assert self.weight(of_wrong) < self.weight(new) < self.weight(of_right)

    def test_an_answered_report_weighs_nothing_any_more(self, reported):
        suspect, by = person(), staff("helper")
        made = reported(suspect)
        cases.claim(made.case, by)
        reports.answer(made, by, upheld=True)
        case = Case.objects.get(player=suspect)
        assert (case.weight, case.reports_open) == (0, 0)

    def test_many_reports_are_weighed_in_as_many_queries(self, django_assert_num_queries):
        case = Case.objects.create(player=person(), opened_at="2026-01-01T00:00Z")
        for size in (5, 150):
            Report.objects.bulk_create(
                Report(
                    case=case, reporter=person(), suspect=case.player, reason="cheating",
                    made_at=case.opened_at,
                )
                for _report in range(size)
            )  # fmt: skip
            with django_assert_num_queries(5):
                docket.weigh(case)
        assert case.reports_open == 155
        assert case.weight == docket.MOST_WEIGHED * docket.SEVERITY[Reason.CHEATING]
