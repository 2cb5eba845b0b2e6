"""PostgreSQL and Redis of the tests' own, on ports of their own, in a folder that goes too."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def postgres_program(name: str) -> str:
    """The path of one of PostgreSQL's programs, which Debian keeps off the PATH."""
    versions = sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")))
    found = shutil.which(name) or (versions[-1] if versions else None)
    if found is None:
        raise FileNotFoundError(f"{name}: install postgresql")
    return found


def _as_postgres() -> dict[str, object]:
    """PostgreSQL refuses to run as root: then it runs as its own user."""
    return {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}


@contextmanager
def postgres(max_connections: int = 100) -> Iterator[str]:
    """A server with an empty database; its address."""
    folder = Path(tempfile.mkdtemp(prefix="basra-pg-"))
    who = _as_postgres()
    if who:
        shutil.chown(folder, "postgres", "postgres")
    owner = who.get("user") or pwd.getpwuid(os.geteuid()).pw_name
    port, data = free_port(), str(folder / "data")
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **who}
    try:
        subprocess.run(
            [postgres_program("initdb"), "-D", data, "-U", "basra", "-A", "trust", "-E", "UTF8",
             "--locale=C.UTF-8", "-N"], **quiet,
        )  # fmt: skip
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        options += f" -c max_connections={max_connections} -c deadlock_timeout=200ms"
        control = [postgres_program("pg_ctl"), "-D", data, "-w", "-l", str(folder / "log")]
        subprocess.run([*control, "-o", options, "start"], **quiet)
        try:
            yield f"postgres://basra@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)
            said = (folder / "log").read_text(errors="replace")
            if "deadlock detected" in said:
                raise AssertionError(
                    f"PostgreSQL ({owner}): {said[said.index('deadlock') :][:3000]}"
                )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def redis() -> Iterator[str]:
    """A server that keeps nothing on disk; its address."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="basra-redis-") as folder:
        process = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "",
             "--appendonly", "no", "--dir", folder, "--databases", "64"],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            for line in process.stdout:
                if "Ready to accept connections" in line:
                    break
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
