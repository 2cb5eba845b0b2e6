"""The ledger is kept: by the models, by the database, and with many processes at it at once."""

import subprocess
import sys

import psycopg
import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from basra_site.management.commands.serve import refuse_unmigrated
from games.models.appendonly import Immutable
from games.services import triggers
from ladder.models import ChangeKind, Rating, RatingChange
from ladder.services import recompute
from tests.factories import person
from tests.servers import ROOT, Site
from tests.triggers import lifted

TABLE = RatingChange._meta.db_table
POSTGRESQL = "postgresql" in settings.DATABASES["default"]["ENGINE"]
only_there = pytest.mark.skipif(not POSTGRESQL, reason="needs PostgreSQL")
pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def row(beats) -> RatingChange:
    return RatingChange.objects.filter(match=beats(person(), person())).first()


def execute(statement: str, *values: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


class TestModels:
    def test_a_row_cannot_be_changed(self, row):
        row.after = 3000
        with pytest.raises(Immutable):
            row.save()
        with pytest.raises(Immutable):
            RatingChange.objects.update(after=3000)
        with pytest.raises(Immutable):
            RatingChange.objects.bulk_update([row], ["after"])

    def test_a_row_cannot_be_deleted(self, row):
        with pytest.raises(Immutable):
            row.delete()
        with pytest.raises(Immutable):
            RatingChange.objects.filter(match=row.match).delete()

    def test_one_result_for_a_match_and_player(self, row):
        row.pk, row._state.adding = None, True
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save()

    def test_what_is_no_result_names_the_row_that_it_refers_to(self, row):
        fields = {
            "player": row.player,
            "opponent": row.opponent,
            "match": row.match,
            "before": row.after,
            "after": row.before,
            "created_at": row.created_at,
            "kind": ChangeKind.ANNULMENT,
        }
        RatingChange.objects.create(**fields, refers_to=row)
        with pytest.raises(IntegrityError), transaction.atomic():
            RatingChange.objects.create(**fields)


class TestDatabase:
    """Plain SQL, as from the database's own console."""

    def refused(self, statement: str, *values: object) -> None:
        before = list(RatingChange.objects.values())
        with pytest.raises(IntegrityError, match=f"{TABLE} is append-only"):
            execute(statement, *values)
        assert list(RatingChange.objects.values()) == before

    @pytest.mark.parametrize("column", ["after", "created_at", "refers_to_id"])
    def test_update_is_refused(self, row, column):
        self.refused(f"UPDATE {TABLE} SET {column} = {column} WHERE id = %s", row.pk)

    def test_update_of_everything_is_refused(self, row):
        self.refused(f"UPDATE {TABLE} SET after = 3000")

    def test_delete_is_refused(self, row):
        self.refused(f"DELETE FROM {TABLE} WHERE id = %s", row.pk)
        self.refused(f"DELETE FROM {TABLE}")

    def test_an_insert_that_changes_a_row_is_refused(self, row):
        names = ", ".join(field.column for field in RatingChange._meta.fields)
        again = f"INSERT INTO {TABLE} ({names}) SELECT {names} FROM {TABLE} WHERE id = %s"
        self.refused(f"{again} ON CONFLICT (id) DO UPDATE SET after = 3000", row.pk)
        if not POSTGRESQL:
            self.refused(again.replace("INSERT", "INSERT OR REPLACE"), row.pk)

    @only_there
    def test_truncate_is_refused(self, row):
        execute(
            "SET CONSTRAINTS ALL IMMEDIATE"
        )  # what waits for the end of the test stands in its way
        self.refused(f"TRUNCATE {TABLE} CASCADE")
        self.refused("TRUNCATE games_match CASCADE")

    def test_a_row_more_is_taken(self, row, beats):
        beats(person(), person())
        assert RatingChange.objects.count() == 4


class TestTriggers:
    def test_all_are_there_after_the_migrations(self):
        names = set(triggers.wanted(connection))
        assert {name for name in names if name.startswith(TABLE)}
        assert triggers.missing(connection) == {}
        assert self.warnings() == []
        refuse_unmigrated()

    def test_making_them_again_changes_nothing(self):
        triggers.keep_append_only(using="default")
        assert triggers.missing(connection) == {}

    def test_one_that_is_missing_is_told_and_made_again(self, row):
        self.break_one()
        with pytest.raises(CommandError, match="migrate"):
            refuse_unmigrated()
        assert TABLE in self.warnings()[0].msg
        call_command("migrate", verbosity=0)
        assert triggers.missing(connection) == {}
        with pytest.raises(IntegrityError):
            execute(f"UPDATE {TABLE} SET after = 3000")

    @pytest.mark.skipif(POSTGRESQL, reason="a trick of SQLite's")
    def test_one_that_does_nothing_is_no_trigger(self):
        name = f"{TABLE}_no_delete"
        execute(f"DROP TRIGGER {name}")
        execute(f"CREATE TRIGGER {name} BEFORE DELETE ON {TABLE} BEGIN SELECT 1; END")
        assert list(triggers.missing(connection)) == [name]
        triggers.keep_append_only(using="default")
        assert triggers.missing(connection) == {}

    @only_there
    def test_one_that_is_turned_off_is_no_trigger(self):
        execute(f"ALTER TABLE {TABLE} DISABLE TRIGGER USER")
        assert list(triggers.missing(connection)) == [f"{TABLE}_kept"]
        triggers.keep_append_only(using="default")
        assert triggers.missing(connection) == {}

    @pytest.mark.skipif(POSTGRESQL, reason="a habit of SQLite's")
    @pytest.mark.django_db(transaction=True)
    def test_they_outlive_a_migration_that_rebuilds_the_table(self, row):
        with connection.schema_editor() as editor:
            editor._remake_table(RatingChange)
        assert len(triggers.missing(connection)) == 2
        call_command("migrate", verbosity=0)
        assert triggers.missing(connection) == {}
        assert RatingChange.objects.count() == 2

    def test_lifting_them_is_for_tests_and_ends(self, row):
        with lifted():
            execute(f"UPDATE {TABLE} SET after = 3000 WHERE id = %s", row.pk)
        assert triggers.missing(connection) == {}
        with pytest.raises(IntegrityError):
            execute(f"DELETE FROM {TABLE}")

    def warnings(self) -> list:
        found = run_checks(databases=["default"])
        return [message for message in found if message.id == "games.W001"]

    def break_one(self) -> None:
        wanted = triggers.wanted(connection).items()
        name, (table, _statement) = next(one for one in wanted if one[1][0] == TABLE)
        execute(f"DROP TRIGGER {name}" + (f" ON {table}" if POSTGRESQL else ""))


@pytest.mark.skipif(POSTGRESQL, reason="a habit of SQLite's")
def test_once_counted_it_is_not_read_from_end_to_end_to_find_what_stands(beats):
    one, two = person(), person()
    for _match in range(20):
        beats(one, two)
    execute("ANALYZE")
    plan = RatingChange.objects.that_stand().filter(player=one).explain()
    assert "SCAN" not in plan
    assert plan.count("ledger_followed") == 2


@pytest.mark.django_db(transaction=True)
def test_results_from_before_are_filled_in_by_the_migration(beats):
    """As a ledger was before it kept the opponent's rating, and ratings their peak and season."""
    people = [person() for _ in range(3)]
    for place in range(18):
        winner, loser = people[place % 3], people[(place + 1) % 3]
        beats(*((winner, loser) if place % 2 else (loser, winner)))
    rows, ratings = (
        list(model.objects.order_by("id").values()) for model in (RatingChange, Rating)
    )
    MigrationExecutor(connection).migrate([("ladder", "0004_ledger")])
    with lifted():
        execute(f"UPDATE {TABLE} SET opponent_rating = NULL, opponent_matches = NULL")
    Rating.objects.update(
        peak=None, opponents=0, last_at=None, season=0, season_matches=0, season_won=0,
        season_lost=0, listed=False,
    )  # fmt: skip
    with lifted():
        call_command("migrate", verbosity=0)
    assert list(RatingChange.objects.order_by("id").values()) == rows
    assert list(Rating.objects.order_by("id").values()) == ratings
    assert recompute.survey().clean
    assert triggers.missing(connection) == {}


@only_there
@pytest.mark.parametrize(
    ("results", "people"),
    [(2_000, 40), pytest.param(100_000, 400, marks=pytest.mark.soak)],
)
def test_eight_processes_lose_no_row_and_meet_no_deadlock(tmp_path, results, people):
    """With annulments, refunds and reversals beside them, and a check that is always clean."""
    site = Site(tmp_path).prepare()
    Scorer(site, ["make", people, results]).told()
    before = deadlocks(site)
    others = [Scorer(site, ["annul"]), Scorer(site, ["check"])]
    scorers = [Scorer(site, ["score", part, 8]) for part in range(8)]
    assert sum(scorer.told() for scorer in scorers) == results
    annulled, checked = (other.told() for other in others)
    assert annulled > 0
    assert checked > 0
    assert "agrees" in site.manage("recompute_ratings", "--check").stdout
    rows = "from ladder.models import RatingChange\nprint(RatingChange.objects.filter(kind='result'"
    assert site.run(rows + ").count())") == str(2 * results)
    assert site.run(rows + ").values('match').distinct().count())") == str(results)
    assert deadlocks(site) == before == 0


class Scorer:
    """A ``scorer`` of this site, under way; ``told`` is what it did, once it is through."""

    def __init__(self, site: Site, words: list[object]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ladder.scorer", *map(str, words)],
            cwd=ROOT, env=site.env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdout.readline() == "ready\n", self.process.stderr.read()
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def told(self) -> int:
        said, faults = self.process.communicate("stop\n")
        assert self.process.returncode == 0, faults
        return int(said)


def deadlocks(site: Site) -> int:
    address = site.backends["DATABASE_URL"]
    with psycopg.connect(address) as server:
        query = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        return server.execute(query).fetchone()[0]
