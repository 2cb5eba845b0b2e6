"""The triggers of append-only tables, lifted for a moment: to empty the database of a test, or to
do what only somebody at its console could."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from games.services import triggers


@contextmanager
def lifted() -> Iterator[None]:
    """Within it this connection may change and delete what is append-only."""
    if connection.vendor == "postgresql":
        _execute("SET session_replication_role = replica")
        yield
        _execute("SET session_replication_role = DEFAULT")
    else:
        for name in triggers.wanted(connection):
            _execute(f"DROP TRIGGER IF EXISTS {name}")
        yield
        triggers.keep_append_only(using=connection.alias)


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
