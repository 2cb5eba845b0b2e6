"""What is published of the shuffle: the list of commitments, and the sums over finished matches."""

from django.db import models

from games.models.appendonly import AppendOnly
from games.models.match import Match


class Commitment(AppendOnly):
    """One line of the public list: running number, time and hash, never whose match it is."""

    number = models.BigAutoField(primary_key=True)
    made_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ("number",)


class ShuffleStatistics(models.Model):
    """The sums over all matches that are over: one row, renewed by ``services.statistics``.

    ``counts`` has 52 × 52 numbers, or none while nothing is counted: number 52 p + c is how often
    card c (in the order of the ordered pack) lay at place p (0 is the top). ``jacks`` and ``komi``
    are what came into a hand: by seat, and to whoever dealt. ``packs_0`` and ``packs_1`` are the
    packs that each seat dealt; ``deals`` those of them that were played to their count.
    """

    THE_ROW = 1

    as_of = models.DateTimeField(null=True)
    counts = models.JSONField(default=list)
    packs_0 = models.PositiveBigIntegerField(default=0)
    packs_1 = models.PositiveBigIntegerField(default=0)
    jacks_0 = models.PositiveBigIntegerField(default=0)
    jacks_1 = models.PositiveBigIntegerField(default=0)
    jacks_dealer = models.PositiveBigIntegerField(default=0)
    komi_0 = models.PositiveBigIntegerField(default=0)
    komi_1 = models.PositiveBigIntegerField(default=0)
    komi_dealer = models.PositiveBigIntegerField(default=0)
    deals = models.PositiveBigIntegerField(default=0)
    ties = models.PositiveBigIntegerField(default=0)
    first_dealer_0 = models.PositiveBigIntegerField(default=0)
    first_dealer_1 = models.PositiveBigIntegerField(default=0)
    finished = models.PositiveBigIntegerField(default=0)
    aborted = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "shuffle statistics"

    @property
    def packs(self) -> int:
        """How many packs are in the sums."""
        return self.packs_0 + self.packs_1


class Uncounted(models.Model):
    """A match that is over and not in the sums yet: written by the step that ends it, and deleted
    in the transaction that counts it. So each counts once, however late its commit."""

    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, primary_key=True, related_name="uncounted"
    )
