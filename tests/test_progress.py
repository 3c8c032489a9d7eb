"""Progress where stderr is no terminal: a line every 30 seconds, and a bar where it is one."""

import io
import os
import pty
import subprocess
import sys
import termios
import threading

import pytest

from medgraph import progress
from medgraph.progress import ProgressLines


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def lines_of(clock, *steps, total=None, unit="chunk"):
    """Give the lines that are written when so many seconds pass before so many more are done."""
    written = []
    with ProgressLines("embedding", unit, total, written.append, clock) as lines:
        for seconds, n in steps:
            clock.now += seconds
            lines.update(n)
    return written


def test_a_line_every_30_seconds_says_how_far_how_fast_and_how_long(clock):
    assert lines_of(clock, *[(1, 100)] * 90, total=28_285) == [
        "embedding: 3,000 of 28,285 chunks, 100/s, 4 min 13 s left",
        "embedding: 6,000 of 28,285 chunks, 100/s, 3 min 43 s left",
        "embedding: 9,000 of 28,285 chunks, 100/s, 3 min 13 s left",
    ]


def test_bytes_are_megabytes_and_what_is_fetched_again_is_taken_off(clock):
    steps = [(10, 30_000_000), (10, -10_000_000), (20, 40_000_000)]
    assert lines_of(clock, *steps, total=190_000_000, unit="B") == ["embedding: 60 of 190 MB, 1.5/s, 1 min 27 s left"]


def test_threads_that_count_at_once_lose_nothing_and_write_one_line(clock):
    written = []
    lines = ProgressLines("fetching", "record", None, written.append, clock)
    threads = [threading.Thread(target=lambda: [lines.update(1) for _ in range(5000)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    clock.now += 100
    lines.update(0)
    assert written == ["fetching: 20,000 records, 200/s"]


def test_a_file_gets_lines_and_no_bar(monkeypatch, capsys, clock):
    monkeypatch.setattr(progress, "INTERVAL", 0)
    with progress.progress("asking", "question", 2) as bar:
        bar.update(1)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("asking: 1 of 2 questions, ")


def test_who_listens_is_told_in_the_place_of_stderr(monkeypatch, capsys):
    monkeypatch.setattr(progress, "WATCHED", 0)
    told = []
    with progress.heard_by(told.append), progress.progress("asking", "question", 2) as bar:
        progress.note("begun")
        thread = threading.Thread(target=lambda: (bar.update(1), progress.note("aside")))
        thread.start()
        thread.join()
    progress.note("over")
    assert [line.partition(",")[0] for line in told] == ["begun", "asking: 1 of 2 questions"]
    assert capsys.readouterr().err == "aside\nover\n"


def test_a_terminal_gets_a_bar():
    near, far = pty.openpty()
    termios.tcsetwinsize(far, (24, 80))
    code = "from medgraph.progress import progress\nwith progress('asking', 'question', 2) as bar: bar.update(2)"
    done = subprocess.run([sys.executable, "-c", code], stderr=far, check=False, timeout=60)
    os.close(far)
    shown = io.BytesIO()
    try:
        while block := os.read(near, 4096):
            shown.write(block)
    except OSError:  # the other end is closed
        pass
    os.close(near)
    assert done.returncode == 0
    assert b"asking: 100%|" in shown.getvalue()
    assert b"2/2" in shown.getvalue()
