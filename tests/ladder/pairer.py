"""A process that waits at the start line and then pairs who waits, or enters the queue.

``python -m tests.ladder.pairer pair`` or ``… enter ID``: says ``ready``, waits for a line, acts on
the database of its environment and prints how many matches it began.
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
    begun = pairing.pair() if act == "pair" else int(pairing.enter_queue(who) is not None)
    print(begun, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
