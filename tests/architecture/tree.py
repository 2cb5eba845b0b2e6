"""The project as text: its Python modules, what each imports, its templates, all its files."""

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("games", "ladder", "basra_site")
_NOT_OURS = {".git", ".venv", "var", "node_modules", "__pycache__"}


@dataclass(frozen=True)
class Module:
    """A Python file of the product: dotted name, path from the root, and its syntax tree."""

    name: str
    path: str
    tree: ast.Module

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.path.endswith("__init__.py") else self.name.rpartition(".")[0]


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the three packages, migrations too."""
    found = []
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            inside = path.relative_to(ROOT)
            parts = inside.with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Module(name, inside.as_posix(), ast.parse(path.read_text("utf-8"))))
    return tuple(found)


def product_modules() -> list[Module]:
    """The modules without the migrations, which are history."""
    return [module for module in modules() if ".migrations" not in module.name]


def imports(module: Module) -> set[str]:
    """The dotted names that ``module`` imports. ``from a import b`` gives ``a.b`` where that is a
    module of ours, else ``a``."""
    ours = {other.name for other in modules()}
    found: set[str] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = _absolute(module, node)
            for alias in node.names:
                inner = f"{start}.{alias.name}"
                found.add(inner if inner in ours else start)
    return found


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, node.module] if node.module else parts)


def templates() -> list[Path]:
    """Every template of ours."""
    places = [ROOT / "templates", *(ROOT / package / "templates" for package in PACKAGES)]
    return sorted(path for place in places for path in place.rglob("*") if path.is_file())


def files() -> list[Path]:
    """Every file that belongs to the project: what git tracks or would; without git, what lies
    here but what is made by running it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode == 0 and listed.stdout:
        found = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        found = list(ROOT.rglob("*"))
    return sorted(
        path
        for path in found
        if path.is_file() and not _NOT_OURS & set(path.relative_to(ROOT).parts)
    )
