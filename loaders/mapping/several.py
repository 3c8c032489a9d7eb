"""Several tables of one source: their files in a folder or an archive, and rows that others look up by a key."""

from __future__ import annotations

import json
import zipfile
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ...errors import RecordError, SourceFileError
from ...files import below
from ..files import archives
from ..files.nested import Cell, Nested, Several
from ..files.on_disk import Shelf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .forms import Table
    from .values import Cells


class Lookup(Shelf):
    """What other tables take from the rows of one, by its key."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table

    @property
    def named(self) -> set[str]:
        """The columns that are kept, and the key."""
        return {self._table.key, *self._table.wanted}

    def keep(self, row: Cells) -> str:
        """Keep a row; give its key where one before it says something else."""
        key = row.get(self._table.key, "")
        if not isinstance(key, str) or not key:
            return ""
        said = packed({name: row.get(name, "") for name in self._table.wanted})
        return "" if self.add(key, said) or self.get(key) == said else key

    def columns(self, column: str, key: Cell) -> dict[str, Cell]:
        """Give the columns of the row of a key, called by the column that has the key; empty ones for no key."""
        if not isinstance(key, str):
            raise RecordError(f"{column} holds a list where the key of one row of the table {self._table.name} belongs")
        if not key:
            return {f"{column}.{name}": "" for name in self._table.wanted}
        said = self.get(key)
        if said is None:
            where = f"no row of the table {self._table.name}, where {self._table.key} is the key"
            raise RecordError(f"{column} is {key[:80]!r}, which has {where}")
        return {f"{column}.{name}": cell for name, cell in unpacked(said).items()}


def packed(row: Cells) -> str:
    """Write a row as JSON."""
    return json.dumps({name: _plain(cell) for name, cell in row.items()})


def _plain(cell: Cell) -> Any:
    if isinstance(cell, Nested):
        return {"held": cell, "text": cell.text}
    if isinstance(cell, str):
        return cell
    return {"several": list(cell)} if isinstance(cell, Several) else [_plain(item) for item in cell]


def unpacked(text: str) -> Cells:
    """Read a row as it was packed."""
    return {name: _cell(value) for name, value in json.loads(text).items()}


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        return Several(value["several"]) if "several" in value else Nested.of(value["held"], value["text"])
    return tuple(map(_cell, value)) if isinstance(value, list) else value


def tupled(value: Any) -> Any:
    """Give what was written as JSON, with tuples for lists."""
    if isinstance(value, dict):
        return {name: tupled(held) for name, held in value.items()}
    return tuple(map(tupled, value)) if isinstance(value, list) else value


@contextmanager
def opened(path: Path, tables: Sequence[Table]) -> Iterator[tuple[list[list[tuple[str, Path]]], list[str]]]:
    """Find the files of tables in a folder or an archive, which are unpacked for as long.

    Yields the files of each table, each with the name that people know it by; and the names of files of no table.
    """
    with TemporaryDirectory() as folder:
        files, others = list[tuple[str, Path]](), list[str]()
        for name, file in _files(path, tables, Path(folder)):
            if file is None:
                others.append(name)
            else:
                files.append((name, file))
        found = [[(name, file) for name, file in files if _is_of(name, table)] for table in tables]
        for table, own in zip(tables, found, strict=True):
            if not own and not table.optional:
                there = ", ".join(sorted(PurePosixPath(name).name for name in others))[:300] or "no other"
                said = f"has no file {table.file}, which tables.{table.name} names; it has {there}"
                raise SourceFileError(said, path)
        yield found, sorted(others)


def _files(path: Path, tables: Sequence[Table], folder: Path) -> Iterator[tuple[str, Path | None]]:
    def wanted(name: str) -> bool:
        return any(_is_of(name, table) for table in tables)

    if path.is_dir():
        files = (file for file in below(path) if file.is_file())
        yield from ((str(file), file if wanted(str(file)) else None) for file in files)
    elif path.name.lower().endswith(archives.TARS) or zipfile.is_zipfile(path):
        yield from archives.files_in(path, wanted, folder)
    else:
        named = ", ".join(table.file for table in tables)
        raise SourceFileError(f"is one file, and the mapping reads several: a folder or an archive with {named}", path)


def _is_of(name: str, table: Table) -> bool:
    """Tell whether a file is one of a table, packed or not, in whatever folder where the table names none."""
    name, pattern = name.lower().removesuffix(".gz"), table.file.lower().removesuffix(".gz")
    if "/" in pattern:
        return fnmatchcase(f"/{name}", f"*/{pattern.removeprefix('/')}")
    return fnmatchcase(PurePosixPath(name).name, pattern)
