"""Signs of life of the processes."""

from django.db import models

from games.models.appendonly import AppendOnly


class Outage(AppendOnly):
    """A time in which no web process was alive, and what running clocks were given back for it."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    matches = models.PositiveIntegerField()

    class Meta:
        ordering = ("ended_at",)


class Pulse(models.Model):
    """When a part of the site last did its round: ``sweep``, ``worker``, ``alive``."""

    name = models.CharField(primary_key=True, max_length=40)
    at = models.DateTimeField()
