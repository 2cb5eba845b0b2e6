"""``manage.py serve``: the whole site in one process.

Daphne, a Celery worker and beat run as threads of it. With ``REDIS_URL`` more of them may run
beside it; without, one process is all there is, and it holds everything.
"""

import asyncio
import fcntl
import logging
import os
import socket
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable
from typing import IO, Any

from celery import beat
from celery.worker import state as worker_state
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from basra_site.celery import app as celery_app
from games.services import heartbeat, outage, triggers
from games.services.publish import use_loop

log = logging.getLogger(__name__)
BREATH_SECONDS = 1
CLOSE_SECONDS = 3
KEY_LETTERS = 50
FRAME_BYTES = 256 * 1024  # holds for what is sent as well: a table is about 20 KB
LAST_RESORT_SECONDS = 6
# Pages and sockets share one interpreter: with Python's 5 ms, each time that a page comes back from
# the database it would wait so long for the thread that serves a thousand sockets to let go of it.
SWITCH_SECONDS = 0.001


class Command(BaseCommand):
    help = "Serve the site: pages, sockets, house players and the timetable, in one process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--web-only",
            action="store_true",
            help="pages and sockets alone: worker and beat run as processes of their own",
        )

    def handle(self, *_args: Any, web_only: bool, **_options: Any) -> None:
        refuse_unsafe()
        refuse_unmigrated()
        held = refuse_second()
        refuse_taken_port()
        sys.setswitchinterval(SWITCH_SECONDS)
        outage.alive()
        breath = start_breathing()
        stops = [] if web_only else [start_worker(), start_beat()]
        server = make_server(ready=self.say_where)
        try:
            server.run()
        finally:
            breath.set()
            for stop in stops:
                stop()
            held.close()
            # Daphne on Python 3.11 can crash while it tears itself down; nothing is lost by going.
            os._exit(0)

    def say_where(self) -> None:
        """Called when the server listens: take its loop for pushes, and print the address."""
        use_loop(asyncio.get_event_loop())
        self.stdout.write(f"Basra is at {settings.SITE_URL}")
        self.stdout.flush()


def refuse_unsafe() -> None:
    """Raises CommandError for settings that must not face the world: https says that they do."""
    if not settings.HTTPS:
        return
    if not settings.SECRET_KEY_GIVEN:
        raise CommandError("SITE_URL is https: set SECRET_KEY.")
    if len(settings.SECRET_KEY) < KEY_LETTERS:
        raise CommandError(f"SITE_URL is https: SECRET_KEY needs {KEY_LETTERS} letters or more.")
    if settings.DEBUG:
        raise CommandError("SITE_URL is https: DEBUG must be off.")
    if "*" in settings.ALLOWED_HOSTS:
        raise CommandError("SITE_URL is https: ALLOWED_HOSTS must name the hosts.")


def refuse_unmigrated() -> None:
    """Raises CommandError if the database is behind the code."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()) or triggers.missing(connection):
        raise CommandError("The database is behind: run `python manage.py migrate` first.")
    connection.close()


def refuse_second() -> IO[str]:
    """Without Redis one process holds sockets, queue and cache: a second is refused.

    Returns the file whose lock says so; a killed process lets go of it. Raises CommandError.
    """
    file = (settings.VAR_DIR / "serve.lock").open("w")
    if not settings.REDIS_URL:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError("Already served by another process: more need REDIS_URL.") from error
    return file


def refuse_taken_port() -> None:
    """Raises CommandError if nothing can listen on HOST:PORT, before anything has started."""
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.HOST, settings.PORT))
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Cannot listen on {settings.HOST}:{settings.PORT} ({error}): "
                "stop what does, or set PORT or HOST."
            ) from error


def start_worker() -> Callable[[], None]:
    """A Celery worker as a thread; returns what ends it, and waits for that a moment."""
    controller = celery_app.WorkController(
        app=celery_app,
        pool="threads",
        concurrency=4,
        hostname=f"serve@{os.getpid()}",
        without_mingle=True,
        without_gossip=True,
        without_heartbeat=True,
        optimization="fair",
        ready_callback=heartbeat.keep_beating,
    )
    thread = threading.Thread(target=controller.start, name="worker", daemon=True)
    thread.start()

    def stop() -> None:
        worker_state.should_stop = os.EX_OK
        thread.join(timeout=2)

    return stop


def start_breathing() -> threading.Event:
    """Say every second that this web process lives; set the event to stop it."""
    stop = threading.Event()

    def breathe() -> None:
        while not stop.wait(BREATH_SECONDS):
            try:
                outage.alive()
            except Exception:
                log.exception("could not say that this process is alive")

    threading.Thread(target=breathe, name="alive", daemon=True).start()
    return stop


def start_beat() -> Callable[[], None]:
    """Beat as a thread, its timetable in memory alone; returns what ends it."""
    service = beat.Service(celery_app, max_interval=1, scheduler_cls=beat.Scheduler)
    threading.Thread(target=service.start, name="beat", daemon=True).start()
    return service.stop


def make_server(ready: Any) -> Any:
    """Daphne on HOST:PORT. Imported here: importing it installs its reactor."""
    from daphne.server import Server
    from twisted.internet import reactor

    from basra_site.asgi import application

    reactor.addSystemEventTrigger("before", "shutdown", go_at_last)
    host = settings.HOST.replace(":", r"\:")
    return Server(
        application=application,
        endpoints=[f"tcp:port={settings.PORT}:interface={host}"],
        application_close_timeout=CLOSE_SECONDS,
        websocket_max_message_size=FRAME_BYTES,
        websocket_max_frame_size=FRAME_BYTES,
        ready_callable=ready,
        server_name="basra",
    )


def go_at_last() -> None:
    """Whatever hangs, the process ends."""
    timer = threading.Timer(LAST_RESORT_SECONDS, os._exit, [0])
    timer.daemon = True
    timer.start()
