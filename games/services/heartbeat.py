"""Signs of life."""

from games.models import Pulse, clock


def beat(name: str) -> None:
    """Write that the part called ``name`` has just done its round."""
    Pulse.objects.update_or_create(name=name, defaults={"at": clock.now()})


def age(name: str) -> float | None:
    """Seconds since ``name`` last did its round; None if it never did."""
    pulse = Pulse.objects.filter(name=name).first()
    return None if pulse is None else (clock.now() - pulse.at).total_seconds()
