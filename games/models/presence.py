"""Who is at a table: a lease for each open socket of a seat, which lapses unless renewed; and how
many watch."""

from django.db import models

from games.models.match import Match


class Lease(models.Model):
    """An open socket of a seat. Two tabs are two leases; a killed process renews none of its."""

    channel = models.CharField(primary_key=True, max_length=120)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="leases")
    seat = models.PositiveSmallIntegerField()
    until = models.DateTimeField(db_index=True)


class Audience(models.Model):
    """How many watchers one web process serves at a match; lapses unless renewed."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="audiences")
    process = models.CharField(max_length=40)
    watchers = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "process"], name="audience_once")]
