"""Tests of how tests are shared among workers: those of one group share what a server holds."""

import os
import subprocess
import sys

WRITTEN = """
import pathlib
import pytest

@pytest.mark.parametrize("number", range(12))
@pytest.mark.xdist_group("{group}")
def test_some(number, worker_id):
    with pathlib.Path(r"{notes}").open("a") as notes:
        print("{group}", worker_id, file=notes)
"""


def test_tests_of_one_group_run_on_one_worker(tmp_path):
    notes = tmp_path / "notes"
    for group in ("one", "other"):
        (tmp_path / f"test_{group}.py").write_text(WRITTEN.format(group=group, notes=notes))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "xdist",
        "-c",
        "none.ini",
        "--numprocesses",
        "2",
        "--dist",
        "loadgroup",
    ]
    (tmp_path / "none.ini").touch()
    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    ran = [tuple(line.split()) for line in notes.read_text().splitlines()]
    assert len(ran) == 24
    assert sorted(group for group, _ in set(ran)) == ["one", "other"]
