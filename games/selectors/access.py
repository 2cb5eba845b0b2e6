"""Who may look at a match, running or over (design: what a viewer may see)."""

from collections.abc import Collection

from games import ports
from games.models import Kind, Match, Player
from games.selectors.people import is_kept_out


def may_look(match: Match, player_ids: Collection[int], viewer: Player | None) -> bool:
    """A ranked match: everybody. A challenge: who has its address, unless one of its players
    blocks them or is blocked by them. Practice: its player. And, over, whichever it is: a moderator
    who has said so in the trail. 1 query at most, but for staff.
    """
    if match.kind == Kind.RANKED or (viewer is not None and viewer.pk in player_ids):
        return True
    if match.kind == Kind.CHALLENGE and not _is_kept_out(viewer, player_ids):
        return True
    return ports.may_inspect(match.pk, viewer)


def _is_kept_out(viewer: Player | None, player_ids: Collection[int]) -> bool:
    return viewer is not None and is_kept_out(viewer, player_ids)
