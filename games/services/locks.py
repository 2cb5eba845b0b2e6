"""Locks on rows, taken in the order players → case → report → challenge → match → seats → queue →
ratings, each by key."""

from typing import TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


class NotInTransaction(RuntimeError):
    """A lock outside a transaction would be gone at once."""


def lock(rows: QuerySet[M], *, no_key: bool = False) -> QuerySet[M]:
    """``rows`` locked until the transaction ends, in the order of their keys; with ``no_key``
    others may meanwhile write rows that point at these.

    Raises ``NotInTransaction`` outside one. SQLite has no row locks: there every transaction is
    IMMEDIATE, so it holds the database's one write lock already.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction
    return rows.order_by("pk").select_for_update(of=("self",), no_key=no_key)
