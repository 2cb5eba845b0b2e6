"""The files of ranked matches that everybody may have."""

from django.db import models


class PublishedFile(models.Model):
    """A month of ranked matches as JSON lines, compressed; ``name`` is its name in the folder."""

    month = models.DateField(unique=True)
    name = models.CharField(max_length=60)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    matches = models.PositiveIntegerField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("-month",)
