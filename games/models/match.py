"""A match and what happens in it. Only ``games.services.play`` writes here."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models.appendonly import AppendOnly
from games.models.player import Player


class Kind(models.TextChoices):
    RANKED = "ranked", _("ranked")
    PRACTICE = "practice", _("practice")
    CHALLENGE = "challenge", _("challenge")


class Status(models.TextChoices):
    STARTING = "starting", _("starting")
    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")
    ABORTED = "aborted", _("aborted")


class How(models.TextChoices):
    """How a match ended."""

    POINTS = "points", _("on points")
    RESIGNATION = "resignation", _("by resignation")
    TIME = "time", _("on time")
    ABORT = "abort", _("aborted")
    SANCTION = "sanction", _("by a moderator")


class Clock(models.TextChoices):
    """The presets: free seconds a turn + bank of seconds a match and seat."""

    FAST = "fast", _("6 seconds a turn, 45 in the bank")
    STANDARD = "standard", _("12 seconds a turn, 90 in the bank")
    RELAXED = "relaxed", _("40 seconds a turn, 300 in the bank")
    NONE = "none", _("no clock")


class Unrated(models.TextChoices):
    """Why a match moves no rating; a match without such a reason is rated."""

    ABORTED = "aborted", _("it was not played")
    CHALLENGE = "challenge", _("challenges are friendly")
    SAME_PAIR = "same pair", _("the same two had met in three ranked matches within 24 hours")
    STAFF = "staff", _("staff don't play for ratings")
    SANCTION = "sanction", _("a moderator ended it")
    HINT = "hint", _("a hint was used")
    GUEST = "guest", _("guests have no rating")
    EARLIER = "earlier", _("practice was not rated yet")


class Match(models.Model):
    """Two seats, a target, and the state of the table.

    ``number`` is the number of the next play; ``version`` rises with each change that a viewer
    can see. ``sealed`` holds the server seed, the running pack and the running deal, encrypted.
    ``given_back_ms`` is what outages of the server have been given back to its clocks.
    ``ended_by`` is the seat that resigned, left or ran out of time; None if neither did.
    ``simulated``: a result made up for a demonstration, without seeds, packs and plays.
    ``unrated`` says why it moves no rating: known at the start, or by the way it ended.
    """

    id = models.CharField(primary_key=True, max_length=12)
    kind = models.CharField(max_length=9, choices=Kind)
    status = models.CharField(max_length=8, choices=Status, default=Status.STARTING)
    target = models.PositiveSmallIntegerField(default=101)
    clock = models.CharField(max_length=8, choices=Clock, default=Clock.STANDARD)
    rules_version = models.PositiveSmallIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    number = models.PositiveIntegerField(default=1)

    commitment = models.CharField(max_length=64, unique=True)
    commitment_number = models.BigIntegerField(unique=True)
    sealed = models.TextField(blank=True)
    server_seed = models.CharField(max_length=64, blank=True)

    deal = models.PositiveSmallIntegerField(default=0)
    first_dealer = models.PositiveSmallIntegerField(null=True)
    turn = models.PositiveSmallIntegerField(null=True)
    turn_began = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    house_due = models.DateTimeField(null=True)
    given_back_ms = models.PositiveIntegerField(default=0)
    unrated = models.CharField(max_length=9, choices=Unrated, blank=True)
    simulated = models.BooleanField(default=False)
    points_0 = models.PositiveIntegerField(default=0)
    points_1 = models.PositiveIntegerField(default=0)

    winner = models.PositiveSmallIntegerField(null=True)
    how = models.CharField(max_length=11, choices=How, blank=True)
    ended_by = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes = [
            models.Index(
                fields=["deadline"], condition=Q(deadline__isnull=False), name="match_deadline"
            ),
            models.Index(
                fields=["house_due"], condition=Q(house_due__isnull=False), name="match_house_due"
            ),
            models.Index(fields=["status", "kind", "created_at"], name="match_live"),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.id])

    @property
    def is_over(self) -> bool:
        return self.status in (Status.FINISHED, Status.ABORTED)

    @property
    def totals(self) -> tuple[int, int]:
        """Points of the counted deals, by seat."""
        return self.points_0, self.points_1


class Seat(models.Model):
    """One side of a match. ``bank_ms`` is what is left of the seat's bank, in milliseconds.

    ``more_time`` is the player's preference as it was at the start: free seconds are doubled.
    ``finished_at`` is the match's, so that a player's matches are found in order by one index.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")
    client_seed = models.CharField(max_length=64, blank=True)
    bank_ms = models.PositiveIntegerField(default=0)
    more_time = models.BooleanField(default=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("seat",)
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="seat_once")]
        indexes = [models.Index(fields=["player", "finished_at", "id"], name="seat_history")]


class MatchDeal(models.Model):
    """A deal of a match. The pack is written when the deal is over; until then it is sealed.

    ``tally`` keeps the count's arithmetic: {"cards": [a, b], "basras": [..], "jack_basras": [..]}.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="deals")
    index = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    pack = models.CharField(max_length=160, blank=True)
    points_0 = models.PositiveSmallIntegerField(null=True)
    points_1 = models.PositiveSmallIntegerField(null=True)
    tally = models.JSONField(null=True)

    class Meta:
        ordering = ("index",)
        constraints = [models.UniqueConstraint(fields=["match", "index"], name="deal_once")]


class Play(AppendOnly):
    """A play that was made; ``captured`` has commas between.

    ``took_ms`` is how long the turn lasted, ``spent_ms`` what of it came off the bank.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="plays")
    number = models.PositiveIntegerField()
    deal = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    card = models.CharField(max_length=2)
    captured = models.CharField(max_length=60, blank=True)
    kind = models.CharField(max_length=10)
    made_at = models.DateTimeField()
    took_ms = models.PositiveIntegerField(default=0)
    spent_ms = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("number",)
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="play_once")]
