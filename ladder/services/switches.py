"""What may change without a deploy: each setting with its kind, its default and its bounds.

The rows hold what differs from the defaults. A process asks for them every few seconds at most, so
that a page costs nothing; a change is heard everywhere within that time.
"""

import time
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Player, clock
from games.services.errors import Refused
from games.services.locks import lock
from ladder.models import SiteSetting
from ladder.models.roles import Act
from ladder.services import audit, roles

LIFE = 5.0  # seconds that a process goes by what it has read
NOTICE_LONGEST = 300
Value = bool | int | str


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting. ``default`` says its kind: yes or no, a number from ``least`` to ``most``, or a
    text of at most ``most`` characters."""

    name: str
    label: Any
    default: Value
    least: int = 0
    most: int = 0

    def check(self, value: object) -> Value:
        """``value`` if it is one that this may have. Raises ``Refused``."""
        if type(value) is not type(self.default):
            raise Refused(_("That is no value for this setting."))
        size = len(value) if isinstance(value, str) else value
        if not isinstance(value, bool) and not self.least <= int(size) <= self.most:
            raise Refused(
                _("That is out of bounds: %(least)s to %(most)s.")
                % {"least": self.least, "most": self.most}
            )
        return value


SWITCHES: dict[str, Switch] = {
    switch.name: switch
    for switch in (
        Switch("queue_open", gettext_lazy("Ranked matches can be begun"), True),
        Switch("sign_up_open", gettext_lazy("New accounts can be made"), True),
        Switch("free_text", gettext_lazy("Own words can be written at the table"), True),
        Switch(
            "reports_a_day", gettext_lazy("Reports that one player may make in a day"), 10, 1, 100
        ),
        *(
            Switch(
                f"notice_{code}",
                format_lazy("{}: {}", gettext_lazy("Notice on every page"), name),
                "",
                most=NOTICE_LONGEST,
            )
            for code, name in settings.LANGUAGES
        ),
    )
}
_kept: tuple[float, dict[str, Value]] | None = None  # when it was read, and what


def value(name: str) -> Any:
    """What ``name`` is set to now. Raises KeyError for what is no setting."""
    switch = SWITCHES[name]
    return _read().get(name, switch.default)


def notice() -> str:
    """What every page says above all else, in the reader's language or else in the source's."""
    for code in (translation.get_language() or "", settings.LANGUAGE_CODE):
        if f"notice_{code}" in SWITCHES and (text := value(f"notice_{code}")):
            return text
    return ""


def change(by: Player, name: str, to: object, why: str = "") -> bool:
    """Set ``name``. False if it is set so already.

    Raises ``Refused`` for who may not and for what is no such value, KeyError for what is no
    setting.
    """
    roles.require(by, Act.SET)
    wanted = SWITCHES[name].check(to)
    with transaction.atomic():
        row = lock(SiteSetting.objects.filter(pk=name)).first()
        before = row.value if row else SWITCHES[name].default
        if before == wanted:
            return False
        now = {"value": wanted, "changed_at": clock.now(), "changed_by": by}
        SiteSetting.objects.update_or_create(name=name, defaults=now)
        audit.record(by, Act.SET, why=why, before={name: before}, after={name: wanted})
    forget()
    return True


def forget() -> None:
    """Read anew at the next question."""
    global _kept
    _kept = None


def keep(values: dict[str, Value]) -> None:
    """Go by ``values`` from now on, as if they had just been read."""
    global _kept
    _kept = (time.monotonic(), values)


def _read() -> dict[str, Value]:
    """What is set, as it was a few seconds ago at the longest. A row that holds no value, or is for
    no setting, counts for nothing."""
    if _kept is None or time.monotonic() - _kept[0] > LIFE:
        rows = SiteSetting.objects.values_list("name", "value")
        keep({name: value for name, value in rows if _is_sound(name, value)})
    return _kept[1] if _kept else {}


def _is_sound(name: str, value: object) -> bool:
    try:
        return name in SWITCHES and SWITCHES[name].check(value) == value
    except Refused:
        return False
