"""Start-up checks: every port is filled in, and the database keeps what is append-only."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connections

from games import ports
from games.services import triggers


@register
def ports_are_filled(**_kwargs: Any) -> list[CheckMessage]:
    """Every port must have been filled in by the time the apps are ready."""
    return [
        Error(
            f"games.ports.{name} is empty",
            hint="AppConfig.ready of the ladder fills it in",
            id="games.E001",
        )
        for name in ports.empty()
    ]


@register(Tags.database)
def append_only_tables_are_kept(
    databases: Sequence[str] | None = None, **_kwargs: Any
) -> list[CheckMessage]:
    """A warning and no error, since ``migrate``, which makes the triggers, runs this first."""
    return [
        Warning(
            f"the trigger {name} of {table} is missing: its rows could be changed",
            hint="python manage.py migrate makes it",
            id="games.W001",
        )
        for alias in databases or ()
        for name, (table, _statement) in triggers.missing(connections[alias]).items()
    ]
