"""Every benchmark at its smallest size: it ends, and prints tables whose ratios are numbers."""

import re
import subprocess
import sys

import pytest

from tests.support import servers
from tests.support.paths import ROOT

pytestmark = [pytest.mark.thorough, pytest.mark.slow, pytest.mark.timeout(1800)]

FOLDER = ROOT / "lab" / "benchmarks"
SHARED = {"harness", "peers", "peer_side"}
TIMES = ["p50 ms", "p50 / floor"]
"""Columns of the harness's tables of times."""

READERS = {
    "ask": (2, TIMES, ["step"]),
    "encode": (2, TIMES, ["time / floor"]),
    "linking": (1, ["medgraph", "ratio"]),
    "queries": (2, TIMES),
    "search": (3, TIMES, ["recall@10", "p50 / search's"]),
    "search --quality": (1, ["nDCG@10", "difference"]),
    "service": (2, TIMES, ["outcomes", "p95 / one client's p50"]),
}
"""Benchmark of a graph that is loaded → its least number of tables, and columns that it has."""

OTHERS = {
    "engines": (2, ["added ms", "of linear"], ["texts/s"]),
    "extrapolate": (1, ["takes"]),
    "files": (1, ["the peer reads", "verdict"]),
    "kills": (1, ["figure"]),
    "load": (4, ["time / floor"], ["speed / floor"], ["whole, MB", "ratio"], ["time / neo4j-admin"]),
    "reading": (3, ["time / floor"]),
    "revisions": (4, TIMES, ["time / floor"]),
    "scale": (6, TIMES, ["seconds"], ["recall@10"]),
    "soak": (2, ["p95 ms", "service MB"], ["verdict"]),
    "startup": (1, ["median / floor"]),
    "writers": (1, ["one / two"]),
}
"""The same of those that need none, or start servers of their own."""


def tables(text):
    """Each table as rows of its columns."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        columns, _, *rows = (re.split(r" ?(?<!\\)\| ?", line)[1:-1] for line in block.splitlines())
        assert rows
        yield [dict(zip(columns, row, strict=True)) for row in rows]


def check(command, environment, least, *wanted):
    name, *words = command.split()
    done = subprocess.run(
        [sys.executable, FOLDER / f"{name}.py", *words, "--smallest"],
        env=environment, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found = list(tables(done.stdout))
    assert len(found) >= least, done.stdout
    for columns in wanted:
        assert any(set(columns) <= rows[0].keys() for rows in found), f"{columns}\n{done.stdout}"
    for rows in found:
        for column in rows[0]:
            if " / " in column or column == "ratio":
                cells = [row[column] for row in rows if row[column] != "-"]
                assert cells, done.stdout
                assert all(float(cell) >= 0 for cell in cells), done.stdout
    return done.stdout


def test_each_benchmark_is_run():
    assert {path.stem for path in FOLDER.glob("*.py")} - SHARED == {one.split()[0] for one in READERS | OTHERS}


@pytest.mark.parametrize("command", READERS)
def test_of_a_loaded_graph(command, sample_graph, environment):
    said = check(command, environment, *READERS[command])
    assert ("Left out" in said) == (command.split()[0] in {"encode", "linking", "search"})


@pytest.mark.server
@pytest.mark.parametrize("command", OTHERS)
def test_of_its_own(command, environment):
    if command == "revisions" and not (ROOT / ".git").exists():
        pytest.skip("this is no checkout, so that it has no earlier revision")
    if command in {"engines", "kills"}:
        pytest.importorskip("ray", reason="the extra `ray` is not installed")
    check(command, environment, *OTHERS[command])


def test_faults(second_server):
    environment = servers.surroundings(second_server[0])
    for words in ("load sample", "index"):
        subprocess.run([sys.executable, "-m", "medgraph", *words.split()], env=environment, check=True)
    said = check("service --faults", environment, 1, ["outcome"])
    assert "SOMETHING" not in said
    assert "readiness 200" in said
