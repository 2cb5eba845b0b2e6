"""A match looked back at, play by play."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class ReviewState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("being made")
    READY = "ready", _("ready")
    FAILED = "failed", _("failed")


class Review(models.Model):
    """What the plays of one seat gave up in a match that is over.

    ``plays`` has an entry for each that was looked at, in order, as ``games.selectors.reviews``
    reads it; ``total`` is how many there will be. ``asked_at`` is None until its player has asked,
    ``beat_at`` the last sign of life of whoever makes it. Only ``games.services.reviews`` writes.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reviews")
    seat = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=7, choices=ReviewState, default=ReviewState.WAITING)
    plays = models.JSONField(default=list)
    total = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField(null=True)
    beat_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="review_once")]
        indexes = [
            models.Index(
                fields=["beat_at"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="reviews_coming",
            )
        ]

    @property
    def is_coming(self) -> bool:
        """Is it still being made?"""
        return self.state in (ReviewState.WAITING, ReviewState.RUNNING)

    @property
    def done(self) -> int:
        """How many plays have been looked at."""
        return len(self.plays)
