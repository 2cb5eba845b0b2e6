"""Results made up for a demonstration. They were never played, so they go through no step; marked
as simulated, they are left out wherever a match is checked, counted or published."""

from collections.abc import Sequence

from games.models import Match, Seat


def record(results: Sequence[tuple[Match, tuple[int, int]]]) -> None:
    """Write finished matches that nobody played, with the ids of their players by seat. Joins the
    running transaction. Raises ValueError for a match that is not marked."""
    if not all(match.simulated for match, _players in results):
        raise ValueError("a match that was played goes through games.services.play")
    Match.objects.bulk_create([match for match, _players in results])
    Seat.objects.bulk_create(
        Seat(match=match, seat=seat, player_id=player, finished_at=match.finished_at)
        for match, players in results
        for seat, player in enumerate(players)
    )
