"""The trail: kept by the database, searched, exported, and longer lived than the accounts."""

import csv
import html
import io
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import translation
from django.utils.html import strip_tags

from games.models import Player, clock
from games.models.appendonly import Immutable
from games.services import triggers
from games.services.locks import NotInTransaction
from ladder.models import Act, AuditEntry, Measure, Reason
from ladder.selectors import audit as selector
from ladder.services import audit, cases, sanctions
from ladder.templatetags.trail import told
from tests.factories import person, staff

pytestmark = pytest.mark.django_db
TABLE = AuditEntry._meta.db_table


def entry(
    by: Player | None = None, act: str = Act.NOTE, player: Player | int | None = None, **more
):
    with transaction.atomic():
        return audit.record(by or staff("helper"), act, player=player, **more)


def execute(statement: str, *values: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


class TestKept:
    def test_neither_the_model_nor_the_database_changes_or_deletes_an_entry(self):
        made = entry(why="So it was.")
        with pytest.raises(Immutable):
            made.save()
        with pytest.raises(Immutable):
            made.delete()
        with pytest.raises(Immutable):
            AuditEntry.objects.update(why="")
        with pytest.raises(Immutable):
            AuditEntry.objects.all().delete()
        for statement in (
            f"UPDATE {TABLE} SET why = ''",
            f"UPDATE {TABLE} SET why = why WHERE id = {made.pk}",
            f"DELETE FROM {TABLE}",
        ):
            with pytest.raises(IntegrityError, match="append-only"):
                execute(statement)
        assert AuditEntry.objects.get().why == "So it was."

    def test_it_is_among_the_tables_whose_triggers_are_looked_after(self):
        assert [name for name in triggers.wanted(connection) if name.startswith(TABLE)]
        assert triggers.missing(connection) == {}

    @pytest.mark.django_db(transaction=True)
    def test_an_entry_outside_a_transaction_is_refused(self):
        with pytest.raises(NotInTransaction):
            audit.record(staff("helper"), Act.NOTE)

    def test_it_outlives_the_accounts_and_names_nobody(self, as_):
        by, suspect, reader = staff("helper"), person(), staff("moderator")
        made = entry(by, player=suspect)
        ids = by.pk, suspect.pk
        suspect.delete()
        by.delete()
        made.refresh_from_db()
        assert (made.by, made.player) == ids
        page = as_(reader).get("/moderation/audit/").text
        assert f"#{ids[0]}" in page
        assert f"#{ids[1]}" in page


class TestSearch:
    @pytest.fixture
    def some(self, later):
        """Entries of two moderators about two players, on three days."""
        one, two = staff("helper", "Amal_one"), staff("senior", "Basma_two")
        suspect, other = person("Suspect_x"), person("Other_yy")
        later(days=-9)
        entry(one, Act.NOTE, suspect, why="first")
        later(days=-5)
        entry(two, Act.SEE_MARKS, suspect, why="second")
        later()
        entry(two, Act.NOTE, other, why="third")
        return one, two, suspect, other

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("", {"first", "second", "third"}),
            ("by=Amal_one", {"first"}),
            ("by=amal_ONE&player=suspect_x", {"first"}),
            ("player=Suspect_x", {"first", "second"}),
            ("act=look.marks", {"second"}),
            ("by=Basma_two&act=case.note", {"third"}),
            ("since={-6}", {"second", "third"}),
            ("until={-6}", {"first"}),
            ("since={-6}&until={-4}", {"second"}),
        ],
    )
    def test_by_who_whom_act_and_days(self, query, found, some, as_):
        for days in (-6, -4):
            day = (clock.now() + timedelta(days=days)).date().isoformat()
            query = query.replace(f"{{{days}}}", day)
        page = as_(staff("moderator")).get(f"/moderation/audit/?{query}").text
        assert {why for why in ("first", "second", "third") if f"<bdi>{why}</bdi>" in page} == found

    def test_by_a_number_also_where_the_account_is_gone(self, some, as_):
        gone = entry(player=987654, why="of one who is gone")
        page = as_(staff("moderator")).get(f"/moderation/audit/?player=%23{gone.player}").text
        assert "of one who is gone" in page
        assert "<bdi>first</bdi>" not in page

    @pytest.mark.parametrize(
        "query",
        ["by=nobody1", "act=none", "since=x", "until=0001-01-01", "since=9999-12-31", "by=%00",
         "player=%2399999999999999999999", "by=" + "x" * 90],
    )  # fmt: skip
    def test_what_cannot_be_searched_for_is_said_beside_the_field(self, query, as_):
        response = as_(staff("moderator")).get(f"/moderation/audit/?{query}")
        assert response.status_code == 200
        assert 'class="error"' in response.text

    @pytest.mark.parametrize("before", ["x", "99999999999999999999", "%00", "-1"])
    def test_a_place_made_up_is_the_beginning(self, before, some, as_):
        page = as_(staff("moderator")).get(f"/moderation/audit/?before={before}").text
        assert "<bdi>third</bdi>" in page

    def test_pages_cost_the_same_and_show_each_entry_once(self, django_assert_num_queries):
        by = staff("helper")
        AuditEntry.objects.bulk_create(
            AuditEntry(at=clock.now(), by=by.pk, act=Act.NOTE, player=by.pk) for _n in range(120)
        )
        seen, before = [], ""
        for _page in range(3):
            with django_assert_num_queries(2):
                page = selector.page(selector.Search(by=by.pk), before)
            seen += [line.entry.pk for line in page.lines]
            before = str(page.older)
        assert page.older is None
        assert seen == sorted(seen, reverse=True)
        assert len(set(seen)) == 120


