"""The end of a session reaches its sockets."""

from typing import Any

from django.http import HttpRequest

from games.models import Player
from games.services.publish import end_session, end_sessions


def on_logged_out(request: HttpRequest, **_signal: Any) -> None:
    """Who logs out takes the open sockets of that browser along."""
    end_session(request.session.session_key)


def on_password_changed(user: Player, **_signal: Any) -> None:
    """A new password ends every session but the one that set it: sockets close, pages ask anew."""
    end_sessions(user.pk)
