"""Runs whatever is marked ``services`` once more, on PostgreSQL and Redis started for it."""

import os
import subprocess
import sys

from tests.backends import postgres, redis


def main() -> int:
    with postgres() as database_url, redis() as redis_url:
        env = os.environ | {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
        command = [sys.executable, "-m", "pytest", "-m", "services and not soak", *sys.argv[1:]]
        return subprocess.run(command, env=env).returncode


if __name__ == "__main__":
    sys.exit(main())
