"""``make bench``: what a play or a view costs beside the bare transaction that a play needs.

Works on a database of its own in a temporary folder, with full durability, as in real life.
"""

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial

FOLDER = tempfile.TemporaryDirectory()
os.environ |= {"VAR_DIR": FOLDER.name, "SQLITE_SYNCHRONOUS": "FULL", "HOUSE_PAUSE": "0"}
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")

import django  # noqa: E402  (the settings read the environment)

django.setup()

import random  # noqa: E402

from celery import current_app  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402

from games.ai import LEVELS, choose  # noqa: E402
from games.engine import PACK, Deal, observe  # noqa: E402
from games.models import Pulse, clock  # noqa: E402
from games.rendering import table_fragment  # noqa: E402
from games.selectors.table import table_for  # noqa: E402
from games.services import thinking  # noqa: E402
from tests.factories import dealt, play_on  # noqa: E402

ROUNDS = 200


def per_second(act: Callable[[], object], rounds: int = ROUNDS) -> float:
    """How often ``act`` can be done in a second."""
    began = time.perf_counter()
    for _round in range(rounds):
        act()
    return rounds / (time.perf_counter() - began)


def bare_transaction() -> None:
    """One durable write: the least that a play could cost."""
    with transaction.atomic():
        Pulse.objects.update_or_create(name="bench", defaults={"at": clock.now()})


def whole_deal(level: str) -> None:
    """A deal between two house players of a level, without a database."""
    rng = random.Random(1)
    deal = Deal.start(rng.sample(PACK, 52), 0)
    while not deal.over:
        deal = deal.play(choose(level, observe(deal, deal.turn), rng))


def main() -> None:
    current_app.send_task = lambda *_args, **_how: None
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    match = dealt()
    base = per_second(bare_transaction)
    print(f"{'bare transaction':<28}{base:10.0f} a second       1.00")
    show("a play, written", per_second(step, 150), base)
    show("a table, selected", per_second(lambda: table_for(match.id, None)), base)
    show("a table, rendered", per_second(lambda: table_fragment(match.id, None, "en")), base)
    for level in LEVELS:
        rounds = 2 if level == "master" else 20
        show(f"a deal between two {level}s", per_second(partial(whole_deal, level), rounds), base)
    show_thinking()


def show_thinking(plays: int = 192) -> None:
    """What a play of master takes of the processor, and what the way to a child and back adds."""
    rng = random.Random(5)
    views = []
    while len(views) < plays:
        deal = Deal.start(rng.sample(PACK, 52), 0)
        while not deal.over:
            views.append(observe(deal, deal.turn))
            deal = deal.play(choose("expert", views[-1], rng))
    taken = []
    for view in views:
        began = time.process_time()
        choose("master", view, rng)
        taken.append(1000 * (time.process_time() - began))
    print(
        f"a play of master: {sum(taken) / len(taken):.1f} ms on average (at most 60 wanted), "
        f"{max(taken):.0f} at most (200)"
    )
    view = views[47]  # one card: no thought at all
    thinking.choose("master", view)
    here = per_second(lambda: choose("master", view, rng))
    there = per_second(lambda: thinking.choose("master", view))
    print(f"a play in a child: {1000 / there - 1000 / here:.2f} ms more than here")


def show(what: str, speed: float, base: float) -> None:
    print(f"{what:<28}{speed:10.0f} a second {speed / base:10.2f}")


_running = []


def step() -> None:
    """One play of a running match, or of the next one."""
    if not _running or _running[0].is_over:
        _running[:] = [dealt()]
    _running[0] = play_on(_running[0], 1)


if __name__ == "__main__":
    main()
