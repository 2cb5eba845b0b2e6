"""Devices that somebody logs in from: what one is called, and whether it is new.

A device is a make of browser in a block of addresses; that is kept as a keyed hash, for 90 days
after it was last seen. No cookie is left in the browser, which several people may use.
"""

from datetime import timedelta

from celery import current_app
from django.db import transaction
from django.urls import reverse
from django.utils import translation

from games.models import Device, Login, Player, Topic, clock
from games.models.keyed import keyed, keyed_ever
from games.services import notifications
from games.services.addresses import block
from games.services.after import after_commit

KEPT = timedelta(days=90)
NEW = "new device"  # the fact by which the notification's sentence is found
TELL = "games.tasks.tell_of_new_device"

# Of several that fit the first is right: most browsers also call themselves what others are.
_BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"),
    ("YaBrowser", "Yandex"), ("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("CriOS", "Chrome"),
    ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS = (
    ("iPhone", "iOS"), ("iPad", "iPadOS"), ("Android", "Android"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Mac OS", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


def called(agent: str) -> str:
    """What a browser is, by the name it gives itself; empty for what is none of the known ones.

    >>> called("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    found = (
        next((name for sign, name in known if sign in agent), "") for known in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(name for name in found if name)


def note(login: Login) -> bool:
    """Note the device of a log-in that has just been made. True if it is a new one: then its player
    is told, after the first device of all. Nothing is noted where nothing is known of it."""
    if not (login.device or login.address):
        return False
    text = f"{login.player_id}\n{login.device}\n{block(login.address or '')}"
    with transaction.atomic():
        mine = Device.objects.filter(player=login.player_id)
        if mine.filter(digest__in=keyed_ever("device", text)).update(last_at=clock.now()):
            return False
        is_first = not mine.exists()
        Device.objects.create(
            player_id=login.player_id, digest=keyed("device", text), last_at=clock.now()
        )
        if not is_first:
            _tell(login)
    return not is_first


def forget(player: Player) -> None:
    """The account closes."""
    Device.objects.filter(player=player).delete()


def forget_old() -> int:
    """Delete those that were last seen more than 90 days ago. Returns how many."""
    return Device.objects.filter(last_at__lt=clock.now() - KEPT).delete()[0]


def _tell(login: Login) -> None:
    notifications.notify(
        login.player_id,
        Topic.NOTICE,
        answer=NEW,
        text=login.device,
        address=reverse("account_sessions"),
    )
    arguments = [login.pk, translation.get_language() or ""]
    after_commit(lambda: current_app.send_task(TELL, args=arguments))
