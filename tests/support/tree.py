"""The modules of the tree, and what pyproject.toml says."""

import ast
import tomllib

from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LAB = tomllib.loads((ROOT / "lab" / "pyproject.toml").read_text())


APART = {"tests", "benchmarks", "docker", "docs", "build", "dist"}


def files(pattern="*"):
    """Every file of the project, whether or not it is committed."""
    for path in sorted(ROOT.rglob(pattern)):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part not in {".ci", ".gitignore"} for part in parts)
        made = any(part in {"__pycache__", "build", "dist"} or part.endswith(".egg-info") for part in parts)
        if path.is_file() and not hidden and not made:
            yield path


MODULES = [path for path in files("*.py") if APART.isdisjoint(path.relative_to(ROOT).parts[:2])]


def imports(path):
    """Yield every module that a file imports of the package, or of the lab, lazily or for types too, with the line.

    The lab names the package; all others import relatively.
    """
    here = list(path.relative_to(ROOT).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not any(alias.name.split(".")[0] == "medgraph" for alias in node.names), f"{path}:{node.lineno}"
        if not isinstance(node, ast.ImportFrom):
            continue
        first, *named = (node.module or "").split(".")
        named_package = not node.level and first in {"medgraph", "medgraph_lab"}
        assert not named_package or (here[:1] == ["lab"] and first == "medgraph"), (
            f"{path}:{node.lineno} is not relative"
        )
        if node.level or named_package:
            inside = node.module.split(".") if node.module else []
            base = here[: len(here) - node.level + 1] + inside if node.level else named
            for alias in node.names:
                is_module = ROOT.joinpath(*base, f"{alias.name}.py").exists()
                if target := [*base, alias.name] if is_module else base:
                    yield tuple(target), node.lineno


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def top(name):
    return name[0] if (ROOT / name[0]).is_dir() else ""
