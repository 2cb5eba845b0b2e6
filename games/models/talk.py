"""What players say to each other at a table."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.match import Match
from games.models.player import Player


class Phrase(models.TextChoices):
    """What everybody may say, shown in each reader's own language."""

    HELLO = "hello", pgettext_lazy("said at the table", "Hello!")
    LUCK = "luck", pgettext_lazy("said at the table", "Good luck!")
    NICE = "nice", pgettext_lazy("said at the table", "Well played!")
    BASRA = "basra", pgettext_lazy("said at the table", "What a basra!")
    OOPS = "oops", pgettext_lazy("said at the table", "Oh no!")
    MOMENT = "moment", pgettext_lazy("said at the table", "One moment, please.")
    SORRY = "sorry", pgettext_lazy("said at the table", "Sorry!")
    THANKS = "thanks", pgettext_lazy("said at the table", "Thank you!")
    AGAIN = "again", pgettext_lazy("said at the table", "Once more?")
    BYE = "bye", pgettext_lazy("said at the table", "Good game, goodbye!")


class Utterance(models.Model):
    """One thing that was said: a phrase, or up to 140 characters of free ``text``, which with
    their marks and joiners are more for a database.

    Kept 90 days for moderators. Only ``games.services.talk`` writes.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="talk")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="said")
    phrase = models.CharField(max_length=8, choices=Phrase, blank=True)
    text = models.CharField(max_length=600, blank=True)
    said_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("utterance")
        verbose_name_plural = _("utterances")
        ordering = ("id",)
        indexes = [models.Index(fields=["player", "said_at"], name="said_of_late")]
