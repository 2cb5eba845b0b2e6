"""Signs of life."""

from typing import Any

from games.models import Pulse, clock

WORKER_SECONDS = 2.0


def beat(name: str) -> None:
    """Write that the part called ``name`` has just done its round."""
    Pulse.objects.update_or_create(name=name, defaults={"at": clock.now()})


def age(name: str) -> float | None:
    """Seconds since ``name`` last did its round; None if it never did."""
    pulse = Pulse.objects.filter(name=name).first()
    return None if pulse is None else (clock.now() - pulse.at).total_seconds()


def keep_beating(sender: Any, **_signal: Any) -> None:
    """Called with a worker's consumer once it is ready: it says every two seconds that it lives."""
    sender.timer.call_repeatedly(WORKER_SECONDS, beat, ("worker",))
