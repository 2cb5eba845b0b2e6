"""Real processes on a database in a file."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers import ROOT, Site


@pytest.fixture(scope="session")
def fresh_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site that is ready to start, to be copied."""
    return Site(tmp_path_factory.mktemp("fresh")).prepare()


@pytest.fixture
def site(fresh_site: Site, tmp_path: Path) -> Iterator[Site]:
    """A site of this test's own, not started yet."""
    made = Site(tmp_path / "site").prepare(like=fresh_site)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.kill()


@pytest.fixture
def run(site: Site) -> Callable[[str], str]:
    """Run Python against the site's database in a process of its own; what it printed."""

    return site.run


@pytest.fixture
def race(site: Site) -> Callable[..., list[str]]:
    """Let processes act at the same moment: each a list of words for ``actor``; the outcomes."""

    def start(*actors: list[str]) -> list[str]:
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "tests.concurrency.actor", *words],
                cwd=ROOT, env=site.env, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )
            for words in actors
        ]  # fmt: skip
        for process in running:
            assert process.stdout.readline() == "ready\n"
        for process in running:
            os.write(process.stdin.fileno(), b"go\n")
        return [process.communicate(timeout=60)[0].strip() for process in running]

    return start
