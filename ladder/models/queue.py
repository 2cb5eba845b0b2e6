"""Who waits for a ranked match."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Player


class QueueEntry(models.Model):
    """A person waiting. ``rating`` is the one at entry; only ``ladder.services.pairing`` writes."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="queue_entry")
    rating = models.PositiveSmallIntegerField()
    entered_at = models.DateTimeField()

    class Meta:
        verbose_name = _("queue entry")
        verbose_name_plural = _("queue entries")

    def __str__(self) -> str:
        return f"{self.player} {self.rating}"
