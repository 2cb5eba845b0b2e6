"""The examples in the docstrings of the house players hold."""

import doctest
import importlib
import pkgutil

import pytest

import games.ai

MODULES = ["games.ai"] + [
    f"games.ai.{module.name}" for module in pkgutil.iter_modules(games.ai.__path__)
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted > 0
    assert results.failed == 0
