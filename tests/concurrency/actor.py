"""A process that waits at the start line, acts once on the shared database, and tells what came.

``python -m tests.concurrency.actor DOOR key=value …``: says ``ready``, waits for a line, opens the
door of ``games.services.play`` and prints the outcome.
"""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")
django.setup()

from games.models import Player  # noqa: E402  (needs the apps)
from games.services import play  # noqa: E402
from ladder.services import pairing  # noqa: E402

DOORS = {
    "play": play.play_card,
    "expire": play.expire_turn,
    "resign": play.resign,
    "seed": play.give_seed,
    "queue": pairing.enter_queue,
}


def main(door: str, *arguments: str) -> None:
    what = dict(argument.split("=", 1) for argument in arguments)
    if "player" in what:
        what["player"] = Player.objects.get(pk=what["player"])
    if "number" in what:
        what["number"] = int(what["number"])
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        DOORS[door](**what)
    except Exception as error:  # the outcome is what the test asks for
        print(type(error).__name__, flush=True)
    else:
        print("done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
