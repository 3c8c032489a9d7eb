"""Objects in objects as cells of rows, and rows of JSON Lines and Parquet.

What stands in an object is a column called by the way to it, `name.en`; of a list of objects, one that holds a list,
with an empty item where an object lacks it, so that items of columns side by side go together. In XML, `Name@lang` is
an attribute of `Name`, and `@id` one of the row itself.
"""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Self

from ...errors import RecordError, SourceFileError, install_line
from ..base import Reject
from . import json_items, lines, texts, xml_stream
from .texts import open_source

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    Numbered = tuple[int, dict[str, "Cell"]]

Cell = str | tuple[str, ...]

MAX_CELL: Final = 10_000_000  # Characters of a cell; longer ones are rejected, never cut


def check_columns(path: Path, line: int, names: Sequence[str], columns: Collection[str]) -> None:
    """Make sure that a table has the columns that are needed, and none twice."""
    listed = ", ".join(map(repr, names))[:1000]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SourceFileError(f"the column {twice[0]!r} stands twice in the header; rename one", path, line)
    if missing := [name for name in columns if name not in names]:
        wanted = ", ".join(map(repr, missing))
        semicolons = len(names) == 1 and ";" in names[0]
        hint = "; are semicolons between its cells? save it with commas" if semicolons else ""
        what = "column" if len(missing) == 1 else "columns"
        raise SourceFileError(f"has no {what} {wanted}; its columns are {listed}{hint}", path, line)


_INLINE: Final = frozenset("b i u em strong sup sub math".split())


class Nested(str):
    """The JSON of an object, or of a list with objects or lists in it, where a text may be wanted.

    One made of an element of XML gives its text, as long as it has the element.
    """

    __slots__ = ("element",)
    element: Any

    @property
    def text(self) -> str:
        """The text of the element in reading order; nothing of what is none."""
        element = getattr(self, "element", None)
        return element if isinstance(element, str) else "" if element is None else lines.plain(element)

    @classmethod
    def of(cls, value: Any, element: Any) -> Self:
        """Make the JSON of a value that stands for an element, or for its text."""
        made = cls(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
        made.element = element
        return made


class Several(tuple[str, ...]):
    """The items of a list of lists, of which nothing tells what goes with them."""

    __slots__ = ()


class _Object(dict[str, Any]):
    __slots__ = ("element",)
    element: Any


def of_element(element: Any, without: str = "") -> _Object:
    """Make of an element what JSON would have for it, without the elements of one name in it."""
    groups: dict[str, list[Any]] = {}
    for part in element.iterchildren("*"):
        if (name := xml_stream.local(part)) != without:
            groups.setdefault(name, []).append(part)
    found = _Object()
    found.element = element
    for name, parts in groups.items():
        values = {name: [_value(part) for part in parts]}
        for attribute in dict.fromkeys(key for part in parts for key in part.attrib):
            values[f"{name}@{attribute}"] = [part.get(attribute, "") for part in parts]
        found |= {key: several[0] if len(several) == 1 else several for key, several in values.items()}
    return found


def _value(element: Any) -> Any:
    if not len(element):
        return xml_stream.text(element)
    inner = {xml_stream.local(part) for part in element.iterchildren("*")}
    return xml_stream.text(element) if inner <= _INLINE else of_element(element)


def flat(item: Mapping[str, Any], *, gaps: bool) -> dict[str, Cell]:
    """Make the cells of a row; with `gaps` columns of what stands in objects, and with empty items of lists."""
    row: dict[str, Cell] = {}
    for key, value in item.items():
        name = key.strip()
        row[name] = cell(value, gaps)
        if gaps and isinstance(value, dict):
            row.update({f"{name}.{inner}": found for inner, found in flat(value, gaps=True).items()})
        elif gaps and isinstance(value, list) and any(isinstance(part, dict) for part in value):
            parts = [flat(part, gaps=True) if isinstance(part, dict) else {} for part in value]
            for inner in dict.fromkeys(inner for part in parts for inner in part):
                row[f"{name}.{inner}"] = _together([part.get(inner, "") for part in parts])
        elif gaps and isinstance(value, list) and any(isinstance(part, list) for part in value):
            row[name] = _together([cell(part, gaps) for part in value])
    return row


def cell(value: Any, gaps: bool) -> Cell:
    """Give a value as a cell: a text, or several for a list of plain values, with empty ones where `gaps` are kept."""
    if isinstance(value, list | tuple) and (gaps or not any(isinstance(part, dict | list | tuple) for part in value)):
        return tuple(text for part in value if (text := _text(part)) or gaps)
    return _text(value)


def _together(parts: list[Cell]) -> tuple[str, ...]:
    """Give the items of lists one behind the other, or a text of each part where none is a list."""
    if all(isinstance(part, str) for part in parts):
        return tuple(part for part in parts if isinstance(part, str))
    return Several(item for part in parts for item in ((part,) if isinstance(part, str) else part) if item)


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, _Object):
        return Nested.of(value, value.element)
    if isinstance(value, dict | list | tuple):
        return Nested(json.dumps(value, ensure_ascii=False, default=str))
    return str(value)


def read_objects(
    path: Path, columns: Collection[str], optional: Collection[str], *, parquet: bool, gaps: bool = False
) -> Iterator[Numbered | Reject]:
    """Read a JSONL or Parquet file; `gaps` says whether empty items of lists are kept."""
    for item in _parquet(path, columns, gaps) if parquet else _jsonl(path, columns, gaps):
        if isinstance(item, Reject):
            yield item
        elif any(item[1].values()):
            yield item[0], {**dict.fromkeys(optional, ""), **item[1]}


def _jsonl(path: Path, columns: Collection[str], gaps: bool) -> Iterator[Numbered | Reject]:
    for item in texts.raw_lines(path):
        if isinstance(item, Reject):
            yield item
            continue
        number, line = item
        if not line.strip():
            continue
        try:
            row = flat(json_items.parse_object(line, lenient=True), gaps=gaps)
            if missing := [name for name in columns if name not in row]:
                raise RecordError(f"has no {missing[0]!r}; its keys are {', '.join(map(repr, row))[:1000]}")
            if len(line) > MAX_CELL and any(
                (len(cell) if isinstance(cell, str) else sum(map(len, cell))) > MAX_CELL for cell in row.values()
            ):
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


def _parquet(path: Path, columns: Collection[str], gaps: bool) -> Iterator[Numbered | Reject]:
    number = 0
    with _opened(path) as table:
        check_columns(path, 1, table.schema_arrow.names, columns)
        for batch in table.iter_batches(batch_size=1000):
            names = batch.schema.names
            for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                number += 1
                yield number, flat(dict(zip(names, values, strict=True)), gaps=gaps)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise SourceFileError(f"is Parquet, which needs an extra; {install_line('parquet')}", path) from error
    with open_source(path) as packed, tempfile.TemporaryFile() as file:
        shutil.copyfileobj(packed, file)  # Parquet keeps what stands where at its end
        try:
            yield pq.ParquetFile(file, pre_buffer=False)
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            said = str(error).partition("\n")[0][:300]
            raise SourceFileError(f"is not sound Parquet: {said}; fetch it again", path) from error
