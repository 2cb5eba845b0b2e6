"""Start-up checks: a port that nobody filled in is an error."""

from typing import Any

from django.core.checks import CheckMessage, Error, register

from games import ports


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
