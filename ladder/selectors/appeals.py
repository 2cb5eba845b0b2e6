"""Appeals as moderators see them."""

from django.core.paginator import Page, Paginator

from games.models import Player
from ladder.models import Appeal

PAGE_SIZE = 50


def waiting(at: str) -> Page:
    """Page ``at`` of the appeals that nobody has decided, longest waiting first. 2 queries."""
    rows = Appeal.objects.filter(granted=None).select_related("sanction__player", "sanction__by")
    return Paginator(rows.order_by("made_at", "pk"), PAGE_SIZE).get_page(at)


def one(appeal_id: int) -> Appeal:
    """That appeal with all that its page names. Raises ``Appeal.DoesNotExist``."""
    rows = Appeal.objects.select_related("sanction__player", "sanction__by", "decided_by")
    return rows.get(pk=appeal_id)


def may_decide(appeal: Appeal, by: Player) -> bool:
    """Is it open, and somebody else's sanction?"""
    return appeal.granted is None and appeal.sanction.by_id != by.pk
