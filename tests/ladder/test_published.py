"""The monthly files: whole matches, and nothing that tells whose they were."""

import gzip
import hashlib
import json
from datetime import UTC, datetime

import pytest

from games.models import Match, Player, clock
from ladder.models import PublishedFile
from ladder.services import published
from tests.factories import dealt, person, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path)
    return tmp_path


@pytest.fixture
def month(monkeypatch):
    """Sets the clock to a day of November or December 2026."""

    def set_to(number: int, day: int = 2) -> None:
        moment = datetime(2026, number, day, tzinfo=UTC)
        monkeypatch.setattr(clock, "now", lambda: moment)

    set_to(11)
    return set_to


def a_finished_match(*players: Player) -> Match:
    return play_on(dealt(players=list(players)))


def read(client, name: str) -> list[dict]:
    response = client.get(f"/data/{name}")
    content = b"".join(response.streaming_content)
    assert hashlib.sha256(content).hexdigest() == PublishedFile.objects.get(name=name).sha256
    return [json.loads(line) for line in gzip.decompress(content).splitlines()]


def test_a_month_is_published_when_it_is_over_and_once(client, store, month):
    one, two = person("Nadia"), person("Hassan")
    matches = [a_finished_match(one, two)]
    month(11, 3)
    matches.append(a_finished_match(two, one))
    assert published.publish_months() == []
    month(12)
    assert [made.matches for made in published.publish_months()] == [2]
    assert published.publish_months() == []
    lines = read(client, "basra-2026-11.jsonl.gz")
    assert [line["result"]["totals"] for line in lines] == [list(m.totals) for m in matches]
    assert lines[0]["players"] == lines[1]["players"][::-1]
    assert lines[0]["ratings"] == [1500, 1500]
    assert [len(deal["pack"]) for deal in lines[0]["deals"]] == [52] * len(lines[0]["deals"])
    page = client.get("/data/").content.decode()
    assert PublishedFile.objects.get().sha256 in page


def test_nothing_tells_whose_matches_they_were(client, store, month):
    one, two = person("Nadia"), person("Hassan")
    match = a_finished_match(one, two)
    month(12)
    published.publish_months()
    text = json.dumps(read(client, "basra-2026-11.jsonl.gz"))
    seeds = match.seats.values_list("client_seed", flat=True)
    for secret in ("Nadia", "Hassan", match.pk, match.server_seed, match.commitment, *seeds):
        assert secret not in text
    assert "2026" not in text


def test_who_opts_out_is_in_no_file(client, store, month):
    one, two, three = person(), person(publishes=False), person()
    a_finished_match(one, two)
    a_finished_match(one, three)
    month(12)
    assert [made.matches for made in published.publish_months()] == [1]


def test_a_stranger_gets_no_other_file(client, store, month):
    (store / "secret").write_text("no")
    assert client.get("/data/secret").status_code == 404
    assert client.get("/data/..%2Fsecret").status_code == 404
    assert "when the first month" in client.get("/data/").content.decode()
