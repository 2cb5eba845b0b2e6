"""The matches of a player."""

from django.db.models import QuerySet

from games.models import Kind, Match, Player, Status

LIVE = (Status.STARTING, Status.PLAYING)


def live_matches(player: Player) -> QuerySet[Match]:
    """The matches of ``player`` that are not over, newest first."""
    return Match.objects.filter(status__in=LIVE, seats__player=player).order_by("-created_at")


def match_to_go_to(player: Player) -> Match | None:
    """The live ranked match of ``player``, if there is one: there is at most one."""
    return live_matches(player).filter(kind=Kind.RANKED).first()


def plays_in_earnest(player: Player) -> bool:
    """Does ``player`` hold a seat in a live match other than practice?"""
    return live_matches(player).exclude(kind=Kind.PRACTICE).exists()
