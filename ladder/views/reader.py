"""Who is looking."""

from django.http import HttpRequest

from games.models import Player


def reader(request: HttpRequest) -> Player | None:
    """The player who is logged in, or None."""
    return request.user if request.user.is_authenticated else None
