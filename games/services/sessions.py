"""The end of a session reaches its sockets."""

from typing import Any

from django.contrib.sessions.models import Session
from django.http import HttpRequest

from games.models import Player, clock
from games.services.publish import end_session, end_sessions


def on_logged_out(request: HttpRequest, **_signal: Any) -> None:
    """Who logs out takes the open sockets of that browser along.

    The session goes first: a page that asks anew when its socket closes is a stranger's then.
    ``request.logged_out`` tells the answer to leave nothing in the browser.
    """
    key = request.session.session_key
    request.session.flush()
    request.logged_out = True
    end_session(key)


def end(key: str | None) -> None:
    """Close what a browser still has open of an earlier session, if there was one."""
    if key is not None:
        end_session(key)


def forget_expired() -> int:
    """Delete the sessions that are past their time. Returns how many."""
    return Session.objects.filter(expire_date__lt=clock.now()).delete()[0]


def on_password_changed(user: Player, **_signal: Any) -> None:
    """A new password ends every session but the one that set it: sockets close, pages ask anew."""
    end_sessions(user.pk)
