"""A thousand people watch one match, and its players do not notice."""

import json
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.servers import ROOT, Site, Visitor, cards_in, table_of

pytestmark = [pytest.mark.services, pytest.mark.soak]

WATCHERS = 1000
LANGUAGES = ("en", "ar")
PLAYS = 30
PAUSE_SECONDS = 1.5  # between plays: so everybody who watches gets a frame of each
PATIENCE_SECONDS = 30
MATCH = """
import json
from tests import tables
match = dealt(Kind.RANKED, tables.two())
seats = match.seats.select_related("player")
print(json.dumps([match.id, [tables.session(seat.player) for seat in seats]]))
"""


class Player:
    """A seated player's browser: notes when each version of the table comes to it."""

    def __init__(self, site: Site, match: str, session: str) -> None:
        self.address = f"/games/{match}/"
        self.visitor = Visitor(site).with_session(session)
        self.visitor.get(self.address)
        headers = {"Origin": site.url, "Cookie": f"sessionid={session}"}
        self.socket = connect(
            f"ws://localhost:{site.port}/ws/games/{match}/",
            additional_headers=headers, compression=None, proxy=None,
        )  # fmt: skip
        self.came: dict[int, float] = {}
        self.table = ""
        self.news = threading.Condition()
        self.listening = threading.Thread(target=self.listen)
        self.listening.start()

    def listen(self) -> None:
        try:
            for frame in self.socket:
                if 'id="table"' in frame:
                    with self.news:
                        self.came[int(table_of(frame)["version"])] = time.perf_counter()
                        self.table = frame
                        self.news.notify_all()
        except ConnectionClosed:
            pass

    def when(self, version: int) -> float:
        """When that version came, waiting for it."""
        with self.news:
            assert self.news.wait_for(lambda: version in self.came, PATIENCE_SECONDS), version
            return self.came[version]

    def close(self) -> None:
        self.socket.close()
        self.listening.join()


def delays(site: Site, match: str, sessions: list[str]) -> list[float]:
    """Seconds from the post of a play to its frame, for both players and each of ``PLAYS``."""
    found = []
    with ExitStack() as stack:
        players = [Player(site, match, session) for session in sessions]
        for player in players:
            stack.callback(player.close)
        first = int(table_of(players[0].visitor.get(f"/games/{match}/").body)["version"])
        for version in range(first, first + PLAYS):
            for player in players:
                player.when(version)
            table = table_of(players[0].table)
            mover = players[0 if table["turn"] == "me" else 1]
            card = cards_in(mover.table, "hand")[0]
            posted = time.perf_counter()
            answer = mover.visitor.play(mover.address, table["number"], card)
            assert answer.status == 302, answer.body[:2000]
            found += [player.when(version + 1) - posted for player in players]
            time.sleep(PAUSE_SECONDS)
    return found


@contextmanager
def crowd(site: Site, match: str, seen: list[list[tuple[float, int]]]) -> Iterator[None]:
    """A thousand watchers; ``seen`` is filled with what came to each, when they have gone."""
    url = f"ws://localhost:{site.port}/ws/games/{match}/"
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.concurrency.watchers", url, site.url, str(WATCHERS),
         *LANGUAGES],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        assert process.stdout.readline() == "ready\n"
        yield
        process.stdin.write("enough\n")
        process.stdin.flush()
        seen += json.loads(process.stdout.readline())


def test_a_thousand_watchers_do_not_slow_the_players(site: Site, capsys):
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # the server inherits it
    site.start(program=("-m", "tests.concurrency.counted"))
    before = delays(site, *json.loads(site.run(MATCH)))
    match, sessions = json.loads(site.run(MATCH))
    seen: list[list[tuple[float, int]]] = []
    with crowd(site, match, seen):
        watched = delays(site, match, sessions)
    after = delays(site, *json.loads(site.run(MATCH)))

    rendered = Counter((site.folder / "rendered").read_text().splitlines())
    renderings = {language: rendered[f"{match} {language}"] for language in LANGUAGES}
    alone, among = statistics.median(before + after), statistics.median(watched)
    closest = min(
        later - earlier for frames in seen for (earlier, _v), (later, _w) in pairwise(frames)
    )
    with capsys.disabled():
        print(
            f"\n{WATCHERS} watchers: a play is there after {1000 * among:.0f} ms, "
            f"without them after {1000 * alone:.0f} ms; ratio {among / alone:.2f}; "
            f"renderings of {PLAYS + 1} tables {renderings}; two frames never closer than "
            f"{closest:.2f} s"
        )
    assert renderings == dict.fromkeys(LANGUAGES, PLAYS + 1)
    assert len({frames[-1][1] for frames in seen}) == 1
    assert len(seen) == WATCHERS
    assert among <= 2 * alone
