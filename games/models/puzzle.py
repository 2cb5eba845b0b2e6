"""The puzzle of the day, and who has answered it."""

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models.match import Match
from games.models.player import Player


class Puzzle(models.Model):
    """A position in which one play is clearly best, for one day by UTC.

    ``position`` is what the player at turn saw, as ``games.selectors.puzzles`` draws it, and
    nothing of what was hidden from them; ``key`` is its hand and floor, written. ``plays`` are all
    that could be played but for suits, the best first: [{"play": "9h:4h,5c", "points": 12.5,
    "why": …}, …], the last as ``games.ai.reasons`` has it.
    It is deal ``deal`` of ``match`` after ``place`` of its plays; without a match it comes from a
    game that the house played against itself. Only ``games.services.puzzles`` writes.
    """

    day = models.DateField(unique=True)
    key = models.CharField(max_length=80, unique=True)
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, related_name="puzzles")
    deal = models.PositiveSmallIntegerField(null=True)
    place = models.PositiveSmallIntegerField(null=True)
    position = models.JSONField()
    plays = models.JSONField()
    chosen_at = models.DateTimeField()

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")

    def __str__(self) -> str:
        return self.day.isoformat()

    def get_absolute_url(self) -> str:
        return reverse("games:puzzle-of", args=[self.day.isoformat()])


class PuzzleAnswer(models.Model):
    """A player's first answer to a puzzle: the place of the play in ``Puzzle.plays``, 0 the best.

    ``in_time``: it came while the puzzle counted for a streak.
    """

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="answers")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="puzzle_answers")
    choice = models.PositiveSmallIntegerField()
    in_time = models.BooleanField()
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["puzzle", "player"], name="puzzle_answered_once")
        ]

    @property
    def is_solved(self) -> bool:
        """Was it the best play?"""
        return self.choice == 0
