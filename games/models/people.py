"""Who follows, blocks and mutes whom, and who is on the site now."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from games.models.player import Player


class Tie(models.Model):
    """Something that one player has said of another: ``player`` does it, ``other`` bears it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(fields=["player", "other"], name="%(class)s_once"),
            models.CheckConstraint(condition=~Q(player=F("other")), name="%(class)s_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} → {self.other_id}"


class Follow(Tie):
    """``player`` wants to see when ``other`` is here."""


class Block(Tie):
    """``player`` wants nothing to do with ``other``, who is not told."""


class Mute(Tie):
    """``player`` does not want to read what ``other`` writes."""


class Online(models.Model):
    """A person with a page of the site open; lapses unless a socket renews it."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, primary_key=True)
    until = models.DateTimeField(db_index=True)
