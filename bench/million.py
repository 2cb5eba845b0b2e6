"""The board with a million rated players, on a PostgreSQL of its own: database time and plans.

    python -m bench.million [players]

By hand: it takes minutes. docs/board.md keeps what came of it.
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack

from tests.backends import postgres

STACK = ExitStack()
os.environ["DATABASE_URL"] = STACK.enter_context(postgres())
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "basra_site.settings")

import django  # noqa: E402  (the settings read the environment)

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from games.models import Player  # noqa: E402
from ladder.models import Rating  # noqa: E402
from ladder.selectors import leaderboard  # noqa: E402
from ladder.services import board  # noqa: E402

TIMES = 7  # of which the median counts
EXPLAINED = ("a page in the middle", "a rank", "a percentile", "a search")


def fill(count: int) -> None:
    """Make the players, their ratings and the counts."""
    call_command("migrate", verbosity=0)
    began = time.monotonic()
    call_command("seed_demo", players=count, matches=0, sketch=True)
    print(f"filled in {time.monotonic() - began:.0f} s", flush=True)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    began = time.monotonic()
    board.refresh()
    print(f"the board brought up to date in {time.monotonic() - began:.1f} s", flush=True)


def asked() -> dict[str, Callable[[], object]]:
    """What the pages ask, of somebody in the middle of the board."""
    listed = leaderboard.listed()
    middle = listed[listed.count() // 2]
    me, deep = Player.objects.get(pk=middle.player_id), leaderboard.key_of(middle)
    mine = Rating.objects.get(player=me)
    return {
        "the first page": lambda: leaderboard.ranked_section(None),
        "a page in the middle": lambda: leaderboard.ranked_section(None, after=deep),
        "the page before it": lambda: leaderboard.ranked_section(None, before=deep),
        "the first page, own row and neighbours": lambda: leaderboard.ranked_section(me),
        "my place": lambda: leaderboard.around(me),
        "a rank": lambda: leaderboard.rank_of(mine),
        "a percentile": lambda: leaderboard.share_below(mine.rating),
        "a search": lambda: leaderboard.search("mah", None),
        "those without a rank": lambda: leaderboard.others_section(None),
    }


def database_time(ask: Callable[[], object]) -> tuple[float, int]:
    """The seconds that the database took, as its connection saw them, and how many queries."""
    spent: list[float] = []

    def timed(execute, sql, params, many, context):
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            spent.append(time.perf_counter() - began)

    with connection.execute_wrapper(timed):
        ask()
    return sum(spent), len(spent)


def explain(ask: Callable[[], object]) -> None:
    """Print the plan of each query."""
    with CaptureQueriesContext(connection) as captured:
        ask()
    for query in captured.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + query["sql"])
            print("\n".join(f"    {line}" for (line,) in cursor.fetchall()), end="\n\n")


def main(count: int) -> None:
    """Fill, time and explain."""
    with STACK:
        fill(count)
        pages = asked()
        for name, ask in pages.items():
            spent, queries = zip(*(database_time(ask) for _time in range(TIMES)), strict=True)
            print(f"{name}: {sorted(spent)[TIMES // 2] * 1000:.1f} ms in {queries[0]} queries")
        for name in EXPLAINED:
            print(f"\n{name}")
            explain(pages[name])
        connection.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
