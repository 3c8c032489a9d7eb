"""What a source is: facts about a data set, and a generator of its records."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import SourceFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ..schema.records import Record, SourceInfo


@dataclass(frozen=True, slots=True)
class Row:
    """A record and where it was read.

    Attributes:
        record: The record.
        file: The file, with the member for an archive.
        line: The line it starts at, counted from one.
    """

    record: Record
    file: str
    line: int = 1


@dataclass(frozen=True, slots=True)
class Reject:
    """Something that could not become a record.

    Attributes:
        file: The file, with the member for an archive.
        line: The line, counted from one.
        reason: What is wrong, and what mends it.
    """

    file: str
    line: int
    reason: str


Item = Row | Reject


@dataclass(frozen=True, slots=True)
class Source:
    """One data set that `medgraph load` knows.

    Attributes:
        info: Name, version, licence.
        records: Reads a file or folder into rows and rejects, in an order that depends on its content alone.
        estimate: How many documents a file will give, for the progress bar; None where only reading tells.
        packaged: The file that comes with medgraph, for a source that needs no path.
    """

    info: SourceInfo
    records: Callable[[Path], Iterator[Item]]
    estimate: Callable[[Path], int | None]
    packaged: Path | None = None


def fingerprint(path: Path) -> str:
    """Hash a file, or every file of a folder with its name.

    Args:
        path: The file or folder.

    Returns:
        The SHA-256 in hexadecimal.

    Raises:
        SourceFileError: It does not exist or cannot be read.
    """
    digest = hashlib.sha256()
    try:
        if path.is_dir():
            for file in sorted(p for p in path.rglob("*") if p.is_file()):
                digest.update(f"\0{file.relative_to(path).as_posix()}\0".encode())
                _update(digest, file)
        else:
            _update(digest, path)
    except OSError as error:
        raise SourceFileError(f"cannot be read: {error.strerror}", path) from error
    return digest.hexdigest()


def _update(digest: hashlib._Hash, path: Path) -> None:
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
