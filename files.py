"""Files on this machine: locks between processes, room on the disk, lines of JSON, and files written whole."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from .errors import InputError, NoSpaceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import TextIO


Key = TypeVar("Key")
Line = TypeVar("Line")


@contextmanager
def locked(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold an exclusive lock on a file for the length of a `with` block.

    The system frees the lock when the process that holds it dies.

    Args:
        path: The lock file; it is made, with its folder, and never deleted.
        waiting: Called once when another process holds the lock, before waiting for it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Python's files are not inherited: a server started inside the block does not keep the lock.
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_locked(path: Path) -> bool:
    """Tell whether a process holds the lock on a file, which need not exist; this waits for nothing."""
    try:
        with path.open("a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def require_space(folder: Path, needed: int, setting: str | None = None) -> None:
    """Refuse to go on when the disk has too little room.

    Args:
        folder: A folder on that disk; it exists.
        setting: The environment variable that moves the folder, where there is one.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        elsewhere = f", or set {setting} to a folder on another disk" if setting else ""
        raise NoSpaceError(
            f"{folder} needs {needed / 1e6:,.0f} MB, and its disk has {free / 1e6:,.0f} MB left; make room{elsewhere}"
        )


def below(folder: Path, above: frozenset[Path] = frozenset(), *, hidden: bool = False) -> Iterator[Path]:
    """List what a folder has at any depth, each folder before what it has, hidden ones where they are asked for.

    Links are followed, but to no folder that they stand in, which comes without its files.
    """
    within = above | {folder.resolve()}
    for path in sorted(folder.iterdir()):
        if hidden or not path.name.startswith("."):
            yield path
            if path.is_dir() and path.resolve() not in within:
                yield from below(path, within, hidden=hidden)


def table_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Read the lines of a table that people edit, with their numbers from 1, without blank ones and comments (`#`)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def table_cells(path: Path, columns: int, named: str) -> Iterator[tuple[int, list[str]]]:
    """Read the lines of such a table as cells, with tabs between; InputError where a line lacks one.

    Args:
        columns: Cells of a line, none of which may be empty.
        named: What a line has, for who has to mend one.
    """
    for number, line in table_lines(path):
        cells = line.split("\t")
        if len(cells) != columns or not all(map(str.strip, cells)):
            raise InputError(f"{path}:{number}: write {named}, with tabs")
        yield number, cells


def word_table(path: Path) -> dict[str, dict[str, list[str]]]:
    """Read a table of what, name and words, with tabs between: words by what and name; lines of a name add up."""
    found: dict[str, dict[str, list[str]]] = {}
    for _, (what, name, words) in table_cells(path, 3, "WHAT, NAME and WORDS"):
        found.setdefault(what, {}).setdefault(name, []).extend(words.split())
    return found


def json_lines(path: Path, kind: type[Line], what: str, remedy: str = "") -> Iterator[tuple[int, Line]]:
    """Read a file of JSON lines.

    Args:
        kind: A type that msgspec knows, of each line.
        what: What a line is called, such as `a consultation` without its article.
        remedy: What else to say of a line that cannot be read.

    Raises:
        InputError: A line is not of the type; the message names file and line.
    """
    import msgspec

    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if line.strip():
            try:
                told = msgspec.json.decode(line, type=kind)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise InputError(f"{path}:{number}: this is no {what}: {error}{remedy}") from None
            yield number, told


class KeptLines(Generic[Key, Line]):
    """A file of JSON lines that grows by what long work has done, so that it goes on where it stopped.

    A last line that work did not end, because it was killed, is taken away.
    """

    def __init__(self, path: Path, kind: type[Line], key: Callable[[Line], Key], what: str) -> None:
        self._path, self._key = path, key
        if path.exists():
            _cut_unended(path)
        lines = json_lines(path, kind, what, "; take the line out") if path.exists() else ()
        self.found = {key(line): line for _, line in lines}

    def add(self, line: Line) -> None:
        """Keep what is done."""
        import msgspec

        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
        self.found[self._key(line)] = line


def _cut_unended(path: Path) -> None:
    """Take away a last line without an end; what is JSON as it stands gets its end."""
    text = path.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole == len(text):
        return
    try:
        json.loads(text[whole:])
    except ValueError:
        os.truncate(path, whole)
    else:
        with path.open("ab") as file:
            file.write(b"\n")


def write_table(path: Path, made_by: str, columns: str, rows: Iterable[Sequence[str]]) -> None:
    """Write a table that people can read, as `table_lines` reads it."""
    lines = [f"# {made_by}", f"# {columns}", *("\t".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_writable(path: Path) -> None:
    """Make sure that a file may be made or replaced; an `InputError` tells what mends it."""
    folder = path.resolve().parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {folder}; make it, or name another file")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} cannot be written: it is there and no file; name another one")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that others see whole or not at all; one of the same name is replaced.

    Raises:
        InputError: It cannot be written; what was there before is there still.
    """
    check_writable(path)
    target = path.resolve()
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(target)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise InputError(f"{path} cannot be written: {error.strerror}; name a file elsewhere") from error


@contextmanager
def writing_whole(paths: Sequence[Path], *, force: bool = False) -> Iterator[list[TextIO]]:
    """Write texts of any size that others see whole, once all of them are, or not at all.

    Yields:
        A file open for writing for each path, in UTF-8 with line feeds.

    Raises:
        InputError: One is there already, or cannot be written; nothing is changed then.
    """
    for path in paths:
        check_writable(path)
        if path.exists() and not force:
            raise InputError(f"{path} is there already; name another file, or replace it with --force")
    partial = [path.with_name(f"{path.name}.{os.getpid()}.part") for path in paths]
    try:
        with ExitStack() as stack:
            yield [stack.enter_context(part.open("w", encoding="utf-8", newline="\n")) for part in partial]
        for part, path in zip(partial, paths, strict=True):
            part.replace(path)
    except OSError as error:
        raise InputError(f"{paths[0]} cannot be written: {error.strerror}; name a file elsewhere") from error
    finally:
        for part in partial:
            part.unlink(missing_ok=True)
