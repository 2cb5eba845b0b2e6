"""The end of a session reaches its sockets."""

from typing import Any

from django.http import HttpRequest

from games.services.publish import end_session


def on_logged_out(request: HttpRequest, **_signal: Any) -> None:
    """Who logs out takes the open sockets of that browser along."""
    end_session(request.session.session_key)
