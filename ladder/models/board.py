"""What is kept so that the board is quick however many are on it; renewed by a periodic task."""

from django.db import models


class RatingCount(models.Model):
    """How many listed players have a rating: ranks, percentiles and the distribution."""

    rating = models.SmallIntegerField(primary_key=True)
    players = models.PositiveIntegerField()


class BoardState(models.Model):
    """When the counts were made, and the week-old ranks: one row."""

    THE_ROW = 1

    counted_at = models.DateTimeField(null=True)
    week_ranks_at = models.DateTimeField(null=True)
    listed = models.PositiveIntegerField(default=0)


class RankThen(models.Model):
    """The rank that a listed player had on a day (UTC); kept for eight days."""

    day = models.DateField()
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "player"], name="rank_then_once")]
