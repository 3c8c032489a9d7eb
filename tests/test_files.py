"""Files on this machine: locks between processes, room on the disk, and files that are written whole or not at all."""

import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from medgraph.errors import InputError, NoSpaceError
from medgraph.files import (
    KeptLines,
    check_writable,
    is_locked,
    locked,
    require_space,
    table_lines,
    write_table,
    write_whole,
    writing_whole,
)
from medgraph.patterns import read_pairs, read_patterns

HOLD = """
import sys, time
from pathlib import Path
from medgraph.files import locked

with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock of a file until its input ends."""
    command = [sys.executable, "-c", HOLD, tmp_path / "folder" / "lock"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    end(process)


def end(process):
    process.kill()
    for stream in (process.stdin, process.stdout):
        stream.close()
    process.wait()


def no_space(*_):
    raise OSError(28, "No space left on device")


def test_a_lock_is_held_by_one_process_at_a_time(tmp_path, holder):
    lock, waits = tmp_path / "folder" / "lock", []

    def waiting():
        waits.append("waiting")
        holder.stdin.close()

    assert is_locked(lock)
    with locked(lock, waiting):
        assert waits == ["waiting"]
        assert is_locked(lock)
    assert not is_locked(lock)
    with locked(lock, waiting):
        assert waits == ["waiting"]


def test_a_process_that_is_killed_holds_nothing(tmp_path, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert not is_locked(tmp_path / "folder" / "lock")


def test_too_little_room_is_told_with_what_moves_the_folder(tmp_path, monkeypatch):
    require_space(tmp_path, 0)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 5_000_000}))
    require_space(tmp_path, 5_000_000)
    with pytest.raises(NoSpaceError, match=r"needs 2,000 MB, and its disk has 5 MB left; make room$"):
        require_space(tmp_path, 2_000_000_000)
    with pytest.raises(NoSpaceError, match=r"make room, or set MEDGRAPH_HOME to a folder on another disk$"):
        require_space(tmp_path, 5_000_001, "MEDGRAPH_HOME")


def test_what_may_be_written(tmp_path):
    (tmp_path / "file").write_text("x")
    check_writable(tmp_path / "file")
    check_writable(tmp_path / "new")
    with pytest.raises(InputError, match=r"there is no folder .*none; make it"):
        check_writable(tmp_path / "none" / "new")
    with pytest.raises(InputError, match="it is there and no file"):
        check_writable(tmp_path)


def test_a_file_is_there_whole_or_as_it_was(tmp_path, monkeypatch):
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write_whole(file, b"first")
    write_whole(link, b"second")
    assert (file.read_bytes(), link.is_symlink()) == (b"second", True)
    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(InputError, match="file cannot be written: No space left on device; name a file elsewhere"):
        write_whole(file, b"third")
    assert file.read_bytes() == b"second"
    assert sorted(tmp_path.iterdir()) == [file, link]


def test_several_texts_appear_together(tmp_path):
    paths = [tmp_path / "a", tmp_path / "b"]
    with writing_whole(paths) as (first, second):
        first.write("é\n")
        second.write("two\n")
        assert not any(path.exists() for path in paths)
    assert [path.read_bytes() for path in paths] == ["é\n".encode(), b"two\n"]
    with pytest.raises(InputError, match="a is there already; name another file, or replace it with --force"):
        writing_whole(paths).__enter__()
    with writing_whole(paths, force=True) as (first, _):
        first.write("new")
    assert [path.read_bytes() for path in paths] == [b"new", b""]


def test_texts_that_are_not_finished_leave_nothing(tmp_path, monkeypatch):
    paths = [tmp_path / "a", tmp_path / "b"]
    with pytest.raises(ZeroDivisionError), writing_whole(paths) as (first, _):
        first.write(str(1 / 0))
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(InputError, match="a cannot be written: No space left on device"), writing_whole(paths):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_is_written_says_how_it_was_made_and_is_read_again(tmp_path):
    write_table(tmp_path / "t.tsv", "by hand", "name\tweight", iter([("é", "0.1"), ("b c", "2")]))
    assert (tmp_path / "t.tsv").read_text(encoding="utf-8") == "# by hand\n# name\tweight\né\t0.1\nb c\t2\n"
    assert list(table_lines(tmp_path / "t.tsv")) == [(3, "é\t0.1"), (4, "b c\t2")]


@pytest.mark.parametrize(("torn", "kept"), [("", [1]), ('{"number": 2', [1]), ('{"number": 2}', [1, 2])])
def test_work_that_was_killed_within_a_line_goes_on(tmp_path, torn, kept):
    class Done(msgspec.Struct):
        number: int

    path = tmp_path / "done.jsonl"
    path.write_text(f'{{"number": 1}}\n{torn}', encoding="utf-8")
    lines = KeptLines(path, Done, lambda one: one.number, "thing that is done")
    assert list(lines.found) == kept
    lines.add(Done(3))
    assert list(KeptLines(path, Done, lambda one: one.number, "thing that is done").found) == [*kept, 3]


def test_patterns_stand_in_tables_with_the_lists_that_they_name(tmp_path):
    table = tmp_path / "t.tsv"
    table.write_text("<pet>\tcats?\n<pet>\tdogs?\nown\tmy <pet>\n=mark\t(?i)my <pet>\n=mark\tx\n", encoding="utf-8")
    found = read_patterns(table)
    assert [bool(found["own"].search(text)) for text in ("my dogs", "my doges", "x")] == [True, False, False]
    assert [bool(found["mark"].search(text)) for text in ("My doges", "box", "my pet")] == [True, True, False]


@pytest.mark.parametrize("row", ["=mark\t(", "mark\t(", "=mark\t<pet>", "mark\t", "\tx"])
def test_a_row_that_is_no_pattern_is_named(tmp_path, row):
    table = tmp_path / "t.tsv"
    table.write_text(f"# by hand\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"t\.tsv:2: .*; write KIND, a tab, and"):
        read_patterns(table)["mark"].search("x")


def test_pairs_keep_their_order_and_may_lack_the_second(tmp_path):
    (tmp_path / "t.tsv").write_text("is\tare\ns\n", encoding="utf-8")
    assert read_pairs(tmp_path / "t.tsv") == (("is", "are"), ("s", ""))
