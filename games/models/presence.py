"""Who is at a table: a lease for each open socket of a seat, which lapses unless renewed."""

from django.db import models

from games.models.match import Match


class Lease(models.Model):
    """An open socket of a seat. Two tabs are two leases; a killed process renews none of its."""

    channel = models.CharField(primary_key=True, max_length=120)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="leases")
    seat = models.PositiveSmallIntegerField()
    until = models.DateTimeField(db_index=True)
