"""The modules of the tree, and what pyproject.toml says."""

import tomllib

from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


APART = {"tests", "benchmarks", "docker", "docs", "build", "dist"}


def files(pattern="*"):
    """Every file of the project, whether or not it is committed."""
    for path in sorted(ROOT.rglob(pattern)):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part not in {".ci", ".gitignore"} for part in parts)
        made = any(part in {"__pycache__", "build", "dist"} or part.endswith(".egg-info") for part in parts)
        if path.is_file() and not hidden and not made:
            yield path


MODULES = [path for path in files("*.py") if path.relative_to(ROOT).parts[0] not in APART]
