"""The roles of staff, every act there is, and the least role for each."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from ladder.models.moderation import Measure


class Role(models.TextChoices):
    """What somebody on the staff is, least first. The value is the name of the group."""

    HELPER = "helper", _("helper")
    MODERATOR = "moderator", _("moderator")
    SENIOR = "senior", _("senior moderator")
    ADMINISTRATOR = "administrator", _("administrator")

    @property
    def rank(self) -> int:
        """1 for the least."""
        return list(Role).index(self) + 1


class Act(models.TextChoices):
    """Everything that only staff may do or look at. The value is what the trail keeps."""

    QUEUE = "queue", _("see the queue and its cases")
    OPEN = "case.open", _("open a case")
    CLAIM = "case.claim", _("claim a case")
    RELEASE = "case.release", _("release a case")
    CLOSE = "case.close", _("close a case")
    ANSWER = "report.answer", _("answer a report")
    NOTE = "case.note", _("write a note")
    CLEAR = "finding.clear", _("clear a finding")
    SEE_TALK = "look.talk", _("look at the talk of others")
    SEE_MATCH = "look.match", _("look at a match that is not public")
    SEE_MARKS = "look.marks", _("look at the marks of an account")

    WARN = f"sanction.{Measure.WARNING}", _("warn")
    MUTE = f"sanction.{Measure.MUTE}", _("mute")
    PAUSE = f"sanction.{Measure.PAUSE}", _("pause from ranked play")
    OFF_BOARD = f"sanction.{Measure.OFF_BOARD}", _("take off the leaderboard")
    RENAME = f"sanction.{Measure.RENAME}", _("require a change of name")
    CHEAT = f"sanction.{Measure.CHEAT}", _("mark as a cheat")
    SUSPEND = f"sanction.{Measure.SUSPENSION}", _("suspend")
    SHUT = f"sanction.{Measure.CLOSURE}", _("close the account")
    UNDO = "sanction.undo", _("undo a sanction")
    DECIDE = "appeal.decide", _("decide an appeal")
    ANNUL = "match.annul", _("annul a match")

    SEE_TRAIL = "audit.read", _("read the audit trail")
    EXPORT_TRAIL = "audit.export", _("export the audit trail")
    APPOINT = "staff.appoint", _("appoint staff")
    SET = "setting.change", _("change a setting")
    ADMIN = "admin.open", _("open the administration")


# The least role that may. Helpers look after names and talk; seniors have marks, restitution and
# appeals.
MAY: dict[Act, Role] = {
    Act.QUEUE: Role.HELPER,
    Act.OPEN: Role.HELPER,
    Act.CLAIM: Role.HELPER,
    Act.RELEASE: Role.HELPER,
    Act.CLOSE: Role.HELPER,
    Act.ANSWER: Role.HELPER,
    Act.NOTE: Role.HELPER,
    Act.SEE_TALK: Role.HELPER,
    Act.WARN: Role.HELPER,
    Act.MUTE: Role.HELPER,
    Act.RENAME: Role.HELPER,
    Act.CLEAR: Role.MODERATOR,
    Act.SEE_MATCH: Role.MODERATOR,
    Act.PAUSE: Role.MODERATOR,
    Act.OFF_BOARD: Role.MODERATOR,
    Act.SUSPEND: Role.MODERATOR,
    Act.SHUT: Role.MODERATOR,
    Act.UNDO: Role.MODERATOR,
    Act.SEE_TRAIL: Role.MODERATOR,
    Act.SEE_MARKS: Role.SENIOR,
    Act.CHEAT: Role.SENIOR,
    Act.DECIDE: Role.SENIOR,
    Act.ANNUL: Role.SENIOR,
    Act.EXPORT_TRAIL: Role.SENIOR,
    Act.APPOINT: Role.ADMINISTRATOR,
    Act.SET: Role.ADMINISTRATOR,
    Act.ADMIN: Role.ADMINISTRATOR,
}


def act_of(measure: str) -> Act:
    """The act of imposing ``measure``."""
    return Act(f"sanction.{measure}")
