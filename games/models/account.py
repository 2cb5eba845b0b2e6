"""What an account leaves or keeps beside the player: sessions, devices, files, held names."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.keyed import keyed, keyed_ever
from games.models.player import Player

DEVICE_LONGEST = 60


class Login(models.Model):
    """A session of a person. ``device`` is what the browser calls itself, without versions;
    ``address`` where it was last seen, empty if unknown. It goes with the session.

    Only ``games.services.sessions`` writes.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="logins")
    session_key = models.CharField(max_length=40, unique=True)
    device = models.CharField(max_length=DEVICE_LONGEST, blank=True)
    address = models.GenericIPAddressField(null=True)
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField(db_index=True)


class Device(models.Model):
    """That a person has logged in from a browser of this make in this neighbourhood of addresses:
    a keyed hash of both, forgotten when it has not been seen for 90 days."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="devices")
    digest = models.CharField(max_length=64)
    last_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "digest"], name="device_once")]


class HeldName(models.Model):
    """A name that nobody may take for a time, kept as keyed hashes of its key and its skeleton: all
    that is left of the name of an account that is gone. ``until`` is None if it is never free."""

    name_digest = models.CharField(max_length=64, unique=True)
    skeleton_digest = models.CharField(max_length=64, db_index=True)
    until = models.DateTimeField(null=True, db_index=True)

    @classmethod
    def of(cls, name_key: str, skeleton: str) -> dict[str, str]:
        """The hashes for a new row."""
        return {
            "name_digest": keyed("name", name_key),
            "skeleton_digest": keyed("skeleton", skeleton),
        }

    def is_of(self, name_key: str) -> bool:
        """Is it this name itself, and not one that looks like it?"""
        return self.name_digest in keyed_ever("name", name_key)

    @classmethod
    def like(cls, name_key: str, skeleton: str) -> models.QuerySet["HeldName"]:
        """The held names that are the same or look the same."""
        same = models.Q(name_digest__in=keyed_ever("name", name_key))
        return cls.objects.filter(
            same | models.Q(skeleton_digest__in=keyed_ever("skeleton", skeleton))
        )


class ExportState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("being made")
    READY = "ready", _("ready")
    FAILED = "failed", _("failed")


class Export(models.Model):
    """All that is held about a person, as a file for that person: asked for, made, kept a week.

    ``done`` of ``total`` parts are written; ``beat_at`` is the last sign of life of whoever writes.
    ``path`` is where it lies in the storage. Only ``games.services.exports`` writes.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="exports")
    state = models.CharField(max_length=7, choices=ExportState, default=ExportState.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    path = models.CharField(max_length=100, blank=True)
    size = models.PositiveBigIntegerField(default=0)
    asked_at = models.DateTimeField(db_index=True)
    beat_at = models.DateTimeField()
    made_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(state__in=["waiting", "running"]),
                name="one_export_at_a_time",
            )
        ]

    @property
    def is_coming(self) -> bool:
        """Is it still being made?"""
        return self.state in (ExportState.WAITING, ExportState.RUNNING)
