"""The server's process and its stopped store."""

import subprocess
import sys

import psutil
import pytest

from medgraph.errors import SettingsError
from medgraph.server import process, store

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


PARTS = ("databases", "transactions")


def put(folder, text):
    folder.mkdir(parents=True)
    (folder / "file").write_text(text)


@pytest.fixture
def home(tmp_path):
    """A folder with a database, and another one beside it."""
    for part in PARTS:
        put(tmp_path / "data" / part / "neo4j", "former")
        put(tmp_path / "restore" / "new" / "data" / part / "neo4j", "new")
    return tmp_path


def content(home):
    return [(home / "data" / part / "neo4j" / "file").read_text() for part in PARTS]


def test_a_start_needs_room_for_the_logs_that_are_missing(tmp_path):
    assert store.room_to_start(tmp_path / "none") == 256 << 20
    for database, room in (("system", 192 << 20), ("neo4j", 128 << 20)):
        put(tmp_path / "data" / "transactions" / database, "")
        (tmp_path / "data" / "transactions" / database / "neostore.transaction.db.3").touch()
        assert store.room_to_start(tmp_path) == room


def test_a_folder_is_for_its_owner_alone(tmp_path):
    store.make_home(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"cannot be used .*; set MEDGRAPH_HOME to a folder that you may write to"):
        store.make_home(tmp_path / "file" / "b")


@pytest.mark.parametrize("moves", range(5))
def test_an_exchange_that_was_broken_off_is_undone(home, moves):
    (home / "restore" / "old").mkdir()
    steps = [
        (home / "data" / "databases" / "neo4j", home / "restore" / "old" / "databases"),
        (home / "restore" / "new" / "data" / "databases" / "neo4j", home / "data" / "databases" / "neo4j"),
        (home / "data" / "transactions" / "neo4j", home / "restore" / "old" / "transactions"),
        (home / "restore" / "new" / "data" / "transactions" / "neo4j", home / "data" / "transactions" / "neo4j"),
    ]
    for start, end in steps[:moves]:
        start.rename(end)
    assert store.is_half_done(home)
    store.undo_exchange(home)
    assert content(home) == ["former", "former"]
