"""Ratings, and the ledger that every one of them can be rebuilt from."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player
from games.models.appendonly import AppendOnly, AppendOnlyQuerySet
from ladder import elo
from ladder.models.season import season_number

LISTED_OPPONENTS = 3  # who always plays the same one or two is compared with nobody else
LISTED_FOR = timedelta(days=14)  # who plays no more keeps the rating, and makes room on the board


class Pool(models.TextChoices):
    """Ratings of different pools are never compared."""

    RANKED = "ranked", _("ranked")  # people against people
    PRACTICE = "practice", _("practice")  # a person against a house player of a fixed rating


class ChangeKind(models.TextChoices):
    """Why a rating changed. All but a result name the row that they refer to."""

    RESULT = "result", _("result")
    ANNULMENT = "annulment", _("annulment")
    REFUND = "refund", _("refund")
    REVERSAL = "reversal", _("reversal")


class Code(models.TextChoices):
    """Which limit took something off a gain."""

    CAPPED = "capped", _("the most that can be won from new accounts in 24 hours")


class Rating(models.Model):
    """A player's rating now. Only ``ladder.services`` writes it; the ledger says how it came about.

    There is no row before the first result of a pool: until then the rating is ``elo.START``.
    ``peak`` is the highest rating that a result led to since it stopped being provisional, None
    before. ``opponents`` counts the different people met, ``last_at`` is when the last match ended.
    ``season`` is the newest season in which one ended, and ``season_…`` are the results within it.
    A match that has been annulled is in none of these. ``listed``: is it on the board
    (``qualifies``)? ``barred``: a moderator keeps it off every board. ``week_rank`` is the rank of
    a week ago, None where there was none.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    pool = models.CharField(max_length=8, choices=Pool, default=Pool.RANKED)
    rating = models.SmallIntegerField(default=elo.START)
    matches = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    peak = models.SmallIntegerField(null=True)
    opponents = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(null=True)
    season = models.PositiveIntegerField(default=0)
    season_matches = models.PositiveIntegerField(default=0)
    season_won = models.PositiveIntegerField(default=0)
    season_lost = models.PositiveIntegerField(default=0)
    listed = models.BooleanField(default=False)
    barred = models.BooleanField(default=False)
    week_rank = models.PositiveIntegerField(null=True)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["player", "pool"], name="rating_once")]
        indexes = [
            models.Index(
                fields=["-rating", "player"],
                condition=Q(pool="ranked", listed=True),
                name="board_listed",
            ),
            models.Index(
                fields=["-rating", "player"],
                condition=Q(pool="ranked", listed=False),
                name="board_others",
            ),
            models.Index(
                fields=["season", "-rating", "player"],
                condition=Q(pool="ranked", season_matches__gte=10),
                name="board_season",
            ),
            models.Index(
                fields=["last_at"], condition=Q(pool="ranked", listed=True), name="board_idle"
            ),
            models.Index(fields=["player"], condition=Q(barred=True), name="board_barred"),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.rating}"

    @property
    def provisional(self) -> bool:
        """Too few matches for a rank."""
        return self.matches < elo.PROVISIONAL_UNDER

    def qualifies(self, moment: datetime) -> bool:
        """Does it belong on the board at ``moment``? Ranked, no longer provisional, tried against
        several people, lately, the player's account is open, and no moderator keeps it off."""
        return (
            self.pool == Pool.RANKED
            and not self.barred
            and not self.provisional
            and self.opponents >= LISTED_OPPONENTS
            and self.last_at is not None
            and self.last_at > moment - LISTED_FOR
            and self.player.is_person
        )

    def take(self, result: "RatingChange", *, new_opponent: bool) -> None:
        """Take in the player's next result; ``new_opponent``: the first against that one.

        Changes the columns that the ledger gives, and saves nothing.
        """
        self.rating = result.after
        self.matches += 1
        self.won += result.score
        self.lost += 1 - result.score
        self.opponents += new_opponent
        self.last_at = max(self.last_at or result.created_at, result.created_at)
        if not self.provisional:
            self.peak = result.after if self.peak is None else max(self.peak, result.after)
        self._take_into_season(result)

    def _take_into_season(self, result: "RatingChange") -> None:
        """Seasons only move on: of two matches that end together at midnight the older may be
        written later, and is then not one of the new season."""
        season = season_number(result.created_at)
        if season > self.season:
            self.season = season
            self.season_matches = self.season_won = self.season_lost = 0
        if season == self.season:
            self.season_matches += 1
            self.season_won += result.score
            self.season_lost += 1 - result.score


class LedgerQuerySet(AppendOnlyQuerySet):
    """Rows of the ledger."""

    def that_stand(self) -> Self:
        """The results that have not been annulled, or whose annulment has been reversed."""
        reversals = RatingChange.objects.filter(refers_to=OuterRef("pk"), kind=ChangeKind.REVERSAL)
        annulments = RatingChange.objects.filter(
            ~Exists(reversals), refers_to=OuterRef("pk"), kind=ChangeKind.ANNULMENT
        )
        return self.filter(~Exists(annulments), kind=ChangeKind.RESULT)


class RatingChange(AppendOnly):
    """One line of the ledger; ``id`` is the order. ``formula`` is ``elo.FORMULA`` at the time.

    ``score`` is 1 for a win, 0 for a loss; ``expected`` the expected score to six places.
    ``opponent_rating`` and ``opponent_matches`` are the opponent's before the match; a house
    player counts no matches. ``cut`` is what a limit took off a gain, in rating points, and
    ``code`` says which limit. ``created_at`` is when the match ended, or when an annulment, a
    refund or a reversal was made.
    """

    kept_by_database = True
    objects = LedgerQuerySet.as_manager()

    kind = models.CharField(max_length=9, choices=ChangeKind, default=ChangeKind.RESULT)
    refers_to = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="followed_by"
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="rating_changes")
    pool = models.CharField(max_length=8, choices=Pool, default=Pool.RANKED)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_changes")
    opponent = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    score = models.PositiveSmallIntegerField(null=True)
    before = models.SmallIntegerField()
    after = models.SmallIntegerField()
    opponent_rating = models.SmallIntegerField(null=True)
    opponent_matches = models.PositiveIntegerField(null=True)
    cut = models.PositiveSmallIntegerField(default=0)
    code = models.CharField(max_length=8, choices=Code, blank=True)
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
            models.UniqueConstraint(
                fields=["refers_to", "kind"],
                condition=~Q(kind=ChangeKind.RESULT),
                name="followed_once",
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
        indexes = [
            models.Index(fields=["player", "pool", "id"], name="ledger_of_player"),
            models.Index(
                fields=["player", "opponent"],
                condition=Q(kind=ChangeKind.RESULT),
                name="ledger_of_pair",
            ),
            models.Index(fields=["created_at"], name="ledger_by_time"),
            # Most rows follow none. SQLite, once it has counted, takes an index over all of them to
            # find nothing quickly, and reads the whole ledger in its stead.
            models.Index(
                fields=["refers_to"], condition=Q(refers_to__isnull=False), name="ledger_followed"
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
