"""Is the process up, and is all that it needs up."""

from collections.abc import Callable

from celery import current_app
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from games.services import heartbeat, publish

STALE_SECONDS = 10


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("ok", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Each part by name, true or false; 503 if any is down. Nothing in it is secret."""
    parts = {name: _holds(check) for name, check in CHECKS.items()}
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)


def _holds(check: Callable[[], object]) -> bool:
    try:
        return bool(check())
    except Exception:
        return False


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchone() == (1,)


def _broker() -> bool:
    with current_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=2)
    return True


def _channel_layer() -> bool:
    publish.probe()
    return True


def _is_fresh(name: str) -> bool:
    age = heartbeat.age(name)
    return age is not None and age < STALE_SECONDS


def _worker() -> bool:
    """A worker says every two seconds that it lives."""
    return _is_fresh("worker")


def _sweep() -> bool:
    """The sweep has run of late: beat, broker and worker did their parts."""
    return _is_fresh("sweep")


CHECKS = {
    "database": _database,
    "broker": _broker,
    "channel_layer": _channel_layer,
    "worker": _worker,
    "sweep": _sweep,
}
