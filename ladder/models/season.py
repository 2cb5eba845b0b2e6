"""Seasons: quarters of a year in UTC, their final tables, and what is won in them."""

from datetime import UTC, datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Player


class Season(models.Model):
    """A quarter: ``began_at`` ≤ … < ``ends_at``. ``number`` is 4 × year + quarter − 1.

    ``frozen_at`` is when its table was made final; None while it runs.
    """

    number = models.PositiveIntegerField(primary_key=True)
    began_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    frozen_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ("-number",)

    def __str__(self) -> str:
        return f"{self.year} Q{self.quarter}"

    @property
    def year(self) -> int:
        return self.number // 4

    @property
    def quarter(self) -> int:
        """1 to 4."""
        return self.number % 4 + 1


def season_number(moment: datetime) -> int:
    """The number of the season in which ``moment`` lies.

    >>> season_number(datetime(2026, 11, 30, tzinfo=UTC))
    8107
    """
    utc = moment.astimezone(UTC)
    return 4 * utc.year + (utc.month - 1) // 3


def season_bounds(number: int) -> tuple[datetime, datetime]:
    """When season ``number`` begins, and when the next one does.

    >>> [str(moment.date()) for moment in season_bounds(8107)]
    ['2026-10-01', '2027-01-01']
    """
    first, after = (
        datetime(place // 4, place % 4 * 3 + 1, 1, tzinfo=UTC) for place in (number, number + 1)
    )
    return first, after


class SeasonPlace(models.Model):
    """A line of a season's final table. Equal ratings share a rank."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="places")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="season_places")
    rank = models.PositiveIntegerField()
    rating = models.SmallIntegerField()
    matches = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    lost = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="place_once")]
        indexes = [models.Index(fields=["season", "rank", "player"], name="season_table")]


class Prize(models.TextChoices):
    """What a badge is for, best first: a player gets the best one alone."""

    FIRST = "first", _("first place")
    TOP_3 = "top 3", _("top 3")
    TOP_10 = "top 10", _("top 10")
    TOP_100 = "top 100", _("top 100")
    TENTH = "tenth", _("top ten per cent")


class Badge(models.Model):
    """What a player has won in a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="badges")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="badges")
    prize = models.CharField(max_length=7, choices=Prize)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("badge")
        verbose_name_plural = _("badges")
        constraints = [models.UniqueConstraint(fields=["season", "player"], name="badge_once")]
