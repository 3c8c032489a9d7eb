"""The tree is the pipeline: imports point down, what should ship ships, and nothing is larger than it need be."""

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.tree import APART, LAB, MODULES, PROJECT, ROOT, files, imports, name_of, top

BELOW = {
    "": (),
    "server": (),
    "graph": ("server",),
    "schema": ("graph",),
    "loaders": ("server", "graph", "schema"),
    "exports": ("graph", "schema"),
    "embeddings": ("graph", "schema"),
    "linking": ("graph", "schema"),
    "queries": ("graph", "schema", "linking", "embeddings"),
    "audit": ("graph", "schema", "linking"),
    "doctor": ("server", "graph", "schema", "embeddings", "models", "answers"),
    "pictures": ("graph", "schema", "queries"),
    "models": ("embeddings",),
    "answers": ("graph", "schema", "linking", "embeddings", "queries", "models"),
    "api": ("graph", "schema", "loaders", "linking", "audit", "embeddings", "queries", "models", "answers", "pictures"),
    "cli": None,
    "client": ("graph", "schema", "queries", "answers", "pictures", "api", "cli"),
    "lab": None,
}
"""What each folder may import besides itself and the root's modules; the command line joins them all, and so does
the client. The lab imports the product, and nothing the lab."""

INSIDE_LAB = {"": (), "evaluation": (), "training": ("evaluation",), "cli": ("evaluation", "training")}
"""What each folder of `lab/` may import of the others."""

INSIDE_LOADERS = {
    "": ("files", "ontologies", "sources", "exchange", "mapping", "life", "bulk"),
    "files": (),
    "ontologies": ("files",),
    "sources": ("files",),
    "exchange": ("files",),
    "mapping": ("files",),
    "life": ("files",),
    "bulk": ("life",),
}
"""What each folder of `loaders/` may import of the others; its modules on top join them."""

SHARED_IN_LOADERS = {"base", "judged", "mending", "polarity", "remarks"}
"""Modules on top of `loaders/` that are for all of its folders, and import none of them."""


def part_of_loaders(name):
    return name[1] if len(name) > 1 and (ROOT / "loaders" / name[1]).is_dir() else ""


INSIDE = [path for path in MODULES if name_of(path) not in {(), ("__main__",)}]


def points_down(name, target):
    if "lab" in {name[0], target[0]}:
        return name[0] == "lab" and (target[0] != "lab" or target[1] in {name[1], *INSIDE_LAB[name[1]]})
    allowed = BELOW[top(name)]
    if allowed is not None and top(target) not in {"", top(name), *allowed}:
        return False
    if not name[0] == target[0] == "loaders" or target[-1] in SHARED_IN_LOADERS:
        return True
    here = part_of_loaders(name)
    return name[-1] not in SHARED_IN_LOADERS and part_of_loaders(target) in {here, *INSIDE_LOADERS[here]}


def test_imports_are_relative_and_point_down():
    assert [
        f"{path}:{line} imports {'.'.join(target)}"
        for path in INSIDE
        for target, line in imports(path)
        if not points_down(name_of(path), target)
    ] == []


def test_no_file_is_imported_by_what_it_imports():
    graph = {name_of(path): sorted({target for target, _ in imports(path)}) for path in MODULES}
    done, trail = set(), []

    def visit(name):
        assert name not in trail, f"a circle: {trail[trail.index(name) :]}"
        if name in graph and name not in done:
            trail.append(name)
            for target in graph[name]:
                visit(target)
            trail.pop()
            done.add(name)

    for name in graph:
        visit(name)
    assert done == set(graph)


def test_the_check_of_imports_sees_them():
    found = {target for name in ("retriever", "filters") for target, _ in imports(ROOT / "queries" / f"{name}.py")}
    assert found >= {("graph", "catalogue"), ("graph", "database"), ("errors",), ("schema", "vocabulary")}
    assert ("embeddings", "encoders", "encoder") in found


def test_the_root_has_few_files():
    assert len(list(ROOT.glob("*.py"))) <= 9


def test_the_packages_are_those_of_the_tree():
    folders = {path.parent for path in files("__init__.py")} - {ROOT}
    assert not any(folder.relative_to(ROOT).parts[0] in APART for folder in folders)
    names = {"medgraph"} | {"medgraph." + ".".join(folder.relative_to(ROOT).parts) for folder in folders}
    lab = {name.replace("medgraph.lab", "medgraph_lab") for name in names if name.startswith("medgraph.lab")}
    names = {name for name in names if not name.startswith("medgraph.lab")}
    assert PROJECT["tool"]["setuptools"]["packages"] == sorted(names)
    assert LAB["tool"]["setuptools"]["packages"] == sorted(lab)
    assert LAB["project"]["version"] == PROJECT["project"]["version"]
    assert {top(name_of(path)) for path in MODULES if name_of(path)} <= BELOW.keys()


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
    folders = [ROOT / "loaders" / "sources" / "sample_files", ROOT / "api" / "templates", ROOT / "api" / "static"]
    folders.append(ROOT / "loaders" / "project_files")
    data = [*files("*.cypher"), *(file for folder in folders for file in folder.iterdir())]
    data += [
        *files("*.grass"),
        *(ROOT / "queries" / "explore").glob("*.md"),
        *(ROOT / "answers").rglob("*.tsv"),
        *(ROOT / "answers" / "prompts").glob("*.md"),
        *(ROOT / "schema").glob("*.tsv"),
        *(ROOT / "embeddings").glob("*.tsv"),
        *(ROOT / "linking").glob("*.tsv"),
        *(ROOT / "queries").glob("*.tsv"),
        *(ROOT / "api").glob("*.tsv"),
        *(ROOT / "pictures").glob("*.tsv"),
        *(ROOT / "embeddings" / "encoders" / "questions").iterdir(),
        *(ROOT / "embeddings" / "encoders" / "emergencies").iterdir(),
        *(ROOT / "loaders").glob("*.tsv"),
        *(ROOT / "loaders" / "sources").rglob("*.tsv"),
        *(ROOT / "loaders" / "ontologies").glob("*.tsv"),
        ROOT / "schema" / "README.md",
    ]
    data += [
        ROOT / "loaders" / "mapping" / "keys.tsv",
        ROOT / "loaders" / "mapping" / "mapping.schema.json",
        *(ROOT / "loaders" / "mapping" / "examples").glob("*.yaml"),
    ]
    data += [ROOT / "py.typed", ROOT / "server" / "neo4j.lock.toml", ROOT / "constraints.txt", ROOT / "thresholds.tsv"]
    assert names == {
        f"medgraph/{path.relative_to(ROOT).as_posix()}" for path in [*MODULES, *data] if "lab" not in path.parts
    }
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


def test_files_and_functions_are_small():
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                size = node.end_lineno - body[0].lineno + 1 if body else 0
                assert size <= 40, f"{path}: {node.name} has {size} lines"


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


def imported(path):
    """Yield every module of the tests that a file of theirs imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] == "tests"):
            yield "." * node.level + (node.module or "")
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "tests")


def test_what_tests_share_stands_in_their_support():
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for name in imported(path):
            assert name.startswith("tests.support"), f"{path.relative_to(ROOT)} imports {name}"
