"""Where somebody is logged in."""

from dataclasses import dataclass

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef

from games.models import Login, Player, clock

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Line:
    """A session; ``is_this``: the one that the page was asked for in."""

    login: Login
    is_this: bool


def sessions_of(player: Player, current: int | None) -> list[Line]:
    """The sessions of ``player`` that are open, this one first, then those seen last. 1 query."""
    alive = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=clock.now())
    rows = Login.objects.filter(Exists(alive), player=player).order_by("-seen_at", "-pk")
    lines = [Line(row, row.pk == current) for row in rows[:MOST_SHOWN]]
    return sorted(lines, key=lambda line: not line.is_this)
