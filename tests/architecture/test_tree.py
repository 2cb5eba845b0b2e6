"""The repository stands alone: nothing in it points outside it or at the machine it was made on."""

import re

from tests.architecture.tree import PACKAGES, ROOT, files, product_modules

THIS = "tests/architecture/test_tree.py"
# Homes of people and working folders; /etc, /srv, /usr, /var and /tmp are on every machine.
ONE_MACHINE = re.compile(rb"(?<![\w.:/-])/(?:home|Users|root|work|mnt|media)/[\w.-]+")
WINDOWS = re.compile(rb"\b[A-Z]:\\\\?(?:Users|Documents)\b")
OUTSIDE = re.compile(rb"(?<!\.)\.\./shared\b|\bseeds/")
TOP = {
    "manage.py", "requirements.txt", "basra_site", "games", "ladder", "templates", "tests",
    "README.md", "Makefile", "pyproject.toml", "requirements-dev.txt", "static", "locale", "docs",
    "deploy", "bench", ".ci", ".gitignore", ".gitattributes", ".github", "LICENSE",
}  # fmt: skip


def test_no_file_names_a_path_of_one_machine() -> None:
    found = []
    for path in files():
        inside = path.relative_to(ROOT).as_posix()
        if inside == THIS:
            continue
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            if any(pattern.search(line) for pattern in (ONE_MACHINE, WINDOWS, OUTSIDE)):
                found.append(f"{inside}:{number} {line[:100]!r}")
    assert found == []


def test_nothing_else_lies_at_the_top() -> None:
    assert sorted({path.relative_to(ROOT).parts[0] for path in files()} - TOP) == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        module.path
        for module in product_modules()
        if module.tree.body
        and not (module.path.endswith("__init__.py") and len(module.tree.body) < 1)
        and not (
            hasattr(module.tree.body[0], "value")
            and isinstance(getattr(module.tree.body[0].value, "value", None), str)
        )
    ]
    assert silent == []


def test_the_readme_has_every_setting() -> None:
    settings = (ROOT / "basra_site" / "settings.py").read_text("utf-8")
    names = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", settings))
    told = (ROOT / "README.md").read_text("utf-8")
    assert len(names) > 8
    assert sorted(name for name in names if f"`{name}`" not in told) == []


def test_the_documents_name_files_that_exist() -> None:
    """A path in backticks or a link in README.md and docs/ leads somewhere."""
    named = re.compile(r"`((?:\w[\w.-]*/)+[\w.*-]*)`|\]\(((?!https?:|#)[^)#]+)")
    missing = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if not page.exists():
            continue
        for path, link in named.findall(page.read_text("utf-8")):
            where = page.parent / link if link else ROOT / path
            generated = path.startswith(("var/", "/")) or "…" in path
            ours = link or path.split("/")[0] in {*PACKAGES, *TOP}
            exists = where.exists() or ("*" in path and any(ROOT.glob(path)))
            if ours and not generated and not exists:
                missing.append(f"{page.relative_to(ROOT)}: {path or link}")
    assert missing == []


def test_in_front_too_what_is_static_is_kept_for_good_and_is_what_it_says() -> None:
    """nginx's ``expires`` would write a second Cache-Control."""
    conf = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    static = re.search(r"location /static/ {(.*?)}", conf, re.DOTALL)[1]
    headers = re.findall(r'add_header ([\w-]+) "?([^";]+)"?;', static)
    assert "expires" not in static
    assert sorted(headers) == [
        ("Cache-Control", "public, max-age=315360000, immutable"),
        ("X-Content-Type-Options", "nosniff"),
    ]
