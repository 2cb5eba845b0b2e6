"""``/healthz`` and ``/readyz`` tell the truth about each part."""

import json
import threading

import pytest
from django.db import connection

from tests.backends import redis
from tests.servers import Site, Visitor

pytestmark = pytest.mark.services


def parts(site: Site) -> tuple[int, dict[str, bool]]:
    answer = Visitor(site).get("/readyz")
    return answer.status, json.loads(answer.body)


def until(site: Site, wanted: dict[str, bool], tries: int = 300) -> int:
    """Ask until the parts are as ``wanted``; the status then."""
    pause = threading.Event()
    for _try in range(tries):
        status, told = parts(site)
        if told == wanted:
            return status
        pause.wait(0.1)
    raise AssertionError(told)


ALL = dict.fromkeys(("database", "broker", "channel_layer", "worker", "sweep"), True)


def test_all_is_well(site: Site):
    site.start()
    assert until(site, ALL) == 200
    assert Visitor(site).get("/healthz").body == "ok"


def test_without_a_worker_the_process_is_up_but_not_ready(site: Site):
    site.start(web_only=True)
    status, told = parts(site)
    assert status == 503
    assert told == ALL | {"worker": False, "sweep": False}
    assert Visitor(site).get("/healthz").status == 200


def test_with_a_worker_but_no_beat_the_sweep_is_missing(site: Site):
    if not site.backends:
        pytest.skip("a worker of its own needs Redis")
    site.start(web_only=True)
    worker = site.celery("worker", "--pool", "threads", "-c", "1")
    try:
        assert until(site, ALL | {"sweep": False}) == 503
    finally:
        worker.kill()
        worker.wait()


def test_when_redis_goes_broker_and_layer_are_told(site: Site):
    with redis() as address:
        site.extra = {"REDIS_URL": address}
        site.start()
        assert until(site, ALL) == 200
    status, told = parts(site)
    assert status == 503
    assert told["database"]
    assert not told["broker"]
    assert not told["channel_layer"]


@pytest.mark.django_db
def test_a_database_that_fails_is_told(client, monkeypatch):
    def broken():
        raise OSError("no disk")

    monkeypatch.setattr(connection, "cursor", broken)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert not answer.json()["database"]
