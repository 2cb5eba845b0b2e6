"""Eight processes at one queue, as several servers and workers are: on SQLite, on PostgreSQL."""

import json
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.servers import ROOT, Site

pytestmark = pytest.mark.services

PEOPLE = """
import secrets
from datetime import datetime
from tests.factories import person
from ladder.models import QueueEntry, Rating
from games.models import Match, Seat
QueueEntry.objects.all().delete()
made = []
for rating in {ratings}:
    player = person("p" + secrets.token_hex(8))  # another process counts from one again
    Rating.objects.create(player=player, rating=rating, matches=1, won=1)
    made.append(player.pk)
    if {waiting}:
        QueueEntry.objects.create(
            player=player, rating=rating, entered_at=datetime.fromisoformat("{since}")
        )
print(json.dumps(made))
"""
SEATED = """
from games.models import Seat
from ladder.models import QueueEntry
pairs = {}
for match, player in Seat.objects.filter(player__in=%r).values_list("match", "player"):
    pairs.setdefault(match, []).append(player)
print(json.dumps([list(pairs.values()), list(QueueEntry.objects.values_list("player", flat=True))]))
"""
FOUND = """
from datetime import timedelta
from games.models import clock
from ladder.models import Found
one, two = QueueEntry.objects.filter(player__in=made[:2])
Found.objects.create(
    one=one, two=two, one_ready=False, two_ready=False, until=clock.now() + timedelta(minutes=1)
)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return Site(tmp_path_factory.mktemp("pairing")).prepare()


@pytest.fixture
def run(site):
    """Runs Python against the site's database in a process of its own: what it printed as JSON."""

    def python(code):
        prelude = "import django, json, os\n"
        prelude += "os.environ['DJANGO_SETTINGS_MODULE'] = 'basra_site.settings'\ndjango.setup()\n"
        done = subprocess.run(
            [sys.executable, "-c", prelude + code],
            cwd=ROOT, env=site.env | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return python


@pytest.fixture
def people(run):
    """Persons of these ratings, who have waited for a minute unless told otherwise: their ids."""

    def make(ratings, waiting=True):
        since = (timezone.now() - timedelta(minutes=1)).isoformat()
        return run(PEOPLE.format(ratings=ratings, waiting=waiting, since=since))

    return make


@pytest.fixture
def race(site):
    """Lets processes act at the same moment: how many matches they began, all together."""

    def start(*acts):
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.ladder.pairer", *map(str, words)],
                cwd=ROOT, env=site.env, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
            for words in acts
        ]  # fmt: skip
        for process in running:
            assert process.stdout.readline() == "ready\n", process.stderr.read()
        for process in running:
            process.stdin.write("go\n")
            process.stdin.flush()
        outcomes = [process.communicate(timeout=60) for process in running]
        assert [err for _out, err in outcomes if "Traceback" in err] == []
        return sum(int(out) for out, _err in outcomes)

    return start


def test_nobody_is_paired_twice_and_nobody_forgotten(run, people, race):
    ids = people([1500] * 17)
    assert race(*[["pair"]] * 8) == 8
    pairs, left = run(SEATED % ids)
    seated = [player for pair in pairs for player in pair]
    assert {len(pair) for pair in pairs} == {2}
    assert len(seated) == len(set(seated)) == 16
    assert sorted(seated + left) == ids


def test_it_is_the_nearest_first(run, people, race):
    """All are acceptable to all; which pair is made doesn't depend on who makes it."""
    ids = people([1000, 1040, 1500, 1530, 2000, 2020, 2500, 2510])
    assert race(*[["pair"]] * 8) == 4
    pairs, left = run(SEATED % ids)
    assert sorted(map(sorted, pairs)) == [ids[at : at + 2] for at in range(0, 8, 2)]
    assert left == []


def test_pairing_while_people_enter(run, people, race):
    waiting = people([1100, 1900])  # too far from those who have just come
    new = people([1500] * 5, waiting=False)
    race(*[["pair"]] * 3, *(["enter", player] for player in new))
    pairs, left = run(SEATED % (waiting + new))
    seated = [player for pair in pairs for player in pair]
    assert len(seated) == len(set(seated))
    assert sorted(seated + left) == sorted(set(seated) | set(left))
    assert len(set(new) & set(left)) == 1


def test_both_accept_at_once_and_more_than_once(run, people, race):
    """One match, to which whoever presses again comes; and nobody else gets one of the two."""
    since = timezone.now().isoformat()
    one, two, third = run(PEOPLE.format(ratings=[1500] * 3, waiting=True, since=since) + FOUND)
    race(*[["accept", one], ["accept", two]] * 3, ["pair"], ["pair"])
    pairs, left = run(SEATED % [one, two, third])
    assert [sorted(pair) for pair in pairs] == [[one, two]]
    assert left == [third]
