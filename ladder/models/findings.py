"""What periodic looks at the matches have found: evidence for moderators, never a verdict."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player


class FindingKind(models.TextChoices):
    SHORT = "short", _("matches decided in suspiciously few plays or seconds")
    THROWN = "thrown", _("resignations from won positions")
    TRADING = "trading", _("two players who win from each other in turn")
    RING = "ring", _("a ring of players who play each other alone")
    ALIKE = "alike", _("accounts alike that play each other")
    STALLING = "stalling", _("sits out the clock in lost positions")
    MACHINE = "machine", _("choices and pace of a program")


class Finding(models.Model):
    """Something odd about one player or a few. ``key`` names what it is about, so that looking
    again renews it; ``evidence`` are plain facts, ``severity`` is 1 to 3.

    ``cleared_at``: a moderator has found it harmless, and it does not come back for this evidence.
    """

    kind = models.CharField(max_length=8, choices=FindingKind)
    key = models.CharField(max_length=120, unique=True)
    players = models.ManyToManyField(Player, related_name="findings")
    matches = models.ManyToManyField(Match, related_name="findings")
    severity = models.PositiveSmallIntegerField(default=1)
    evidence = models.JSONField(default=dict)
    found_at = models.DateTimeField()
    renewed_at = models.DateTimeField()
    cleared_at = models.DateTimeField(null=True)
    cleared_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("finding")
        verbose_name_plural = _("findings")
        ordering = ("-severity", "-renewed_at")
        indexes = [models.Index(fields=["kind", "-renewed_at"], name="findings_by_kind")]


class MarkKey(models.Model):
    """What, with SECRET_KEY, keys the hashes of one period of 90 days: marks of different periods
    have nothing in common."""

    made_at = models.DateTimeField()
    salt = models.CharField(max_length=64)


class Mark(models.Model):
    """That an account was used from a device like this: a keyed hash of user agent, language and
    address block. Two accounts with the same one may be one person, or one family."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="marks")
    key = models.ForeignKey(MarkKey, on_delete=models.CASCADE, related_name="marks")
    digest = models.CharField(max_length=64)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "key", "digest"], name="mark_once")
        ]
        indexes = [models.Index(fields=["digest"], name="marks_alike")]
