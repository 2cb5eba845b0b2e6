"""People with ratings, a clock that can be set, and results made through the site's own doors."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Match, Player, clock
from games.services import play
from ladder.models import Rating
from tests.factories import dealt, person


@pytest.fixture
def rated():
    """Makes a person with a rating as if won by matches: ``rated("Nour", 1512, won=7, lost=5)``."""

    def make(name: str = "", rating: int = 1500, won: int = 0, lost: int = 0, **extra) -> Player:
        player = person(name, **extra)
        figures = {"matches": won + lost, "won": won, "lost": lost, "opponents": won + lost}
        row = Rating(player=player, rating=rating, last_at=clock.now(), **figures)
        row.listed = row.qualifies(clock.now())
        row.save()
        return player

    return make


@pytest.fixture
def beats():
    """Plays a ranked match that the second resigns: ``beats(winner, loser)`` gives the match."""

    def end(winner: Player, loser: Player) -> Match:
        match = dealt(players=[winner, loser])
        play.resign(match_id=match.id, player=loser)
        return Match.objects.get(pk=match.pk)

    return end


@pytest.fixture
def later(monkeypatch):
    """Stops the clock; ``later(5)`` sets it five seconds after the test began, and says when."""
    began = timezone.now()

    def set_to(seconds: float = 0, **more: float):
        moment = began + timedelta(seconds=seconds, **more)
        monkeypatch.setattr(clock, "now", lambda: moment)
        return moment

    set_to()
    return set_to
