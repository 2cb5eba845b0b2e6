"""kill -9 at random points: what was acknowledged is there, once, and everything goes on."""

import json
import os
import random
import threading
import time
from dataclasses import dataclass, field

import pytest

from tests.concurrency.test_serve import my_turn
from tests.servers import LOST, Site, Visitor, cards_in, table_of

pytestmark = pytest.mark.services

SETUP = """
import json
from django.test import Client
from django.conf import settings
out = []
for _ in range(%d):
    match = dealt()
    sessions = []
    for seat in match.seats.select_related("player"):
        client = Client()
        client.force_login(seat.player)
        sessions.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
    out.append([match.id, sessions])
print(json.dumps(out))
"""


PATIENCE = 400  # seconds, with two hundred tables on a small machine


@dataclass
class Acknowledged:
    """The plays that the server said yes to."""

    plays: list[tuple[str, int, str]] = field(default_factory=list)
    more: threading.Condition = field(default_factory=threading.Condition)

    def add(self, *play: object) -> None:
        with self.more:
            self.plays.append(play)
            self.more.notify_all()

    def wait_for(self, number: int, patience: float = PATIENCE) -> None:
        """Until so many plays have been acknowledged in all."""
        with self.more:
            assert self.more.wait_for(lambda: len(self.plays) >= number, patience)


class Players(threading.Thread):
    """Both players of a match: they play what the page offers, and post again until answered."""

    def __init__(self, site: Site, match: str, sessions: list[str], told: Acknowledged) -> None:
        super().__init__(daemon=True)
        self.match, self.told = match, told
        self.address = f"/games/{match}/"
        self.visitors = [Visitor(site).with_session(key) for key in sessions]
        self.leave = threading.Event()
        self.pause = threading.Event()  # never set: only waited for
        self.fault: Exception | None = None

    def run(self) -> None:
        try:
            while not self.leave.is_set() and self.one_play():
                pass
        except Exception as error:  # the test looks at it
            self.fault = error

    def one_play(self) -> bool:
        """Make the next play; False when the match is over."""
        for visitor in self.visitors:
            page = self.ask(visitor.get, self.address)
            table = table_of(page.body)
            if table["status"] != "playing":
                return False
            if table["turn"] == "me":
                self.post(visitor, int(table["number"]), random.choice(cards_in(page.body, "hand")))
        return True

    def post(self, visitor: Visitor, number: int, card: str) -> None:
        answer = self.ask(visitor.play, self.address, number, card)
        if answer.status == 302:
            self.told.add(self.match, number, card)
        else:
            assert answer.status == 409, (answer.status, answer.body[:500])

    def ask(self, how, *arguments, **form):
        """Ask until there is an answer: the server may be away for a while."""
        patience = time.monotonic() + PATIENCE
        while True:
            try:
                return how(*arguments, **form)
            except LOST:
                assert time.monotonic() < patience
                self.pause.wait(random.uniform(0.05, 0.5))


def play_through_kills(site: Site, matches: int, kills: int) -> None:
    """Let ``matches`` be played while the server is killed so often; then look at what is left."""
    made = json.loads(site.run(SETUP % matches))
    site.start()
    told = Acknowledged()
    tables = [Players(site, match, sessions, told) for match, sessions in made]
    for table in tables:
        table.start()
    for _kill in range(kills):
        told.wait_for(len(told.plays) + random.randint(3, 12))
        site.kill()
        site.start()
    told.wait_for(len(told.plays) + 2 * matches)
    for table in tables:
        table.leave.set()
    for table in tables:
        table.join(timeout=PATIENCE)
    assert [table.fault for table in tables if table.fault] == []

    stored = json.loads(
        site.run(
            "import json\n"
            "print(json.dumps(list(Play.objects.values_list('match_id', 'number', 'card'))))"
        )
    )
    assert len({(match, number) for match, number, _card in stored}) == len(stored)
    there = {tuple(play) for play in stored}
    assert [play for play in told.plays if play not in there] == []
    assert "no difference" in site.manage("verify_matches").stdout

    for table in tables:
        table.leave.clear()
        table.ask(table.visitors[0].post, f"{table.address}resign/")
    ended = site.run(
        "from ladder.models import RatingChange\n"
        "print(Match.objects.filter(status='finished').count(), RatingChange.objects.count())"
    )
    assert ended == f"{matches} {2 * matches}"
    site.manage("recompute_ratings", "--check")
    assert site.run("from ladder.models import Lapse\nprint(Lapse.objects.count())") == "0"


def test_ten_kills_lose_nothing(site: Site):
    play_through_kills(site, matches=5, kills=10)


@pytest.mark.soak
def test_twenty_kills_and_two_hundred_matches(site: Site):
    play_through_kills(site, matches=200, kills=20)


@pytest.mark.skipif(
    not os.environ.get("DATABASE_URL", "").startswith("postgres"),
    reason="processes of their own need PostgreSQL and Redis",
)
def test_a_killed_worker_alone_stops_nobody(site: Site):
    """Web, worker and beat as processes: the worker is killed while house players are due."""
    site.start(web_only=True)
    visitor = Visitor(site).sign_up("Workerless")
    address = visitor.post("/games/practice/", level="regular").headers["Location"]
    beat = site.celery("beat", "--max-interval", "1", "-S", "celery.beat.Scheduler")
    for _round in range(3):
        worker = site.celery("worker", "--pool", "threads", "-c", "2")
        visitor.post(f"{address}seed/", client_seed="mine")
        for _play in range(4):
            page = my_turn(visitor, address)
            visitor.play(address, table_of(page)["number"], cards_in(page, "hand")[0])
        worker.kill()
        worker.wait()
    beat.kill()
    beat.wait()
    assert "no difference" in site.manage("verify_matches").stdout
