"""The house players, as somebody who looks for an opponent sees them."""

from games.models import Level, Player, PlayerKind


def players() -> list[tuple[Player, int]]:
    """Each house player with the place of its level, 1 for the weakest: in that order. 1 query."""
    places = {level: place for place, level in enumerate(Level.values, start=1)}
    found = Player.objects.filter(kind=PlayerKind.HOUSE, level__in=places)
    return sorted(((player, places[player.level]) for player in found), key=lambda one: one[1])
