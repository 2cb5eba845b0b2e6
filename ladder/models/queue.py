"""Who waits for a ranked match, and how near an opponent has to be."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player
from games.models.appendonly import AppendOnly
from ladder.models.pauses import What

FIRST_WIDTH = 100  # rating points either way
WIDER_BY = 50
WIDER_EVERY = timedelta(seconds=5)
LAST_WIDTH = 400  # one step later anybody is acceptable
# A page that waits asks every 5 s, but a browser wakes a tab in the background once a minute only.
GONE_AFTER = timedelta(seconds=90)


class QueueEntry(models.Model):
    """A person waiting. ``rating`` is the one at entry, ``seen_at`` the page's last sign of life.

    Who was put back, because the last match was not started, has ``failed_by`` and ``failed_how``:
    whose doing that was. Only ``ladder.services.pairing`` writes.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="queue_entry")
    rating = models.PositiveSmallIntegerField()
    entered_at = models.DateTimeField()
    seen_at = models.DateTimeField(default=timezone.now)
    failed_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    failed_how = models.CharField(max_length=7, choices=What, blank=True)

    class Meta:
        verbose_name = _("queue entry")
        verbose_name_plural = _("queue entries")

    def __str__(self) -> str:
        return f"{self.player} {self.rating}"

    def waited(self, moment: datetime) -> timedelta:
        """How long the wait has lasted at ``moment``."""
        return max(moment - self.entered_at, timedelta(0))

    def width(self, moment: datetime) -> int | None:
        """How many rating points away an opponent may be at ``moment``; None: any number."""
        width = FIRST_WIDTH + WIDER_BY * (self.waited(moment) // WIDER_EVERY)
        return width if width <= LAST_WIDTH else None

    def is_gone(self, moment: datetime) -> bool:
        """Has the page given no sign of life for too long?"""
        return moment - self.seen_at > GONE_AFTER


class Pairing(AppendOnly):
    """A match that the queue made, and since when each seat had waited for it."""

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="pairing")
    since_0 = models.DateTimeField()
    since_1 = models.DateTimeField()

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")

    def __str__(self) -> str:
        return self.match_id

    def since(self, seat: int) -> datetime:
        """Since when the player of ``seat`` had waited."""
        return self.since_1 if seat else self.since_0


class Found(models.Model):
    """An opponent found for somebody who practises meanwhile: both are asked, until ``until``.

    Each entry is in one of these at most; while it is, it is paired with nobody else. Only
    ``ladder.services.pairing`` writes.
    """

    one = models.OneToOneField(QueueEntry, on_delete=models.CASCADE, related_name="found_as_one")
    two = models.OneToOneField(QueueEntry, on_delete=models.CASCADE, related_name="found_as_two")
    one_ready = models.BooleanField()
    two_ready = models.BooleanField()
    until = models.DateTimeField()

    class Meta:
        verbose_name = _("pairing found")
        verbose_name_plural = _("pairings found")

    def __str__(self) -> str:
        return f"{self.one_id} and {self.two_id}"
