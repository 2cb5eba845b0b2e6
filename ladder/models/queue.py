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
FOUND_FOR = timedelta(seconds=15)  # so long is asked who practises while waiting
TOLD_FOR = timedelta(minutes=10)  # so long is told who did not answer in that time


class Failed(models.TextChoices):
    """Why the last opponent did not come: not to the deal, or not to the table."""

    NO_SEED = What.NO_SEED.value, What.NO_SEED.label
    LEFT = What.LEFT.value, What.LEFT.label
    PASSED = "passed", _("did not come to the table")


class QueueEntry(models.Model):
    """A person waiting. ``rating`` is the one at entry, ``seen_at`` the page's last sign of life.

    Who kept the place, because the last match was not started, has ``failed_by`` and
    ``failed_how``: whose doing that was. Only ``ladder.services.pairing`` writes.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="queue_entry")
    rating = models.SmallIntegerField()
    entered_at = models.DateTimeField()
    seen_at = models.DateTimeField(default=timezone.now)
    failed_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    failed_how = models.CharField(max_length=7, choices=Failed, blank=True)

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

    @property
    def found(self) -> "Found | None":
        """The opponent found, while it is being asked whether they play."""
        return getattr(self, "found_as_one", None) or getattr(self, "found_as_two", None)

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

    @property
    def sides(self) -> tuple[tuple[QueueEntry, bool], tuple[QueueEntry, bool]]:
        """Each of the two, and whether they are ready to play."""
        return (self.one, self.one_ready), (self.two, self.two_ready)

    def is_ready(self, player_id: int) -> bool:
        """Has this one of the two said that they play, or need not be asked?"""
        return next(ready for entry, ready in self.sides if entry.player_id == player_id)

    def other(self, player_id: int) -> QueueEntry:
        """The entry of the other one."""
        return self.two if self.one.player_id == player_id else self.one

    def left(self, moment: datetime) -> timedelta:
        """How much time there is to answer."""
        return max(self.until - moment, timedelta(0))


class Missed(models.Model):
    """A person for whom an opponent was found and who did not answer, and so waits no longer."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="missed"
    )
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("opponent missed")
        verbose_name_plural = _("opponents missed")

    def __str__(self) -> str:
        return f"{self.player_id} {self.at:%F %R}"
