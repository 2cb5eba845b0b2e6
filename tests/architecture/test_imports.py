"""Who may import whom: engine ← {ai, models} ← selectors ← services ← {views, consumers, tasks,
admin, commands}; ladder imports games and never the other way."""

import ast
import sys

import pytest

from tests.architecture.tree import Module, imports, modules, product_modules

# The rank of each part; what is not named stands at the top, so that nothing below may import it.
TOP = 5
RANKS = {
    "games": {
        "engine": 0, "ai": 1, "names": 1, "digits": 1, "filters": 1, "models": 2, "ports": 2,
        "selectors": 3, "services": 4, "rendering": 4,
    },
    "ladder": {"elo": 0, "models": 2, "selectors": 3, "services": 4},
    "basra_site": {},
}  # fmt: skip
# Parts of one rank that may not import each other, and whatever else stands apart.
APART = [
    ("games.ai", "games.names"),
    ("games.models", "games.ai"),
    ("games.models", "games.filters"),
    ("games.ports", "games.ai"),
    ("games.models", "games.ports"),
    ("games.services", "games.rendering"),
    ("games.rendering", "games.services"),
]
AT_THE_DOOR = ("views", "consumers", "tasks", "admin", "management")
# What the engine may not know of: the clock, chance, the machine.
NOT_IN_ENGINE = {
    "asyncio", "datetime", "logging", "multiprocessing", "os", "pathlib", "random", "secrets",
    "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip


def part(name: str) -> tuple[str, str]:
    """The app and the part of it that a dotted name belongs to."""
    app, _dot, rest = name.partition(".")
    return app, rest.partition(".")[0]


def rank(name: str) -> int:
    app, inside = part(name)
    return RANKS[app].get(inside, TOP) if inside else -1


def edges() -> list[tuple[Module, str]]:
    """Every import of one module of ours by another."""
    return [
        (module, target)
        for module in product_modules()
        for target in sorted(imports(module))
        if part(target)[0] in RANKS
    ]


def test_there_is_something_to_look_at() -> None:
    assert len(edges()) > 100
    assert {"games.engine.deal", "games.services.step", "ladder.elo"} <= {
        module.name for module in modules()
    }


def test_nothing_imports_upwards() -> None:
    assert [
        f"{module.path} imports {target}"
        for module, target in edges()
        if part(module.name)[1] and rank(target) > rank(module.name)
    ] == []


def test_games_never_imports_the_ladder() -> None:
    assert [
        f"{module.path} imports {target}"
        for module, target in edges()
        if part(module.name)[0] == "games" and part(target)[0] == "ladder"
    ] == []


def test_the_apps_do_not_import_the_project() -> None:
    assert [
        f"{module.path} imports {target}"
        for module, target in edges()
        if part(module.name)[0] != "basra_site" and part(target)[0] == "basra_site"
    ] == []


@pytest.mark.parametrize(("importer", "imported"), APART)
def test_parts_stand_apart(importer: str, imported: str) -> None:
    assert [
        f"{module.path} imports {target}"
        for module, target in edges()
        if f"{module.name}.".startswith(f"{importer}.") and f"{target}.".startswith(f"{imported}.")
    ] == []


def test_the_doors_do_not_import_each_other() -> None:
    def door(name: str) -> str | None:
        inside = part(name)[1]
        return inside if inside in AT_THE_DOOR else None

    assert [
        f"{module.path} imports {target}"
        for module, target in edges()
        if door(module.name) and door(target) and door(module.name) != door(target)
    ] == []


def test_the_engine_is_standard_library_only() -> None:
    assert _strangers("games.engine", {"games.engine"}) == []


def test_the_engine_knows_no_clock_no_chance_and_no_machine() -> None:
    assert [
        f"{module.path} imports {name}"
        for module in product_modules()
        if module.name.startswith("games.engine")
        for name in imports(module)
        if name.partition(".")[0] in NOT_IN_ENGINE
    ] == []


def test_house_players_need_the_engine_and_numpy_at_most() -> None:
    assert _strangers("games.ai", {"games.engine", "games.ai", "numpy"}) == []


def test_the_filters_know_of_no_storage() -> None:
    assert _strangers("games.filters", {"games.filters"}) == []


def test_elo_is_pure_arithmetic() -> None:
    assert _strangers("ladder.elo", set()) == []


def _strangers(inside: str, allowed: set[str]) -> list[str]:
    return [
        f"{module.path} imports {name}"
        for module in product_modules()
        if f"{module.name}.".startswith(f"{inside}.")
        for name in sorted(imports(module))
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not any(f"{name}.".startswith(f"{other}.") for other in allowed)
    ]


def test_nothing_is_imported_inside_a_function() -> None:
    found = []
    for module in product_modules():
        if module.path == "basra_site/management/commands/serve.py":
            continue
        for function in ast.walk(module.tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if module.path.endswith("/apps.py") and getattr(function, "name", "") == "ready":
                continue
            found += [
                f"{module.path}:{node.lineno}"
                for node in ast.walk(function)
                if isinstance(node, ast.Import | ast.ImportFrom)
            ]
    assert found == []


def test_nothing_is_imported_by_its_name_as_text() -> None:
    assert [
        f"{module.path}:{node.lineno}"
        for module in product_modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", ""))
        in ("import_module", "__import__", "import_string", "get_model")
    ] == []


def test_no_module_is_called_after_nothing() -> None:
    names = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [module.path for module in modules() if names & set(module.name.split("."))] == []


def test_migrations_import_nothing_of_the_apps() -> None:
    assert [
        f"{module.path} imports {target}"
        for module in modules()
        if ".migrations." in module.name
        for target in sorted(imports(module))
        if part(target)[0] in RANKS
    ] == []