class TestWords:
    """What an entry keeps is read in words, and as it was written where it is known no longer."""

    @pytest.mark.parametrize(
        ("facts", "words"),
        [
            ({}, ""),
            ({"in_force": [], "role": None}, ""),
            ({"in_force": ["mute", "pause"]}, "in force: mute, pause from ranked play"),
            ({"reason": "rating", "running": "lost"},
             "reason: rating manipulation, running matches: are lost at once"),
            ({"until": "2026-12-03T18:05:00+00:00"}, "until: 3 Dec 2026, 18:05 UTC"),
            ({"player": 17, "since": "2026-11-01"}, "whom: #17, from: 1 Nov 2026"),
            ({"changes": {"17": -16, "18": 16}}, "ratings: #17 −16, #18 +16"),
            ({"finding": "short:3-5"},
             "finding: matches decided in suspiciously few plays or seconds #3 #5"),
            ({"report": 4, "upheld": False}, "report: 4, upheld: no"),
            ({"role": "senior"}, "role: senior moderator"),
            ({"queue_open": True}, "Ranked matches can be begun: yes"),
            ({"was": "so", "reason": "x", "until": "x", "player": "Ali"},
             "was: so, reason: x, until: x, whom: Ali"),
            ({"notice_en": "<b>"}, "Notice on every page: English: <b>"),
        ],
    )  # fmt: skip
    def test_facts(self, facts, words):
        shown = told(facts)
        assert "<b>" not in shown
        assert html.unescape(strip_tags(shown)) == words

    def test_in_the_readers_language(self, as_):
        player = person()
        sanctions.impose(staff("senior"), player, Measure.MUTE, reason=Reason.INSULTS, days=1)
        page = as_(staff("moderator", language="ar")).get("/moderation/audit/").text
        assert str(Measure.MUTE) not in strip_tags(page)
        assert "T00:" not in strip_tags(page)
        with translation.override("ar"):
            assert str(Reason.INSULTS.label) in page


class TestExport:
    def rows(self, response) -> list[dict[str, str]]:
        text = b"".join(response.streaming_content).decode()
        return list(csv.DictReader(io.StringIO(text)))

    def test_all_that_is_found_as_a_file_and_an_entry_that_says_so(self, as_, monkeypatch):
        monkeypatch.setattr(selector, "AT_ONCE", 2)
        suspect, by = person(), staff("senior")
        for number in range(5):
            entry(player=suspect, why=f"entry {number}", after={"n": number})
        entry(why="=1+1, about nobody")
        response = as_(by).post("/moderation/audit/trail.csv", {"player": suspect.name})
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        rows = self.rows(response)
        assert [row["why"] for row in rows] == [f"entry {number}" for number in (4, 3, 2, 1, 0)]
        assert (rows[0]["player"], rows[0]["after"]) == (str(suspect.pk), '{"n": 4}')
        newest = AuditEntry.objects.first()
        assert (newest.act, newest.by, newest.after) == (
            Act.EXPORT_TRAIL, by.pk, {"player": suspect.pk},
        )  # fmt: skip

    def test_no_cell_is_a_formula(self, as_):
        entry(why="=1+1")
        rows = self.rows(as_(staff("senior")).post("/moderation/audit/trail.csv"))
        assert "'=1+1" in {row["why"] for row in rows}

    def test_the_address_alone_exports_nothing(self, as_):
        assert as_(staff("senior")).get("/moderation/audit/trail.csv").status_code == 405
        assert as_(staff("moderator")).post("/moderation/audit/trail.csv").status_code == 404
        response = as_(staff("senior")).post("/moderation/audit/trail.csv", {"since": "x"})
        assert response.status_code == 409
        assert not AuditEntry.objects.exists()


def test_an_entry_stands_or_falls_with_its_act(reported, monkeypatch):
    case, by = reported(person()).case, staff("helper")

    def fail(*_args, **_how):
        raise RuntimeError

    monkeypatch.setattr("ladder.services.audit.record", fail)
    with pytest.raises(RuntimeError):
        cases.claim(case, by)
    case.refresh_from_db()
    assert case.claimed_by is None
