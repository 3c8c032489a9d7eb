"""The wheel in an empty environment of each Python that is to be had: what starts there without a database."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns, which

import pytest

from tests.support.paths import ROOT

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(1800)]
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")
FILES = (
    "api/templates/base.html api/static/page.css queries/explore/sources.cypher schema/kinds.tsv loaders/recipes.tsv"
)


def python_of(version):
    """Find a Python of a version: this one, one on the path, or one of pyenv."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    found = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    return found[-1] if found else which(f"python{version}")  # pyenv puts names on the path that run nothing


def run(*words, **options):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    copytree(ROOT, folder / "source", ignore=ignore_patterns(".*", "tests", "docs", "build", "*.egg-info"))
    for source in (folder / "source", folder / "source" / "lab"):
        run(sys.executable, *PIP, "wheel", "--no-deps", "-w", folder, source)
    return next(folder.glob("medgraph-*.whl"))


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_wheel_starts_in_an_empty_environment(wheel, tmp_path, version):
    if not (python := python_of(version)):
        pytest.skip(f"there is no Python {version}")
    run(python, "-m", "venv", tmp_path / "env")
    here = tmp_path / "env" / "bin"
    run(here / "python", *PIP, "install", "--constraint", ROOT / "constraints.txt", wheel)
    place = {"cwd": tmp_path, "env": {"MEDGRAPH_HOME": str(tmp_path / "home"), "PATH": "/usr/bin:/bin"}}
    help_ = " ".join(run(here / "medgraph", "--help", **place).split())
    assert "answers questions with checked citations" in help_
    assert "conditions.csv" in run(here / "medgraph", "init", "mine", **place)
    assert (tmp_path / "mine" / "sources.yaml").is_file()
    for command in (
        ("sources", "--available"),
        ("completion", "bash"),
        ("prompts",),
        ("query",),
        ("mapping", "schema"),
    ):
        assert run(here / "medgraph", *command, **place)
    code = "import medgraph, pathlib; print(pathlib.Path(medgraph.__file__).parent)"
    installed = Path(run(here / "python", "-c", code, **place).strip())
    assert all((installed / file).is_file() for file in FILES.split())
    assert not (installed / "lab").exists()
    assert {"ask", "load", "evaluate"} & {*help_.split()} == {"ask", "load"}
    run(here / "python", *PIP, "install", "--no-deps", *wheel.parent.glob("medgraph_lab-*.whl"))
    assert "gate" in run(here / "medgraph", "evaluate", "--help", **place)
