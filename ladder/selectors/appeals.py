"""Appeals as moderators see them."""

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from games.models import Player
from ladder.models import Appeal
from ladder.selectors.roles import out_of_reach

PAGE_SIZE = 50


def waiting(reader: Player, at: str) -> Page:
    """Page ``at`` of the appeals that nobody has decided, longest waiting first. 3 queries."""
    rows = _within_reach(reader).filter(granted=None)
    return Paginator(rows.order_by("made_at", "pk"), PAGE_SIZE).get_page(at)


def one(reader: Player, appeal_id: int) -> Appeal:
    """That appeal with all that its page names. Raises ``Appeal.DoesNotExist`` also for one of
    whom ``reader`` may not act on."""
    return _within_reach(reader).get(pk=appeal_id)


def may_decide(appeal: Appeal, by: Player) -> bool:
    """Is it open, and somebody else's sanction?"""
    return appeal.granted is None and appeal.sanction.by_id != by.pk


def _within_reach(reader: Player) -> QuerySet[Appeal]:
    rows = Appeal.objects.select_related("sanction__player", "sanction__by", "decided_by")
    return rows.exclude(sanction__player__in=out_of_reach(reader))
