"""Where nodes and edges of a KGX graph stand, and their lines: TSV or JSON Lines, in a folder or a tar archive."""

from __future__ import annotations

import re
import shutil
import tarfile
import tempfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema.exchange import kgx
from ..base import Reject
from ..files import json_text, tables, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME: Final = re.compile(r"(?:.*[_.-])?(nodes|edges)\.(tsv|jsonl)(?:\.gz)?", re.IGNORECASE)
MAX_UNPACKED: Final = 200 << 30
ARCHIVES: Final = (".tar", ".tar.gz", ".tgz")


@dataclass(frozen=True, slots=True)
class File:
    """A file of nodes or of edges.

    Attributes:
        path: Where it is read.
        shown: What people know it as.
    """

    path: Path
    shown: str

    @property
    def kind(self) -> str:
        """Either `nodes` or `edges`."""
        match = NAME.fullmatch(self.path.name)
        return match[1].lower() if match else ""

    @property
    def is_json(self) -> bool:
        """Whether it has an object a line."""
        match = NAME.fullmatch(self.path.name)
        return match is not None and match[2].lower() == "jsonl"


@contextmanager
def files(path: Path) -> Iterator[list[File]]:
    """Find the files of a graph.

    Args:
        path: A folder with them, one of them alone, what their names begin with, or a tar archive of them.

    Yields:
        The files, nodes first.

    Raises:
        SourceFileError: There are none, or the archive is broken.
    """
    if path.name.lower().endswith(ARCHIVES) and path.is_file():
        with tempfile.TemporaryDirectory(prefix="medgraph-kgx-") as folder:
            yield _sorted(path, list(_unpacked(path, Path(folder))))
    else:
        yield _sorted(path, [File(file, str(file)) for file in _beside(path)])


def lines(file: File) -> Iterator[tuple[int, dict[str, Any]] | Reject]:
    """Read the lines of a file.

    Args:
        file: The file.

    Yields:
        Pairs of a line's number and its values by name; a `Reject` for a line that cannot be used.

    Raises:
        SourceFileError: The file cannot be read, or lacks a column.
    """
    try:
        for item in _objects(file) if file.is_json else _rows(file):
            yield replace(item, file=file.shown) if isinstance(item, Reject) else item
    except SourceFileError as error:
        if str(file.path) == file.shown:
            raise
        message = str(error).replace(str(file.path), file.shown)
        raise SourceFileError(message.removeprefix(f"{file.shown}: "), file.shown, error.line) from error


def needed(kind: str) -> tuple[str, ...]:
    """Name what each line must have.

    Args:
        kind: Either `nodes` or `edges`.

    Returns:
        Names of columns.
    """
    return ("id", "category") if kind == "nodes" else ("subject", "predicate", "object")


def _rows(file: File) -> Iterator[tuple[int, dict[str, Any]] | Reject]:
    for item in tables.read(file.path, needed(file.kind), delimiter="\t", quoted=False):
        if isinstance(item, Reject):
            yield item
            continue
        line, row = item
        try:
            ours = row.get(kgx.KIND) or row.get(kgx.TYPE)
            yield line, kgx.of_cells(row) if ours else {name: cell for name, cell in row.items() if cell}
        except RecordError as error:
            yield Reject(file.shown, line, str(error))


def _objects(file: File) -> Iterator[tuple[int, dict[str, Any]] | Reject]:
    if file.kind == "edges" and not file.path.stat().st_size:
        return  # a graph may be without edges
    for item in texts.lines(file.path):
        if isinstance(item, Reject):
            yield item
            continue
        line, text = item
        if text.strip():
            yield _object(file, line, text)


def _object(file: File, line: int, text: str) -> tuple[int, dict[str, Any]] | Reject:
    try:
        data = json_text.parse_object(text)
    except RecordError as error:
        return Reject(file.shown, line, str(error))
    missing = [name for name in needed(file.kind) if data.get(name) in (None, "", [])]
    if missing:
        return Reject(file.shown, line, f"has no {missing[0]!r}; give it one")
    return line, {name: value for name, value in data.items() if value is not None}


def _beside(path: Path) -> list[Path]:
    if path.is_dir():
        return [file for file in path.iterdir() if file.is_file() and NAME.fullmatch(file.name)]
    if path.is_file():
        return [path] if NAME.fullmatch(path.name) else []
    if not path.parent.is_dir():
        return []
    stem = path.name
    return [
        f for f in path.parent.iterdir() if f.name.startswith(f"{stem}_") and NAME.fullmatch(f.name) and f.is_file()
    ]


def _sorted(path: Path, found: list[File]) -> list[File]:
    if not found:
        raise SourceFileError(
            "holds no KGX graph: call its files nodes.tsv and edges.tsv, or .jsonl, perhaps with a name and _ in front",
            path,
        )
    return sorted(found, key=lambda file: (file.kind != "nodes", file.shown))


def _unpacked(path: Path, folder: Path) -> Iterator[File]:
    """Copy the files of an archive, so that they can be read more than once; nothing else of it is touched."""
    size = 0
    try:
        with tarfile.open(path) as archive:
            for number, member in enumerate(archive):
                name = PurePosixPath(member.name).name
                source = archive.extractfile(member) if member.isreg() and NAME.fullmatch(name) else None
                if source is None:
                    continue
                size += member.size
                if size > min(MAX_UNPACKED, shutil.disk_usage(folder).free):
                    raise SourceFileError(f"would unpack to more than {size:,} bytes, which the disk cannot hold", path)
                target = folder / str(number)
                target.mkdir()
                with source, (target / name).open("wb") as copy:
                    shutil.copyfileobj(source, copy, 1 << 20)
                yield File(target / name, f"{path}!/{member.name}")
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise SourceFileError(f"is no whole tar archive ({error}); fetch it again", path) from error
