"""Ratings, and the ledger that every one of them can be rebuilt from."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player
from games.models.appendonly import AppendOnly
from ladder import elo


class Pool(models.TextChoices):
    """Ratings of different pools are never compared."""

    RANKED = "ranked", _("ranked")


class ChangeKind(models.TextChoices):
    """Why a rating changed. All but a result name the row that they refer to."""

    RESULT = "result", _("result")
    ANNULMENT = "annulment", _("annulment")
    REFUND = "refund", _("refund")
    REVERSAL = "reversal", _("reversal")


class Rating(models.Model):
    """A player's rating now. Only ``ladder.services`` writes it; the ledger says how it came about.

    There is no row before the first ranked result: until then the rating is ``elo.START``.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    pool = models.CharField(max_length=8, choices=Pool, default=Pool.RANKED)
    rating = models.PositiveSmallIntegerField(default=elo.START)
    matches = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["player", "pool"], name="rating_once")]
        indexes = [models.Index(fields=["pool", "-rating"], name="rating_board")]

    def __str__(self) -> str:
        return f"{self.player} {self.rating}"

    @property
    def provisional(self) -> bool:
        """Too few matches for a rank."""
        return self.matches < elo.PROVISIONAL_UNDER


class RatingChange(AppendOnly):
    """One line of the ledger; ``id`` is the order. ``formula`` is ``elo.FORMULA`` at the time.

    ``score`` is 1 for a win, 0 for a loss; ``expected`` the expected score to six places.
    """

    kind = models.CharField(max_length=9, choices=ChangeKind, default=ChangeKind.RESULT)
    refers_to = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="followed_by"
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_changes")
    pool = models.CharField(max_length=8, choices=Pool, default=Pool.RANKED)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_changes")
    opponent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    score = models.PositiveSmallIntegerField(null=True)
    before = models.PositiveSmallIntegerField()
    after = models.PositiveSmallIntegerField()
    k = models.PositiveSmallIntegerField(null=True)
    expected = models.DecimalField(max_digits=7, decimal_places=6, null=True)
    formula = models.PositiveSmallIntegerField(default=elo.FORMULA)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["match", "player"],
                condition=Q(kind=ChangeKind.RESULT),
                name="one_result_each",
            ),
            models.CheckConstraint(
                condition=Q(
                    kind=ChangeKind.RESULT,
                    refers_to__isnull=True,
                    score__in=[0, 1],
                    k__isnull=False,
                    expected__isnull=False,
                )
                | (~Q(kind=ChangeKind.RESULT) & Q(refers_to__isnull=False)),
                name="result_or_reference",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.match_id}: {self.before} → {self.after}"

    @property
    def change(self) -> int:
        """Rating points won (or lost, below zero)."""
        return self.after - self.before

    @property
    def held(self) -> bool:
        """Did the floor take something off a loss?"""
        return self.score == 0 and self.before - elo.rounded(self.k * self.expected) < elo.FLOOR
