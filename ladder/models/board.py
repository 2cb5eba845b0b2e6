"""What is kept so that the board is quick however many are on it; renewed by a periodic task."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Board(models.TextChoices):
    """The boards whose ratings are counted."""

    ALL_TIME = "all", _("all time")
    SEASON = "season", _("this season")


class RatingCount(models.Model):
    """How many players on a board have a rating: ranks, percentiles and the distribution."""

    board = models.CharField(max_length=6, choices=Board)
    rating = models.SmallIntegerField()
    players = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["board", "rating"], name="counted_once")]


class BoardState(models.Model):
    """When the counts were made, and the last day whose ranks are kept: one row."""

    THE_ROW = 1

    counted_at = models.DateTimeField(null=True)
    ranks_of = models.DateField(null=True)


class RankThen(models.Model):
    """The rank that a listed player had on a day (UTC); kept for eight days."""

    day = models.DateField()
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "player"], name="rank_then_once")]
