"""What every test starts from."""

import pytest
from celery import current_app
from django.db import connection
from django.test import TransactionTestCase
from django.utils import translation

from ladder.services import switches
from tests.catalogues import compile_stale
from tests.triggers import lifted


def pytest_configure() -> None:
    """A language is as its catalogue says, also where nobody has run ``make``."""
    compile_stale()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Large sizes take what they take; and a browser's loop cannot be left by a signal: there the
    watchdog says where everything stood, and ends the run."""
    for item in items:
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.timeout(0))
        elif item.get_closest_marker("e2e"):
            item.add_marker(pytest.mark.timeout(method="thread"))


@pytest.fixture(autouse=True, scope="session")
def append_only_tables_can_be_emptied() -> None:
    """After a test that commits, all tables are emptied: those too that refuse it otherwise."""
    empty = TransactionTestCase._fixture_teardown

    def teardown(case: TransactionTestCase) -> None:
        with lifted():
            empty(case)

    TransactionTestCase._fixture_teardown = teardown


@pytest.fixture(autouse=True)
def sent_tasks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list]]:
    """The tasks that were enqueued, as (name, arguments): none reaches a broker."""
    sent: list[tuple[str, list]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, args=(), **_how: sent.append((name, list(args)))
    )
    return sent


@pytest.fixture(autouse=True)
def own_language() -> None:
    """A page in another language leaves that language to its thread, and so to the next test."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def plain_passwords(settings) -> None:
    """Argon2 is slow on purpose; one test has it on."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """On PostgreSQL, sessions that threads of sockets left open would keep the database alive."""
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(autouse=True)
def switches_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins with the defaults, which are asked for no more until one is changed: else a
    page's queries would depend on the second of the test."""
    monkeypatch.setattr(switches, "LIFE", float("inf"))
    switches.keep({})
