"""The examples in the engine's docstrings hold, and every public name has one."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import games.engine

MODULES = ["games.engine"] + [
    f"games.engine.{module.name}" for module in pkgutil.iter_modules(games.engine.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(
    "name",
    [name for name in games.engine.__all__ if callable(getattr(games.engine, name))],
)
def test_public_names_say_what_they_promise(name: str) -> None:
    thing = getattr(games.engine, name)
    if name not in ("Seat", "Counted"):
        assert (thing.__doc__ or "").strip()


def test_needs_the_standard_library_only() -> None:
    """Imports neither Django nor anything that draws at random or reads a clock."""
    program = (
        "import sys; before = set(sys.modules); import games.engine; "
        "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before}))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert loaded - set(sys.stdlib_module_names) - {"games"} == set()
    assert not loaded & {"random", "secrets", "time", "datetime", "sqlite3"}
