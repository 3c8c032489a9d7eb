"""JSONL and Parquet as tables, for `tables`."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

from ...errors import RecordError, SourceFileError
from ..base import Reject
from . import json_text, nested, texts
from .opening import open_source

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from .columns import Cell

    Row = tuple[int, dict[str, Cell]]


def read(
    path: Path, columns: Collection[str], optional: Collection[str], *, parquet: bool, gaps: bool = False
) -> Iterator[tuple[int, dict[str, Cell]] | Reject]:
    """Read a JSONL or Parquet file.

    Args:
        columns: Keys that each object must have, or columns that the table must have.
        optional: Those that are empty where they are missing.
        gaps: Whether empty items of lists are kept.

    Yields:
        Pairs of the line, or the row's number in Parquet, and the cells; a `Reject` for one that cannot be used.

    Raises:
        SourceFileError: The file cannot be read, or a Parquet file lacks a column.
    """
    for item in _parquet(path, columns, gaps) if parquet else _jsonl(path, columns, gaps):
        if isinstance(item, Reject):
            yield item
        elif any(item[1].values()):
            yield item[0], {**dict.fromkeys(optional, ""), **item[1]}


def _jsonl(path: Path, columns: Collection[str], gaps: bool) -> Iterator[Row | Reject]:
    from .columns import MAX_CELL

    for item in texts.raw_lines(path):
        if isinstance(item, Reject):
            yield item
            continue
        number, line = item
        if not line.strip():
            continue
        try:
            row = nested.flat(json_text.parse_object(line, lenient=True), gaps=gaps)
            if missing := [name for name in columns if name not in row]:
                raise RecordError(f"has no {missing[0]!r}; its keys are {', '.join(map(repr, row))[:1000]}")
            if len(line) > MAX_CELL and any(_size(cell) > MAX_CELL for cell in row.values()):
                raise RecordError(f"a value is longer than {MAX_CELL:,} characters; split it")
        except RecordError as error:
            yield Reject(str(path), number, str(error))
            continue
        except RecursionError:
            yield Reject(str(path), number, "is nested too deep")
            continue
        yield number, row


def parquet_columns(path: Path) -> list[str]:
    """Read which columns a Parquet file has."""
    with _opened(path) as table:
        return list(table.schema_arrow.names)


def _parquet(path: Path, columns: Collection[str], gaps: bool) -> Iterator[Row | Reject]:
    from .columns import check_columns

    number = 0
    with _opened(path) as table:
        check_columns(path, 1, table.schema_arrow.names, columns)
        for batch in table.iter_batches(batch_size=1000):
            names = batch.schema.names
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                number += 1
                yield number, nested.flat(dict(zip(names, values, strict=True)), gaps=gaps)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise SourceFileError("is Parquet, for which pip install 'medgraph[parquet]' is needed", path) from error
    with open_source(path) as packed, tempfile.TemporaryFile() as file:
        _unpack(packed, file)
        try:
            yield pq.ParquetFile(file, pre_buffer=False)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            said = str(error).partition("\n")[0][:300]
            raise SourceFileError(f"is not sound Parquet: {said}; fetch it again", path) from error


def _unpack(packed: IO[bytes], file: IO[bytes]) -> None:
    """Copy to a file that can be read from its end, where Parquet keeps what stands where."""
    while block := packed.read(1 << 20):
        file.write(block)


def _size(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else sum(map(len, cell))
