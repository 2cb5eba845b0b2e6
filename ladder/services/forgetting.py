"""What standing holds of an account that was closed, and what of it goes."""

from games.models import Player
from ladder.models import Appeal, Mark, Note, QueueEntry, Report, Sanction


def forget(player: Player) -> None:
    """Delete what is personal, in the running transaction. Ratings, results and measures stay with
    the row, which has no name: measures as what and until when, without a word of what was said.
    """
    Mark.objects.filter(player=player).delete()
    QueueEntry.objects.filter(player=player).delete()
    Note.objects.filter(player=player).delete()
    Report.objects.filter(reporter=player).update(text="")
    Report.objects.filter(suspect=player).update(text="", evidence={})
    Appeal.objects.filter(sanction__player=player).update(text="", answer="")
    Sanction.objects.filter(player=player).update(message="", undone_why="")
