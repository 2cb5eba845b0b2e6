"""An offer to play: to somebody, to whoever has the link, or once more after a match."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models.match import Clock, Kind, Match
from games.models.player import Player


class Answer(models.TextChoices):
    """What has become of a challenge."""

    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    CANCELLED = "cancelled", _("cancelled")
    EXPIRED = "expired", _("expired")


class Challenge(models.Model):
    """``challenger`` offers a match. ``opponent`` is None for a link that anybody may take.

    ``again`` is the match that is to be played once more: then this is a rematch, and of the same
    kind as that match. ``match`` is what came of it: one match, however often it is accepted.
    Only ``games.services.challenges`` writes.
    """

    id = models.CharField(primary_key=True, max_length=16)
    challenger = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="challenges_made")
    opponent = models.ForeignKey(
        Player, on_delete=models.CASCADE, null=True, related_name="challenges_got"
    )
    again = models.ForeignKey(
        Match, on_delete=models.CASCADE, null=True, related_name="offers_again"
    )
    kind = models.CharField(max_length=9, choices=Kind, default=Kind.CHALLENGE)
    target = models.PositiveSmallIntegerField(default=101)
    clock = models.CharField(max_length=8, choices=Clock, default=Clock.STANDARD)
    answer = models.CharField(max_length=9, choices=Answer, default=Answer.OPEN)
    match = models.OneToOneField(
        Match, on_delete=models.CASCADE, null=True, related_name="challenge"
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        constraints = [
            models.UniqueConstraint(
                fields=["again"], condition=Q(answer="open"), name="one_open_rematch"
            ),
            models.UniqueConstraint(
                fields=["challenger", "opponent"],
                condition=Q(answer="open", opponent__isnull=False),
                name="one_open_challenge",
            ),
        ]
        indexes = [
            models.Index(
                fields=["expires_at"], condition=Q(answer="open"), name="challenge_expiry"
            ),
            models.Index(fields=["opponent", "answer"], name="challenge_got"),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("games:challenge", args=[self.id])

    @property
    def is_open(self) -> bool:
        return self.answer == Answer.OPEN
