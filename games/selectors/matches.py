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


def missed_call(player: Player) -> Match | None:
    """The ranked match that waits for ``player`` to come: it has no seed of theirs. Who has been
    at the table, and has left it for another page, is not fetched back."""
    return Match.objects.filter(
        kind=Kind.RANKED, status=Status.STARTING, seats__player=player, seats__client_seed=""
    ).first()


def plays_in_earnest(player: Player) -> bool:
    """Does ``player`` hold a seat in a live match other than practice?"""
    return live_matches(player).exclude(kind=Kind.PRACTICE).exists()
