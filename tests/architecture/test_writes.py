"""One write path, one place that publishes, and tasks that exist. Read off the source, so it finds
what is written plainly; the database's own backstops find the rest."""

import ast

from basra_site.celery import app
from tests.architecture.tree import Module, imports, product_modules

WRITE_PATH = {"games/services/play.py", "games/services/step.py"}
NEVER_PLAYED = {"games/services/simulated.py"}  # results of a demonstration, marked as such
ONLY_THERE = {"Match", "MatchDeal", "Play"}
RELATED = {"plays", "deals"}
ON_A_MANAGER = {
    "create", "acreate", "bulk_create", "get_or_create", "update_or_create",
    "update", "aupdate", "bulk_update", "delete", "adelete",
}  # fmt: skip
ON_A_ROW = {"save", "asave", "delete", "adelete", "save_base"}


def calls(module: Module) -> list[ast.Call]:
    return [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]


def names_of(module: Module, wanted: set[str]) -> dict[str, str]:
    """What the models in ``wanted`` are called in ``module``: local name → model."""
    found = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("games.models"):
            found |= {a.asname or a.name: a.name for a in node.names if a.name in wanted}
    return found


def chain(node: ast.expr) -> list[str]:
    """``Match.objects.filter(...).update`` as ["Match", "objects", "filter", "update"]."""
    if isinstance(node, ast.Attribute):
        return [*chain(node.value), node.attr]
    if isinstance(node, ast.Call):
        return chain(node.func)
    if isinstance(node, ast.Subscript):
        return chain(node.value)
    return [node.id] if isinstance(node, ast.Name) else ["?"]


def rows(function: ast.AST, models: dict[str, str]) -> set[str]:
    """Local names that hold a row of one of ``models``: by annotation, or by what is assigned."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            target = node.arg if isinstance(node, ast.arg) else getattr(node.target, "id", "")
            if {n.id for n in ast.walk(node.annotation) if isinstance(n, ast.Name)} & set(models):
                found.add(target)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if chain(node.value)[0] in models:
                found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.For) and chain(node.iter)[0] in models:
            found |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    return found


def writes(module: Module) -> list[str]:
    """Where ``module`` plainly writes a match, a deal or a play."""
    models = names_of(module, ONLY_THERE)
    held = rows(module.tree, models) | {"match"}
    found = []
    for call in calls(module):
        *way, last = chain(call.func)
        if not way:
            continue
        through_manager = last in ON_A_MANAGER and (
            way[0] in models
            or RELATED & set(way[1:])
            or (set(way) & {"objects"} and way[0] in held)
        )
        if through_manager or (last in ON_A_ROW and (way[-1] in held or way[0] in models)):
            found.append(f"{module.path}:{call.lineno} {'.'.join([*way, last])}")
    return found


def test_only_the_write_path_writes_a_match() -> None:
    found = [
        where
        for m in product_modules()
        if m.path not in WRITE_PATH | NEVER_PLAYED
        for where in writes(m)
    ]
    assert found == []


def test_this_test_would_find_a_write() -> None:
    inside = [where for m in product_modules() if m.path in WRITE_PATH for where in writes(m)]
    assert len(inside) >= 5
    text = (
        "from games.models import Match as Row\n"
        "def f(it: Row, match):\n"
        "    Row.objects.filter(pk=1).update(turn=0)\n    it.save()\n    match.plays.create()\n"
        "    match.refresh_from_db()\n    other.save()\n    cache.delete('match')\n"
    )
    found = writes(Module("games.views.x", "x.py", ast.parse(text)))
    assert [where.split()[1] for where in found] == [
        "Row.objects.filter.update", "it.save", "match.plays.create",
    ]  # fmt: skip


def test_the_step_is_private_to_its_doors() -> None:
    assert [
        module.path
        for module in product_modules()
        if module.path != "games/services/play.py" and "games.services.step" in imports(module)
    ] == []


def test_only_publish_sends_to_groups_from_outside_a_consumer() -> None:
    assert [
        f"{module.path}:{node.lineno}"
        for module in product_modules()
        if module.path != "games/services/publish.py" and "consumers" not in module.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "group_send"
    ] == []


def test_every_task_that_is_enqueued_exists() -> None:
    app.loader.import_default_modules()
    sent = {name for module in product_modules() for name in _sent(module)}
    sent |= {entry["task"] for entry in app.conf.beat_schedule.values()}
    assert "games.tasks.house_turn" in sent
    assert sorted(sent - set(app.tasks)) == []


def test_services_enqueue_by_name() -> None:
    """A task imported by a service would close the circle."""
    assert [
        f"{module.path}:{call.lineno}"
        for module in product_modules()
        if ".services" in module.name
        for call in calls(module)
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("delay", "apply_async")
    ] == []


def test_what_follows_a_commit_goes_through_one_door() -> None:
    assert {
        module.name
        for module in product_modules()
        for call in calls(module)
        if getattr(call.func, "attr", "") == "on_commit"
    } == {"games.services.after"}


def test_a_task_calls_a_service_and_nothing_else() -> None:
    """Nothing but services in what a task module imports of ours."""
    found = []
    for module in product_modules():
        if module.name.endswith(".tasks"):
            for node in ast.walk(module.tree):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                    ("games", "ladder")
                ):
                    inner = (node.module or "").split(".")[1:2]
                    found += [] if inner == ["services"] else [f"{module.path}: {node.module}"]
    assert found == []


def _sent(module: Module) -> list[str]:
    """The names in ``send_task(name, …)``, written there or in a constant of the module."""
    constants = {
        target.id: node.value.value
        for node in module.tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = []
    for call in calls(module):
        if getattr(call.func, "attr", "") == "send_task":
            name = call.args[0] if call.args else None
            if isinstance(name, ast.Constant):
                found.append(name.value)
            elif isinstance(name, ast.Name) and name.id in constants:
                found.append(constants[name.id])
            else:
                found.append(f"{module.path}:{call.lineno} sends a name that cannot be read")
    return found
