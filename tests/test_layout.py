"""The tree is the pipeline: imports point left, what should ship ships, and nothing is larger than it need be."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
APART = {"tests", "benchmarks", "docker", "build", "dist"}
JOINING = {"__main__", "output", "pipeline", *(path.stem for path in ROOT.glob("cli*.py"))}
"""Root modules that join the folders; no other module imports them."""

BELOW = {
    "": {""},
    "schema": {"", "schema"},
    "loaders": {"", "schema", "loaders"},
    "exports": {"", "schema", "loaders", "exports"},
    "embeddings": {"", "schema", "embeddings"},
    "queries": {"", "schema", "embeddings", "queries"},
    "answers": {"", "schema", "embeddings", "queries", "answers"},
    "doctor": {"", "schema", "loaders", "embeddings", "doctor"},
    "audit": {"", "schema", "audit"},
    "evaluation": {"", "schema", "embeddings", "queries", "answers", "evaluation"},
    "pictures": {"", "schema", "embeddings", "queries", "pictures"},
    "api": {"", "schema", "embeddings", "queries", "answers", "pictures", "api"},
}


def files(pattern="*"):
    """Every file of the project, whether or not it is committed."""
    for path in sorted(ROOT.rglob(pattern)):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part not in {".ci", ".gitignore"} for part in parts)
        made = any(part in {"__pycache__", "build", "dist"} or part.endswith(".egg-info") for part in parts)
        if path.is_file() and not hidden and not made:
            yield path


MODULES = [path for path in files("*.py") if path.relative_to(ROOT).parts[0] not in APART]


def folder_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else ""


def imports(path):
    """Yield folder and module of every import from inside the package, for type checking or not, with its line."""
    here = list(path.relative_to(ROOT).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(alias.name.split(".")[0] == "medgraph" for alias in node.names), f"{path}:{node.lineno}"
        if not isinstance(node, ast.ImportFrom):
            continue
        assert node.level or (node.module or "").split(".")[0] != "medgraph", f"{path}:{node.lineno} is not relative"
        if node.level:
            base = here[: len(here) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                target = [*base, alias.name] if not node.module else base
                inner = (ROOT / target[0]).is_dir()
                yield target[0] if inner else "", target[-1] if not inner else "", node.lineno


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_are_relative_and_point_left(path):
    for folder, module, line in imports(path):
        if folder_of(path) == "" and path.stem in JOINING:
            continue
        assert folder in BELOW[folder_of(path)], f"{path}:{line} imports {folder}"
        assert module not in JOINING, f"{path}:{line} imports {module}"


def test_the_check_of_imports_sees_them():
    paths = [ROOT / "queries" / name for name in ("retriever.py", "filters.py")]
    found = {(folder, module) for path in paths for folder, module, _ in imports(path)}
    assert found >= {("", "cypher"), ("", "database"), ("", "errors"), ("schema", ""), ("queries", "")}
    assert ("embeddings", "") in found


def test_the_packages_are_those_of_the_tree():
    folders = {path.parent for path in files("__init__.py")} - {ROOT}
    assert not any(folder.relative_to(ROOT).parts[0] in APART for folder in folders)
    names = {"medgraph"} | {"medgraph." + ".".join(folder.relative_to(ROOT).parts) for folder in folders}
    assert PROJECT["tool"]["setuptools"]["packages"] == sorted(names)
    assert {folder_of(path) for path in MODULES} <= BELOW.keys()


def test_every_module_is_in_a_package_and_no_helper_stands_in_the_root():
    assert all((path.parent / "__init__.py").exists() for path in MODULES)
    assert not {"conftest.py", "setup.py", "noxfile.py"} & {path.name for path in ROOT.glob("*.py")}


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(tmp_path):
    source, target = tmp_path / "source", tmp_path / "wheel"
    for path in files():
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*command, "-w", target, source], capture_output=True, text=True, check=False, timeout=300)
    if "No matching distribution found for setuptools" in done.stderr:
        pytest.skip("pip cannot fetch setuptools, which builds the wheel")
    assert done.returncode == 0, done.stderr
    (wheel,) = target.glob("medgraph-*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    folders = [ROOT / "loaders" / "sample", ROOT / "api" / "templates", ROOT / "api" / "static"]
    data = [*files("*.cypher"), *(file for folder in folders for file in folder.iterdir())]
    data += [
        *files("*.grass"),
        *(ROOT / "queries" / "explore").glob("*.md"),
        *(ROOT / "schema").glob("*.tsv"),
        ROOT / "schema" / "README.md",
    ]
    data += [ROOT / "loaders" / "mapping.schema.json"]
    data += [ROOT / "py.typed", ROOT / "neo4j.lock.toml", ROOT / "constraints.txt"]
    assert names == {f"medgraph/{path.relative_to(ROOT).as_posix()}" for path in [*MODULES, *data]}
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in zipfile.ZipFile(wheel).namelist())


def test_no_address_of_a_registry_and_no_path_of_a_machine():
    hosts = r"pypi\.org|pythonhosted\.org|repo1?\.maven|maven\.org|npmjs|anaconda\.org|crates\.io|ghcr\.io|quay\.io"
    paths = r"(?<![\w.~}])/(?:work|root|home|Users)/\w"
    for path in files():
        if path == Path(__file__) or path.suffix in {".gz", ".zip", ".bin", ".npz"}:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for pattern in (hosts, paths):
            found = re.search(pattern, text)
            assert not found, f"{path.relative_to(ROOT)} says {found[0]!r}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_small(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            size = node.end_lineno - body[0].lineno + 1 if body else 0
            assert size <= 40, f"{node.name} has {size} lines"


def test_no_statement_stands_in_python():
    pattern = re.compile(r"\b(MATCH|MERGE|UNWIND|DETACH DELETE|CREATE (CONSTRAINT|INDEX|VECTOR|FULLTEXT))\b[^\"']*[({]")
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                assert not pattern.search(node.value), f"{path}:{node.lineno}"
