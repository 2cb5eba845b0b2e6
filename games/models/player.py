"""Who plays."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from games.names import check_shape, name_key, skeleton

ABOUT_LONGEST = 200  # characters as people see them
ABOUT_STORED = 800  # code points: room for the marks and joiners of so many characters
WITHHELD = "~"  # begins the address of who has no name to show; no name holds it
DIGITS_OF_A_KEY = 19


class PlayerKind(models.TextChoices):
    PERSON = "person", _("person")
    GUEST = "guest", _("guest")
    HOUSE = "house", _("house player")
    CLOSED = "closed", _("closed account")


class Level(models.TextChoices):
    """The house players, weakest first. The names are those of ``games.ai``."""

    NOVICE = "novice", _("Novice")
    CASUAL = "casual", _("Casual")
    REGULAR = "regular", _("Regular")
    EXPERT = "expert", _("Expert")
    MASTER = "master", _("Master")

    @property
    def line(self) -> str:
        """How a house player of this level plays, in a sentence."""
        return gettext(_LINES[self.value])


_LINES = {
    "novice": gettext_noop("Plays whatever card comes to hand, and is never sorry."),
    "casual": gettext_noop("Sees a good capture, unless the talk at the next table is better."),
    "regular": gettext_noop("Takes what is worth most now, and forgets what has gone."),
    "expert": gettext_noop("Asks before every card what you could answer, and gives little away."),
    "master": gettext_noop("Remembers every card, reads your plays, and looks ahead to the last."),
}


class Welcome(models.TextChoices):
    """Who may challenge a player."""

    EVERYBODY = "everybody", _("everybody")
    FOLLOWED = "followed", _("people I follow")
    NOBODY = "nobody", _("nobody")


class Mask(models.TextChoices):
    """What others read in place of a name that a moderator has taken out of sight."""

    RENAME = "rename", _("name withheld")
    CLOSED = "closed", _("closed account")


class PlayerManager(BaseUserManager["Player"]):
    def create_user(self, name: str, password: str | None = None, **extra: Any) -> "Player":
        """A new player called ``name``; a player without a password cannot log in.

        Raises IntegrityError when another name has the same key or looks the same.
        """
        player = self.model(name=name, **extra)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(self, name: str, password: str | None = None, **extra: Any) -> "Player":
        """A player with every right. Raises ValidationError for what is no name or is taken."""
        check_shape(name)
        alike = Q(name_key=name_key(name)) | Q(skeleton=skeleton(name))
        if self.filter(alike).exists() or FormerName.objects.filter(alike).exists():
            raise ValidationError(gettext("That name, or one that looks like it, is taken."))
        return self.create_user(name, password, is_staff=True, is_superuser=True, **extra)

    def called(self, address: str) -> "Player":
        """Who is addressed so: by name, in any spelling, a house player also as the reader sees it,
        or by number where the name is withheld, which leads to nobody then.

        Raises Player.DoesNotExist, also for a closed account, whose name is shown no longer.
        """
        shown, key = self.exclude(kind=PlayerKind.CLOSED), name_key(address)
        number = address.removeprefix(WITHHELD)
        if number != address:
            sane = number.isascii() and number.isdigit() and len(number) < DIGITS_OF_A_KEY
            return shown.get(mask=Mask.RENAME, pk=int(number) if sane else 0)
        house = shown.filter(kind=PlayerKind.HOUSE)
        found = shown.filter(mask="", name_key=key).first() or next(
            (one for one in house if name_key(one.shown_name) == key), None
        )
        if found is None:
            raise self.model.DoesNotExist
        return found

    def get_by_natural_key(self, username: str | None) -> "Player":
        return self.get(name_key=name_key(username or ""))

    async def aget_by_natural_key(self, username: str | None) -> "Player":
        return await self.aget(name_key=name_key(username or ""))


class Player(AbstractBaseUser, PermissionsMixin):
    """A person, a guest, a house player or a closed account: whoever can hold a seat.

    ``name`` is the name chosen, ``shown_name`` what others see; ``name_key`` is what log-in,
    addresses and uniqueness use, and ``skeleton`` what keeps look-alikes out (guests have none).
    ``renamed_at`` is the last change of name. ``mask`` is what others read instead of it.
    ``digest_on`` is the day of the last digest sent.
    ``is_held``: a moderator's measure stands against the player, or is to be read; without it none
    need be looked for. ``sessions_ended`` counts how often a moderator has ended all sessions.
    ``learned`` names the lessons done (``games.selectors.lessons.Progress``).
    A guest's ``last_login`` is the last sign of life (``games.services.guests``).
    """

    name = models.CharField(_("name"), max_length=20)
    name_key = models.CharField(max_length=80, unique=True, editable=False)
    skeleton = models.CharField(max_length=80, unique=True, null=True, blank=True, editable=False)
    kind = models.CharField(max_length=6, choices=PlayerKind, default=PlayerKind.PERSON)
    level = models.CharField(max_length=8, choices=Level, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    is_held = models.BooleanField(default=False, editable=False)
    mask = models.CharField(max_length=6, choices=Mask, blank=True, default="", editable=False)
    sessions_ended = models.PositiveIntegerField(default=0, editable=False)

    # Preferences
    chooses_seed = models.BooleanField(_("I choose my own seed"), default=False)
    more_time = models.BooleanField(_("more time"), default=False)
    four_colours = models.BooleanField(_("four-colour suits"), default=False)
    back = models.CharField(
        _("card back"),
        max_length=8,
        default="star",
        choices=[("star", _("star")), ("lattice", _("lattice")), ("wave", _("wave"))],
    )

    scheme = models.CharField(
        _("light and dark"),
        max_length=6,
        default="system",
        choices=[("system", _("as my system")), ("light", _("light")), ("dark", _("dark"))],
    )
    animation = models.CharField(
        _("animation"),
        max_length=6,
        default="normal",
        choices=[("normal", _("normal")), ("quick", _("quick")), ("off", _("off"))],
    )
    sounds = models.BooleanField(_("sounds"), default=False)
    confirm_play = models.BooleanField(_("ask me before each play"), default=False)

    challengers = models.CharField(
        _("who may challenge me"), max_length=9, choices=Welcome, default=Welcome.EVERYBODY
    )
    about = models.CharField(
        _("about me"),
        max_length=ABOUT_STORED,
        blank=True,
        default="",
        help_text=_("Up to 200 characters that everybody can read on your page. No links."),
    )
    shows_matches = models.BooleanField(_("others see my record by opponent"), default=True)
    shows_online = models.BooleanField(_("others see whether I am here"), default=True)
    publishes = models.BooleanField(_("my matches are in the published files"), default=True)
    renamed_at = models.DateTimeField(null=True, blank=True)
    wants_digest = models.BooleanField(_("a daily letter about moderation"), default=False)
    digest_on = models.DateField(null=True, blank=True, editable=False)
    browser_notices = models.BooleanField(_("notices by the browser"), default=False)

    learned = models.CharField(max_length=160, blank=True, default="", editable=False)
    language = models.CharField(_("language"), max_length=16, blank=True, default="")
    arabic_digits = models.BooleanField(_("Arabic-Indic digits"), default=False)

    objects = PlayerManager()

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: list[str] = []

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        indexes = [models.Index(fields=["id"], condition=Q(is_held=True), name="players_held")]

    def __str__(self) -> str:
        return self.shown_name

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Save, the key and the skeleton following the name, whichever door it was changed by."""
        if self.kind != PlayerKind.CLOSED:
            self.name_key = name_key(self.name)
            self.skeleton = None if self.kind == PlayerKind.GUEST else skeleton(self.name)
            if update_fields is not None and "name" in update_fields:
                update_fields = {*update_fields, "name_key", "skeleton"}
        super().save(*args, update_fields=update_fields, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("ladder:profile", args=[self.address])

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """What a session is bound to: the password, and that no moderator has ended it since."""
        bound = super()._get_session_auth_hash(secret=secret)
        return f"{bound}{self.sessions_ended}" if self.sessions_ended else bound

    @property
    def address(self) -> str:
        """What stands for the player in addresses: the key of the name, unless it is withheld."""
        return f"{WITHHELD}{self.pk}" if self.mask else self.name_key

    @property
    def shown_name(self) -> str:
        """The name that others see: a closed account and a guest have none, and a house player's is
        written in the reader's letters."""
        if self.is_house:
            return gettext(self.name)
        if self.is_closed:
            return gettext("closed account")
        if self.mask:
            return str(Mask(self.mask).label)
        return gettext("guest") if self.is_guest else self.name

    @property
    def is_house(self) -> bool:
        return self.kind == PlayerKind.HOUSE

    @property
    def house_line(self) -> str:
        """How this house player plays, in a sentence; empty for everybody else."""
        return Level(self.level).line if self.is_house else ""

    @property
    def is_guest(self) -> bool:
        return self.kind == PlayerKind.GUEST

    @property
    def is_person(self) -> bool:
        """Somebody with an account."""
        return self.kind == PlayerKind.PERSON

    @property
    def is_closed(self) -> bool:
        """Closed for everybody to see: by the player, or by a moderator; then the player can still
        log in."""
        return self.kind == PlayerKind.CLOSED or self.mask == Mask.CLOSED


class FormerName(models.Model):
    """A name that a player had. While there is a row its address leads to the player, and nobody
    else may take the name or one that looks like it. ``until``: when it is due to be free again;
    None if never."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names")
    name_key = models.CharField(max_length=80, unique=True)
    skeleton = models.CharField(max_length=80, db_index=True)
    until = models.DateTimeField(null=True, db_index=True)


class RecoveryCode(models.Model):
    """The code shown once at sign-up, for people without e-mail: kept as a hash, works once."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="recovery_code")
    digest = models.CharField(max_length=200)
    made_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
