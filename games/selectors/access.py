"""Who may look at a match, running or over (design: what a viewer may see)."""

from collections.abc import Iterable

from games.models import Kind, Match, Player


def may_look(match: Match, player_ids: Iterable[int], viewer: Player | None) -> bool:
    """A ranked match: everybody. A challenge: who has its address. Practice: its player."""
    if match.kind != Kind.PRACTICE:
        return True
    return viewer is not None and viewer.pk in player_ids
