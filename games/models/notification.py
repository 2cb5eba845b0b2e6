"""What a player is told of, kept until it is old."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.challenge import Challenge
from games.models.match import Match
from games.models.player import Player


class Topic(models.TextChoices):
    """What a notification is about; the sentence is made when it is read, in that language."""

    CHALLENGE = "challenge", _("challenge")
    REMATCH = "rematch", _("rematch")
    PAIRING = "pairing", _("ranked match")
    TURN = "turn", _("your turn")
    FOLLOW = "follow", _("new follower")
    BADGE = "badge", _("badge")
    REPORT = "report", _("answered report")
    WARNING = "warning", _("warning")
    REFUND = "refund", _("refund")
    NOTICE = "notice", _("notice")


class Notification(models.Model):
    """One line of a player's list. Of unread ones with the same ``tag`` there is one, the newest.

    ``facts`` are the plain values that its sentence needs. Only ``games.services.notifications``
    writes.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notifications")
    topic = models.CharField(max_length=9, choices=Topic)
    tag = models.CharField(max_length=40, blank=True)
    by = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, null=True, related_name="+")
    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, null=True, related_name="+")
    facts = models.JSONField(default=dict)
    made_at = models.DateTimeField(db_index=True)
    read_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ("-made_at", "-id")
        constraints = [
            models.UniqueConstraint(
                fields=["player", "tag"],
                condition=Q(read_at__isnull=True) & ~Q(tag=""),
                name="one_unread_of_a_tag",
            )
        ]
        indexes = [
            models.Index(fields=["player", "made_at", "id"], name="notifications_in_order"),
            models.Index(
                fields=["player"], condition=Q(read_at__isnull=True), name="unread_notifications"
            ),
        ]
