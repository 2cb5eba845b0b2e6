"""Append-only tables that the database itself keeps: triggers that refuse to change a row or to
delete one, whoever asks, in whatever way.

Which tables is said by their models (``AppendOnly.kept_by_database``). The triggers are made after
every ``migrate`` and not in a migration, because SQLite drops those of a table that a later
migration rebuilds, without a word. A migration that has to write to such a table drops the triggers
first; they are back when it is through.
"""

from typing import Any

from django.apps import apps
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from games.models.appendonly import AppendOnly

_REFUSE = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def keep_append_only(*, using: str, **_kwargs: Any) -> None:
    """After a migration: make the triggers that are missing. Raises RuntimeError if one still is.

    Safe to run twice.
    """
    connection = connections[using]
    if gone := missing(connection):
        with transaction.atomic(using=using), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(_REFUSE)
            for name, (table, statement) in gone.items():
                cursor.execute(_drop(connection, name, table))
                cursor.execute(statement)
        if left := missing(connection):
            raise RuntimeError(f"the database has not taken these triggers: {', '.join(left)}")


def missing(connection: BaseDatabaseWrapper) -> dict[str, tuple[str, str]]:
    """The triggers that are not there, are turned off, or are not as they should be: table and
    statement by name. A table that does not exist yet wants none."""
    there = _installed(connection)
    return {
        name: (table, statement)
        for name, (table, statement) in wanted(connection).items()
        if there.get(name) != (statement if connection.vendor == "sqlite" else table)
    }


def wanted(connection: BaseDatabaseWrapper) -> dict[str, tuple[str, str]]:
    """Every trigger that belongs to the tables of ``connection``: table and statement by name."""
    tables = set(connection.introspection.table_names())
    kept = sorted(model._meta.db_table for model in _kept() if model._meta.db_table in tables)
    if connection.vendor == "postgresql":
        return {
            f"{table}_kept": (
                table,
                f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
            )
            for table in kept
        }
    return {
        f"{table}_no_{act.lower()}": (
            table,
            f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END",
        )
        for table in kept
        for act in ("UPDATE", "DELETE")
    }


def _kept() -> list[type[AppendOnly]]:
    return [m for m in apps.get_models() if issubclass(m, AppendOnly) and m.kept_by_database]


def _installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """What is there, by name: the statement on SQLite, the table on PostgreSQL."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
                "WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') "
                "AND pg_table_is_visible(tgrelid)"
            )
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return dict(cursor.fetchall())


def _drop(connection: BaseDatabaseWrapper, name: str, table: str) -> str:
    on = f" ON {table}" if connection.vendor == "postgresql" else ""
    return f"DROP TRIGGER IF EXISTS {name}{on}"
