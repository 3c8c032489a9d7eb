"""A sorter in a process of its own: what a sorter does, and an end whatever happens."""

import subprocess
import sys

import psutil
import pytest

from medgraph.errors import EmbeddedServerError
from medgraph.loaders.base import Reject, Row
from medgraph.loaders.bulk.sorting_process import AHEAD, SortingProcess
from medgraph.schema.records import Entity, Relation


def batches():
    """More of them than may wait, with what is rejected, listed and left."""
    for n in range(AHEAD + 3):
        yield [Row(Entity(f"X:{n}", "Disease", f"Disease {n}"), "file", n, "own"), Reject("file", n, "broken")]
    # Many rejects, so that an answer is longer than what a pipe holds.
    yield [Row(Relation("X:0", "IS_A", f"Y:{n}"), "file", n, "own") for n in range(2000)]
    yield [Row(Relation("X:0", "IS_A", "X:1"), "file", 1, "own")] * 2


def working_in(folder):
    return [p for p in psutil.process_iter(["cmdline"]) if str(folder) in (p.info["cmdline"] or ())]


def test_what_it_meets_is_raised_here(tmp_path):
    (tmp_path / "entity-0.csv").mkdir()
    with SortingProcess(tmp_path, "own") as process, pytest.raises(IsADirectoryError):
        list(process.sort(batches()))


def test_it_is_told_when_it_was_ended_from_outside(tmp_path):
    with SortingProcess(tmp_path, "own") as process:
        sorting = process.sort(batches())
        next(sorting)
        (child,) = working_in(tmp_path)
        child.kill()
        with pytest.raises(EmbeddedServerError, match=r"ended from outside \(status -9\).* The graph is as it was"):
            list(sorting)


def test_it_ends_with_the_process_that_reads(tmp_path):
    code = (
        "import os, pathlib, signal, sys\n"
        "from medgraph.loaders.bulk.sorting_process import SortingProcess\n"
        "process = SortingProcess(pathlib.Path(sys.argv[1]), 'own')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-P", "-c", code, str(tmp_path)], check=False)
    assert psutil.wait_procs(working_in(tmp_path), timeout=60)[1] == []
