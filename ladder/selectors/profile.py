"""What a player's page shows."""

from dataclasses import dataclass

from games.models import Kind, Player, PlayerKind
from games.names import name_key
from ladder import elo
from ladder.models import Pool, Rating
from ladder.selectors import history, leaderboard

LAST = 20


@dataclass(frozen=True, slots=True)
class Profile:
    """``rating`` is None for who has none to have: a house player, a guest."""

    player: Player
    rating: int | None
    provisional: bool
    rank: int | None
    won: int
    lost: int
    lines: list[history.Line]
    is_me: bool


def find(name: str) -> Player:
    """The player called ``name`` in any spelling of it.

    Raises ``Player.DoesNotExist``, also for a closed account: its name is no longer shown.
    """
    return Player.objects.exclude(kind=PlayerKind.CLOSED).get(name_key=name_key(name))


def profile(player: Player, viewer: Player | None) -> Profile:
    """The page of ``player``: ranked matches for everybody, all kinds for oneself."""
    is_me = viewer is not None and viewer.pk == player.pk
    kinds = Kind.values if is_me else [Kind.RANKED]
    row = Rating.objects.filter(player=player, pool=Pool.RANKED).first()
    if row is None:
        row = Rating(player=player)
    return Profile(
        player=player,
        rating=row.rating if player.kind == PlayerKind.PERSON else None,
        provisional=row.provisional,
        rank=leaderboard.rank_of(row),
        won=row.won,
        lost=row.lost,
        lines=history.finished(player, kinds, LAST),
        is_me=is_me,
    )


def matches_to_go(shown: Profile) -> int:
    """How many ranked matches a provisional rating lacks for a rank."""
    return max(0, elo.PROVISIONAL_UNDER - shown.won - shown.lost)
