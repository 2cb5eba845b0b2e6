"""The Debian packages that the tests need: installed where that is allowed, else named.

Run before the tests; standard library only.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = {
    "redis-server": lambda: shutil.which("redis-server"),
    "postgresql": lambda: any(Path("/usr/lib/postgresql").glob("*/bin/initdb")),
    "chromium": lambda: shutil.which("chromium"),
    "fonts-noto-core": lambda: Path("/usr/share/fonts/truetype/noto").is_dir(),
    "fonts-dejavu-core": lambda: Path("/usr/share/fonts/truetype/dejavu").is_dir(),
}


def main() -> None:
    missing = [name for name, there in PACKAGES.items() if not there()]
    if not missing:
        return
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        sys.exit(f"The tests need Debian packages. Type:\n  sudo {' '.join(install)}")
    quiet = {
        "stdout": subprocess.DEVNULL,
        "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
    }
    subprocess.run(["apt-get", "update", "-q"], check=True, **quiet)
    subprocess.run(install, check=True, **quiet)


if __name__ == "__main__":
    main()
