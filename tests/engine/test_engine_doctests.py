"""The examples in the engine's docstrings hold, and every public name has one."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import games.engine
from games.engine import fair

MODULES = ["games.engine"] + [
    f"games.engine.{module.name}" for module in pkgutil.iter_modules(games.engine.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert results.attempted > 0
    assert results.failed == 0


PUBLIC = [
    thing
    for thing in map(games.engine.__dict__.get, games.engine.__all__)
    if inspect.isclass(thing) or inspect.isfunction(thing)
]


@pytest.mark.parametrize("thing", [*PUBLIC, fair.commitment, fair.first_dealer, fair.pack])
def test_every_public_name_has_an_example(thing: type) -> None:
    assert doctest.DocTestParser().get_examples(thing.__doc__ or "")


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
