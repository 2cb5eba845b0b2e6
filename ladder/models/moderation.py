"""Reports, cases, sanctions, appeals, and the trail of every act of a moderator."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player, Utterance
from games.models.appendonly import AppendOnly
from ladder.models.rating import RatingChange


class Reason(models.TextChoices):
    """What somebody is reported for; the severity of each is in ``ladder.services.docket``."""

    CHEATING = "cheating", _("cheating, or help by a program")
    MANIPULATION = "rating", _("rating manipulation")
    STALLING = "stalling", _("stalling or leaving")
    INSULTS = "insults", _("insults")
    NAME = "name", _("offensive name or text")
    OTHER = "other", _("something else")


class Case(models.Model):
    """All that is open about one player: reports and findings, looked at together.

    ``weight`` orders the queue: severity and the reporters' past accuracy. ``claimed_until`` lapses
    by itself. ``closed_at`` is None while it is open; a player has one open case at most.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="cases")
    weight = models.PositiveIntegerField(default=0)
    reports_open = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField()
    claimed_by = models.ForeignKey(
        Player, on_delete=models.SET_NULL, null=True, related_name="cases_claimed"
    )
    claimed_until = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=Q(closed_at__isnull=True), name="one_open_case"
            )
        ]
        indexes = [
            models.Index(
                fields=["-weight", "opened_at"],
                condition=Q(closed_at__isnull=True),
                name="case_queue",
            )
        ]


class Report(models.Model):
    """What one player reports of another; ``reporter`` is None where a filter did.

    ``evidence`` is a copy of what was complained of, as it was then: it outlives the thing itself.
    """

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(
        Player, on_delete=models.CASCADE, null=True, related_name="reports_made"
    )
    suspect = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="reports_got")
    reason = models.CharField(max_length=8, choices=Reason)
    text = models.CharField(max_length=500, blank=True)
    match = models.ForeignKey(Match, on_delete=models.SET_NULL, null=True, related_name="reports")
    utterance = models.ForeignKey(
        Utterance, on_delete=models.SET_NULL, null=True, related_name="reports"
    )
    evidence = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    upheld = models.BooleanField(null=True)
    answered_at = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "suspect"],
                condition=Q(answered_at__isnull=True, reporter__isnull=False),
                name="one_open_report",
            )
        ]
        indexes = [models.Index(fields=["reporter", "made_at"], name="reports_of_late")]


class Note(models.Model):
    """What moderators tell each other about a player."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notes")
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    text = models.CharField(max_length=1000)
    made_at = models.DateTimeField()


class Measure(models.TextChoices):
    """What a moderator can do about a player, mildest first."""

    WARNING = "warning", _("warning")
    MUTE = "mute", _("mute")
    PAUSE = "pause", _("pause from ranked play")
    OFF_BOARD = "board", _("off the leaderboard")
    RENAME = "rename", _("required change of name")
    CHEAT = "cheat", _("marked as a cheat")
    SUSPENSION = "suspend", _("suspension")
    CLOSURE = "closure", _("closure")


class Sanction(models.Model):
    """A measure against a player. ``until`` is None for one without an end; it is in force until
    then, unless ``undone_at``. A warning is over as soon as it is given.

    ``message`` is what the player is told, in the player's language, and has to acknowledge.
    ``name_key``: the name that was objected to. ``follows``: the one of the player's closed account
    before, which goes on in this one. Only ``ladder.services.sanctions`` writes.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sanctions")
    measure = models.CharField(max_length=8, choices=Measure)
    reason = models.CharField(max_length=8, choices=Reason)
    message = models.CharField(max_length=1000)
    by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    began_at = models.DateTimeField()
    until = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    undone_why = models.CharField(max_length=500, blank=True)
    name_key = models.CharField(max_length=80, blank=True)
    follows = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, related_name="followed_by"
    )

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ("-began_at",)
        indexes = [
            models.Index(
                fields=["player", "measure"],
                condition=Q(undone_at__isnull=True),
                name="sanctions_in_force",
            )
        ]


class GivenBack(models.Model):
    """A row of the ledger that a mark as a cheat has brought about, so that undoing the mark
    reverses exactly those."""

    sanction = models.ForeignKey(Sanction, on_delete=models.CASCADE, related_name="given_back")
    change = models.OneToOneField(RatingChange, on_delete=models.PROTECT, related_name="given_for")


class SanctionedAddress(models.Model):
    """The keyed hash of a confirmed e-mail address of a player against whom something stands: who
    closes the account and comes back with that address has not got rid of it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "digest"], name="sanctioned_address_once")
        ]


class Appeal(models.Model):
    """What the player says against a sanction, once; somebody else than who made it decides."""

    sanction = models.OneToOneField(Sanction, on_delete=models.CASCADE, related_name="appeal")
    text = models.CharField(max_length=1000)
    made_at = models.DateTimeField()
    granted = models.BooleanField(null=True)
    answer = models.CharField(max_length=1000, blank=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")


class AuditEntry(AppendOnly):
    """An act of a moderator, or a look at something private: who, what, whom, why, before, after.

    Ids, no names and no foreign keys: it outlives the accounts. The database refuses to change it.
    """

    kept_by_database = True

    at = models.DateTimeField(db_index=True)
    by = models.BigIntegerField()
    role = models.CharField(max_length=13)
    act = models.CharField(max_length=24)
    player = models.BigIntegerField(null=True)
    match = models.CharField(max_length=12, blank=True)
    why = models.CharField(max_length=1000, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit trail")
        ordering = ("-id",)
        indexes = [
            models.Index(fields=["by", "-id"], name="audit_by"),
            models.Index(fields=["player", "-id"], name="audit_player"),
            models.Index(fields=["act", "-id"], name="audit_act"),
        ]


class SiteSetting(models.Model):
    """What may change without a deploy: one row for each name in ``ladder.services.switches``."""

    name = models.CharField(primary_key=True, max_length=30)
    value = models.JSONField()
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("setting")
        verbose_name_plural = _("settings")
