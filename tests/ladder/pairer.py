"""A process that waits at the start line and then pairs who waits, or enters the queue, or accepts
whom the queue has found.

``python -m tests.ladder.pairer pair``, ``… enter ID`` or ``… accept ID``: says ``ready``, waits for
a line, acts on the database of its environment and prints how many matches it began or came to.
"""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")
django.setup()

from games.models import Player  # noqa: E402  (needs the apps)
from ladder.services import pairing  # noqa: E402


def main(act: str, player: str = "") -> None:
    who = Player.objects.get(pk=player) if player else None
    print("ready", flush=True)
    sys.stdin.readline()
    if act == "pair":
        begun = pairing.pair()
    else:
        door = pairing.enter_queue if act == "enter" else pairing.accept_found
        begun = int(door(who) is not None)
    print(begun, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
