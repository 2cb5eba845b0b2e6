"""Sessions: where somebody is logged in, and how the end of a session reaches its sockets.

A person's sessions are listed in ``Login``, one row each. The session itself knows its row and when
it was last written, so that a page costs nothing more, but once an hour.
"""

import time
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from games.models import Login, Player, clock
from games.models.account import DEVICE_LONGEST
from games.services import addresses, devices
from games.services.publish import end_session, end_sessions

SEEN_EVERY = 60 * 60  # seconds
_ROW, _SEEN = "login", "seen"  # in the session: the row's key, and when it was last written


def on_logged_in(request: HttpRequest | None, user: Player, **_signal: Any) -> None:
    """A session has begun: list it, and tell its player of a device that is new."""
    if request is not None and user.is_person:
        devices.note(_begin(request, user))


def is_seen(request: HttpRequest) -> None:
    """A person asks for a page: once an hour that is noted, with the address of that moment."""
    if time.time() - request.session.get(_SEEN, 0) < SEEN_EVERY:
        return
    session = request.session
    rows = Login.objects.filter(pk=session.get(_ROW), session_key=session.session_key)
    if not rows.update(**_facts(request)):
        _begin(request, request.user)
    session[_SEEN] = time.time()


def on_logged_out(request: HttpRequest, **_signal: Any) -> None:
    """Who logs out takes the open sockets of that browser along.

    The session goes first: a page that asks anew when its socket closes is a stranger's then.
    ``request.logged_out`` tells the answer to leave nothing in the browser.
    """
    key = request.session.session_key
    request.session.flush()
    request.logged_out = True
    if key is not None:
        Login.objects.filter(session_key=key).delete()
    end_session(key)


def end(key: str | None) -> None:
    """Close what a browser still has open of an earlier session, if there was one."""
    if key is not None:
        end_session(key)


def end_one(player: Player, login_id: int) -> bool:
    """Log ``player`` out of one session. False if there is none of that key, or not theirs."""
    keys = _end(player, login_id)
    for key in keys:
        end_session(key)
    return bool(keys)


def end_all(player: Player, but: HttpRequest | None = None) -> int:
    """Log ``player`` out everywhere, ``but`` in the session of that request. Returns of how many.

    All sockets close; the pages of the session that stays open theirs anew.
    """
    kept = but.session.get(_ROW) if but is not None else None
    keys = _end(player, but=kept)
    if kept is not None:  # its key has changed if the password has
        mine = Login.objects.filter(pk=kept, player=player)
        mine.update(session_key=but.session.session_key)
    end_sessions(player.pk)
    return len(keys)


def forget_expired() -> int:
    """Delete the sessions that are past their time, and with them where they were seen. Returns how
    many."""
    gone = Session.objects.filter(expire_date__lt=clock.now()).delete()[0]
    alive = Session.objects.filter(session_key=OuterRef("session_key"))
    Login.objects.filter(~Exists(alive)).delete()
    Login.objects.filter(seen_at__lt=clock.now() - devices.KEPT).update(address=None)
    return gone


def on_password_changed(user: Player, request: HttpRequest | None = None, **_signal: Any) -> None:
    """A new password ends every session but the one that set it: sockets close, pages ask anew."""
    is_own = request is not None and getattr(request.user, "pk", None) == user.pk
    end_all(user, but=request if is_own else None)


def on_second_factor_added(user: Player, request: HttpRequest, **_signal: Any) -> None:
    """Sessions that began with the password alone end, but for the one that set this up."""
    end_all(user, but=request)


def current(request: HttpRequest) -> int | None:
    """The key of this session's row."""
    return request.session.get(_ROW)


def _begin(request: HttpRequest, player: Player) -> Login:
    """List the session of ``request``, which has a key from now on."""
    session, now = request.session, clock.now()
    if not session.session_key:
        session.save()
    facts = {"player": player, "began_at": now, **_facts(request)}
    login, _made = Login.objects.update_or_create(session_key=session.session_key, defaults=facts)
    session[_ROW], session[_SEEN] = login.pk, time.time()
    return login


def _facts(request: HttpRequest) -> dict[str, Any]:
    """Where and when the request was made, and by what."""
    agent = request.headers.get("User-Agent", "")
    return {
        "device": devices.called(agent)[:DEVICE_LONGEST],
        "address": addresses.of_client(request) or None,
        "seen_at": clock.now(),
    }


def _end(player: Player, login_id: int | None = None, but: int | None = None) -> list[str]:
    """Delete sessions of ``player``, one or all but one. Returns their keys."""
    with transaction.atomic():
        rows = Login.objects.filter(player=player).exclude(pk=but)
        if login_id is not None:
            rows = rows.filter(pk=login_id)
        keys = list(rows.values_list("session_key", flat=True))
        Session.objects.filter(session_key__in=keys).delete()
        rows.filter(session_key__in=keys).delete()
    return keys
