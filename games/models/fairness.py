"""The public list of commitments."""

from django.db import models

from games.models.appendonly import AppendOnly


class Commitment(AppendOnly):
    """One line of the public list: running number, time and hash, never whose match it is."""

    number = models.BigAutoField(primary_key=True)
    made_at = models.DateTimeField()
    sha256 = models.CharField(max_length=64, unique=True)

    class Meta:
        ordering = ("number",)
