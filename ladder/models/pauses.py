"""Ranked matches that somebody spoiled, and the pauses from ranked play that follow.

The rule is in ``docs/ladder.md``; only ``ladder.services.pauses`` writes here.
"""

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player
from games.models.appendonly import AppendOnly

COUNTED_FOR = timedelta(days=7)  # an older lapse is forgotten
FREE_LAPSES = 1  # anybody's line breaks once
FIRST_PAUSE = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(days=3)
CLEAN_TO_FORGIVE = 5  # ranked matches in a row, played to their end
AFTER_OUTAGE = timedelta(minutes=10)  # nothing is counted so soon after one


class What(models.TextChoices):
    """What spoiled the match. Resigning is an honest end and no lapse."""

    NO_SEED = "no_seed", _("gave no seed")
    LEFT = "left", _("left before the deal")
    TIME = "time", _("ran out of time")


class Lapse(AppendOnly):
    """A ranked match that ``player`` let down: one row for each match and player at most."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="lapses")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="lapses")
    what = models.CharField(max_length=7, choices=What)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("lapse")
        verbose_name_plural = _("lapses")
        ordering = ("at", "id")
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="lapse_once")]
        indexes = [models.Index(fields=["player", "at"], name="lapse_recent")]

    def __str__(self) -> str:
        return f"{self.player} {self.what} {self.match_id}"


class RankedPause(AppendOnly):
    """A pause of ``player`` from ranked play. ``lapse`` is the one that it followed: the reason.

    ``nth`` is 1 for the shortest; each next one is twice as long.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ranked_pauses")
    lapse = models.OneToOneField(Lapse, on_delete=models.PROTECT, related_name="pause")
    nth = models.PositiveSmallIntegerField()
    began_at = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        verbose_name = _("pause from ranked play")
        verbose_name_plural = _("pauses from ranked play")
        ordering = ("began_at", "id")
        indexes = [models.Index(fields=["player", "until"], name="pause_running")]

    def __str__(self) -> str:
        return f"{self.player} until {self.until:%F %R}"

    def runs(self, moment: datetime) -> bool:
        """Is it not over at ``moment``?"""
        return self.until > moment


def length(nth: int) -> timedelta:
    """How long the ``nth`` pause is: 10 minutes, doubling, at most three days."""
    return min(FIRST_PAUSE * 2 ** min(nth - 1, 20), LONGEST_PAUSE)
