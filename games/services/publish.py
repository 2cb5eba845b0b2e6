"""The only place that sends to the channel layer from outside a consumer.

A send from another thread does not wake the server's event loop with the in-memory layer: it
raises nothing and arrives late or never. So ``serve`` hands its loop in, and sends hop over to it.
"""

import asyncio
import hashlib
import logging
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

log = logging.getLogger(__name__)
_server_loop: asyncio.AbstractEventLoop | None = None


def use_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """Send on ``loop``, the server's, from now on; None forgets it."""
    global _server_loop
    _server_loop = loop


def publish(group: str, message: dict[str, Any]) -> None:
    """Send ``message`` to ``group``; a failure is logged: viewers resync by themselves."""
    try:
        layer = get_channel_layer()
        if _server_loop is not None:
            asyncio.run_coroutine_threadsafe(layer.group_send(group, message), _server_loop)
        else:
            async_to_sync(layer.group_send)(group, message)
    except Exception:
        log.exception("could not publish to %s", group)


def probe() -> None:
    """Send a message that nobody takes, to see that the layer works; raises what it raises."""
    async_to_sync(get_channel_layer().group_send)("probe", {"type": "probe"})


def poke(match_id: str, version: int) -> None:
    """Tell whoever looks at the match that it has a new version: what it is, each viewer asks."""
    publish(f"match.{match_id}", {"type": "match.changed", "match": match_id, "version": version})


def player_group(player_id: int) -> str:
    """The group of all open sockets of a player."""
    return f"player.{player_id}"


def session_group(key: str | None) -> str:
    """The group of the open sockets of one session; its name does not tell the key."""
    return f"session.{hashlib.sha256((key or '').encode()).hexdigest()[:40]}"


def end_session(key: str | None) -> None:
    """Close the sockets of a session that has ended."""
    publish(session_group(key), {"type": "session.ended"})


def end_sessions(player_id: int) -> None:
    """Close all sockets of a player whose sessions have all ended."""
    publish(player_group(player_id), {"type": "session.ended"})


def call_to_table(player_id: int, match_id: str) -> None:
    """Call a waiting player to the table."""
    publish(player_group(player_id), {"type": "player.called", "match": match_id})


def news(player_id: int, *topics: str) -> None:
    """Tell the open pages of a player that there is news of these topics: each page that shows one
    asks for it anew. Topics: bell, challenges, people, queue, talk, lobby.
    """
    publish(player_group(player_id), {"type": "player.news", "topics": " ".join(topics)})
