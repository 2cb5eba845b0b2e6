"""Rows that are written once.

A play goes with its match and not otherwise, and a match goes by one door: ``play.forget``.
"""

from typing import Any, ClassVar

from django.db import models


class Immutable(Exception):
    """An append-only row was to be changed or deleted: write another row instead."""


class AppendOnlyQuerySet(models.QuerySet["AppendOnly"]):
    """A query set that only reads and creates."""

    def update(self, **_kwargs: Any) -> int:
        raise Immutable(self.model.__name__)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise Immutable(self.model.__name__)


class AppendOnly(models.Model):
    """A row that refuses to be saved twice or deleted.

    With ``kept_by_database`` the database refuses as well (``games.services.triggers``).
    """

    kept_by_database: ClassVar[bool] = False

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Immutable(type(self).__name__)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise Immutable(type(self).__name__)
