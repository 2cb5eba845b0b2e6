"""What binds a measure to whoever closes an account and comes back."""

from django.db import models

from games.models import Player


class BoundAddress(models.Model):
    """The keyed hash of a confirmed e-mail address of an account that was closed while a measure
    was in force. Whoever confirms that address for another account bears the measure there, too.

    Goes when no measure is in force any more. Only ``ladder.services.bindings`` writes.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="bound_addresses")
    digest = models.CharField(max_length=64, db_index=True)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "digest"], name="bound_once")]
