"""The house players: one row of Player for each level, made after every migration."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_noop

from games.models import FormerName, Kind, Level, Match, Player, PlayerKind
from games.names import name_key, skeleton
from games.selectors.matches import LIVE
from games.services import play
from games.services.locks import lock

NAMES = {
    Level.NOVICE: gettext_noop("Bondok"),
    Level.CASUAL: gettext_noop("Sabah"),
    Level.REGULAR: gettext_noop("Ustaz"),
    Level.EXPERT: gettext_noop("Hanem"),
    Level.MASTER: gettext_noop("Maallem"),
}


def seat_house_players(**_kwargs: Any) -> None:
    """Make the house players that are missing. Safe to run twice."""
    for level, name in NAMES.items():
        if not Player.objects.filter(kind=PlayerKind.HOUSE, level=level).exists():
            free = next(filter(_is_free, _variants(name)))
            Player.objects.create(
                kind=PlayerKind.HOUSE, level=level, name=free, password=UNUSABLE_PASSWORD_PREFIX
            )


def _variants(name: str) -> Iterator[str]:
    """The name, and what the house player is called where somebody had it first."""
    yield name
    yield from (f"{name}-{number}" for number in count(2))


def _is_free(name: str) -> bool:
    alike = Q(name_key=name_key(name)) | Q(skeleton=skeleton(name))
    return not (Player.objects.filter(alike).exists() or FormerName.objects.filter(alike).exists())


def practise(*, player: Player, level: str, target: int = 101) -> Match:
    """The running practice match of ``player`` against that level, or a new one.

    One at a time for each level: an unfinished one is not lost by pressing again, nor are two begun
    by pressing twice. Raises ``Player.DoesNotExist`` for a level that is none.
    """
    if level not in Level.values:  # some texts a database does not even take to compare
        raise Player.DoesNotExist
    opponent = Player.objects.get(kind=PlayerKind.HOUSE, level=level)
    running = Match.objects.filter(kind=Kind.PRACTICE, status__in=LIVE, seats__player=player)
    with transaction.atomic():
        list(lock(Player.objects.filter(pk=player.pk), no_key=True))
        found = running.filter(pk__in=opponent.seats.values("match")).first()
        return found or play.start(kind=Kind.PRACTICE, players=[player, opponent], target=target)
