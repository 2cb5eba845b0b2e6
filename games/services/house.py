"""The house players: one row of Player for each level, made after every migration."""

from typing import Any

from games.models import Kind, Level, Match, Player, PlayerKind, Status
from games.names import name_key
from games.services import play

NAMES = {Level.NOVICE: "Bondok", Level.CASUAL: "Sabah", Level.REGULAR: "Ustaz"}


def seat_house_players(**_kwargs: Any) -> None:
    """Make the house players that are missing. Safe to run twice."""
    for level, name in NAMES.items():
        Player.objects.get_or_create(
            kind=PlayerKind.HOUSE,
            level=level,
            defaults={"name": name, "name_key": name_key(name), "password": "!"},
        )


def practise(*, player: Player, level: str, target: int = 101) -> Match:
    """The running practice match of ``player`` against that level, or a new one.

    One at a time for each level: an unfinished one is not lost by pressing again.
    Raises ``Player.DoesNotExist`` for a level that is none.
    """
    if level not in Level.values:  # some texts a database does not even take to compare
        raise Player.DoesNotExist
    opponent = Player.objects.get(kind=PlayerKind.HOUSE, level=level)
    running = Match.objects.filter(
        kind=Kind.PRACTICE, status__in=[Status.STARTING, Status.PLAYING], seats__player=player
    )
    found = running.filter(pk__in=opponent.seats.values("match")).first()
    return found or play.start(kind=Kind.PRACTICE, players=[player, opponent], target=target)
