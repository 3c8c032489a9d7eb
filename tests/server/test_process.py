"""The server's process: known by its command line, ended in time, its ports and what it says."""

import subprocess
import sys

import psutil
import pytest

from medgraph.server import process

STAND_IN = "import signal, sys; signal.signal(signal.SIGTERM, {}); print('up', flush=True); sys.stdin.read()"


@pytest.fixture
def stand_in(tmp_path):
    """A process whose command line is that of a folder's server."""

    def start(home=tmp_path, on_end="signal.SIG_DFL"):
        command = [sys.executable, "-c", STAND_IN.format(on_end), process.MAIN_CLASS, f"--home-dir={home}"]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        children.append(child)
        assert child.stdout.readline() == b"up\n"
        return psutil.Process(child.pid)

    children = []
    yield start
    for child in children:
        child.kill()
        child.stdin.close()
        child.stdout.close()
        child.wait()


@pytest.mark.parametrize("on_end", ["signal.SIG_DFL", "signal.SIG_IGN"])
def test_a_process_is_ended_by_force_where_it_does_not_end(stand_in, on_end):
    running = stand_in(on_end=on_end)
    assert process.is_alive(running)
    process.end(running, timeout=0.2)
    assert not process.is_alive(running)
    process.end(running, timeout=0.2)


def test_the_end_of_the_log_is_what_tells_most(tmp_path):
    assert process.log_tail(tmp_path) == ""
    (tmp_path / "logs").mkdir()
    this_start = "2026-01-01 00:00:00 INFO  all is well\nERROR the disk\n\tat a.b.C\nERROR the disk\n"
    (tmp_path / "logs" / "neo4j.log").write_text(f"ERROR of an earlier start\nStarting...\n{this_start}")
    (tmp_path / "logs" / "console.log").write_text("WARNING: advice\nout of memory\n")
    assert process.log_tail(tmp_path) == "  ERROR the disk\n  out of memory"
    assert process.log_tail(tmp_path, lines=1) == "  out of memory"
