"""Outages: while no web process is alive the clocks stand; afterwards the time is given back."""

from datetime import timedelta

from django.db import transaction

from games.models import Outage, Pulse, clock
from games.services import play
from games.services.locks import lock

ALIVE = "alive"
LONGEST_SILENCE = timedelta(seconds=3)


def alive() -> Outage | None:
    """Say that a web process lives: each does so before it listens, and every second.

    If none has for more than three seconds that was an outage: whoever speaks first moves every
    running deadline by the gap, and writes one row, which is returned.
    """
    with transaction.atomic():
        Pulse.objects.get_or_create(name=ALIVE, defaults={"at": clock.now()})
        pulse = lock(Pulse.objects.filter(name=ALIVE)).get()
        now = clock.now()
        last, pulse.at = pulse.at, max(pulse.at, now)
        pulse.save(update_fields=["at"])
        if now - last <= LONGEST_SILENCE:
            return None
        moved = play.shift_clocks(last_alive=last, gap=now - last)
        return Outage.objects.create(began_at=last, ended_at=now, matches=moved)


def is_on() -> bool:
    """Has no web process been alive of late? Then nobody's time runs out."""
    pulse = Pulse.objects.filter(name=ALIVE).first()
    return pulse is None or clock.now() - pulse.at > LONGEST_SILENCE
