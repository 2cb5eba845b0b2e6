"""What standing holds of an account that was closed, and what of it goes."""

from django.db.models import Q

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
    _forget_in_evidence(player)
    Appeal.objects.filter(sanction__player=player).update(text="", answer="")
    Sanction.objects.filter(player=player).update(message="", undone_why="", name_key="")


def _forget_in_evidence(player: Player) -> None:
    """What ``player`` said beside a line of somebody else that was complained of."""
    here = Q(match__seats__player=player) | Q(utterance__match__seats__player=player)
    for report in Report.objects.filter(here).exclude(suspect=player).distinct():
        if "talk" not in report.evidence:
            continue
        report.evidence["talk"] = [
            {**line, "text": ""} if line.get("by") == player.pk else line
            for line in report.evidence["talk"]
        ]
        report.save(update_fields=["evidence"])
