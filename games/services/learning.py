"""What a player has learnt, kept in the account."""

from dataclasses import replace

from django.db import transaction

from games.models import Player
from games.selectors.lessons import Lesson, Progress, read_progress
from games.services.locks import lock


def note(*, player: Player, lesson: Lesson) -> Progress:
    """The player has done ``lesson``. Safe to repeat."""
    with transaction.atomic():
        before = _locked(player)
        return _write(player, replace(before, done=before.done | {lesson.name}))


def dismiss(*, player: Player) -> Progress:
    """The player does not want to be offered the lessons any more."""
    with transaction.atomic():
        return _write(player, replace(_locked(player), dismissed=True))


def _locked(player: Player) -> Progress:
    """The progress as it is now: two tabs may learn at once."""
    return read_progress(lock(Player.objects.filter(pk=player.pk)).get().learned)


def _write(player: Player, progress: Progress) -> Progress:
    Player.objects.filter(pk=player.pk).update(learned=progress.written)
    player.learned = progress.written
    return progress
