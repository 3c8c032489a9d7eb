"""Tables of every source: CSV, TSV, JSONL and Parquet, each also packed with gzip, read row by row.

```python
from . import tables

for item in tables.read(path, ["disease_id", "symptom_id"]):
    if isinstance(item, Reject):
        yield item  # a row that cannot be used; those after it are read
        continue
    line, row = item  # the line the row starts at, and its cells as text, also of columns that were not asked for
    yield ... row["disease_id"] ...
```

The suffix tells the form (`.csv`, `.tsv`, `.tab`, `.jsonl`, `.ndjson`, `.parquet`, `.json` for an array or what
`trees` finds in it, then perhaps `.gz`), and the beginning that of JSON, XML and Parquet of any other name; a table
with any other has tabs between its cells if its first line has one, otherwise commas. Cells may be quoted, over several
lines too. A cell has at most `MAX_CELL` characters. Columns are called as in the header, without blanks around; one
without a name is `column 3`, after its place.
"""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ..base import Reject
from . import json_items, nested, texts, trees
from .nested import MAX_CELL, Cell, check_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence


MAX_LINES: Final = 20_000  # Lines of a row; a quote that is not closed by then counts as never closed
_DELIMITERS: Final = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_JSON: Final = {".jsonl", ".ndjson"}
_TREES: Final = {".json", ".xml"}
_BEGINNINGS: Final = {rb"PAR1": ".parquet", rb"<\?xml|<!DOCTYPE": ".xml", rb'\[\s*[{\]]|\{\s*"': ".json"}
_COMMENTS: Final = "comments behind the first row are passed over"
_RETURN: Final = "has a carriage return inside; end each line with a line feed, and quote cells of several lines"
_AGAIN: Final = "says what the header says; were two tables written one behind the other? take the second header out"


@dataclass(frozen=True, slots=True)
class _Form:
    """How a table is written; see `read` and `read_cells`."""

    delimiter: str | None = None
    quoted: bool = True
    comment: str = ""
    header: Sequence[str] = ()
    ragged: bool = False
    rows: str = ""
    rest: str = ""


def read(path: Path, columns: Collection[str] = (), **written: Any) -> Iterator[tuple[int, dict[str, str]] | Reject]:
    """Read a table, which has to have these columns, and whose cells are texts; a list in it becomes JSON text.

    Args:
        written: How the table is written: `delimiter`, what stands between cells, told by the suffix otherwise (with
            several characters no cell is quoted); whether a cell that begins with `"` is a `quoted` one; `comment`,
            with which lines begin that are passed over; `header`, the columns' names for a table without; whether a row
            may be `ragged`, so that it lacks empty cells at its end, or has some that the header does not.

    Yields:
        Pairs of the line that a row starts at (for Parquet, the row's number) and its cells by column; a `Reject` for a
        row that cannot be used. Blank lines, and rows all of whose cells are empty, are passed over.
    """
    for item in read_cells(path, columns, **written):
        yield item if isinstance(item, Reject) else (item[0], {name: _text(cell) for name, cell in item[1].items()})


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)


def read_cells(
    path: Path,
    columns: Collection[str] = (),
    *,
    optional: Collection[str] = (),
    gaps: bool = False,
    count: Callable[[str, str, int, int], None] = lambda *_: None,
    **written: Any,
) -> Iterator[tuple[int, dict[str, Cell]] | Reject]:
    """Read a table as `read` does, with lists as tuples of texts.

    Args:
        optional: Columns that are empty where the table lacks them.
        gaps: Whether what stands in objects is made columns, and empty items of lists are kept.
        count: Takes what is passed over in a row, an example, the line and how often.
        written: How the table is written; `rows` is the way to the rows in JSON or XML, `rest` a column, a list, for
            the cells behind those of the header.
    """
    form, suffix = _Form(**written), _suffix(path)
    if suffix == ".parquet" or suffix in _JSON:
        yield from nested.read_objects(path, columns, optional, parquet=suffix == ".parquet", gaps=gaps)
        return
    if form.rows or suffix in _TREES:
        yield from trees.read_tree(path, form.rows, (*columns, *optional), count, gaps=gaps)
        return
    rows = _Rows(path, form, suffix, lambda text, line: count(_COMMENTS, text, line, 1))
    names = list(form.header) or rows.header()
    check_columns(path, rows.line, names, columns)
    missing: dict[str, Cell] = dict.fromkeys(set(optional) - set(names), "")
    for item in rows:
        if isinstance(item, Reject):
            yield item
            continue
        line, cells = item
        if form.rest:
            missing[form.rest] = tuple(cells[len(names) :])
            cells = cells[: len(names)]
        if form.ragged and not any(cells[len(names) :]):
            if len(cells) < len(names):
                count("rows lack cells at their end, which are empty", "", line, 1)
            cells = cells[: len(names)] + [""] * (len(names) - len(cells))
        if reason := _fault(cells, names, mapped=gaps, headed=not form.header):
            yield Reject(str(path), line, reason)
        elif any(cells):
            row: dict[str, Cell] = dict(zip(names, cells, strict=True))
            yield line, row | missing if missing else row


def _fault(cells: Sequence[str], names: Sequence[str], *, mapped: bool, headed: bool) -> str:
    """Tell why a row is none of a table with such a header, and what mends it; empty where it is."""
    found, wanted = len(cells), len(names)
    if found == wanted:
        return _AGAIN if headed and wanted > 1 and cells == names else ""
    said = f"has {found} {'cell' if found == 1 else 'cells'} where the header has {wanted}"
    if found > wanted:
        return f"{said}; is there a separator too many, which no quotes enclose?"
    short = "; table: {ragged: true} takes the cells that lack for empty ones" if mapped else ""
    return f"{said}; is a separator missing, or the row cut off?{short}"


def columns(path: Path, **written: Any) -> list[str] | None:
    """Read which columns a table has, written as for `read_cells`; None for JSON and XML, whose rows have theirs."""
    form, suffix = _Form(**written), _suffix(path)
    if form.rows or suffix in _JSON or suffix in _TREES:
        return None
    if suffix == ".parquet":
        return nested.parquet_columns(path)
    rest = [form.rest] if form.rest else []
    return [*(form.header or _Rows(path, form, suffix).header()), *rest]


def _suffix(path: Path) -> str:
    """Tell the form of a table by its name, and that of JSON, XML and Parquet by what it begins with."""
    name = PurePath(path.name.lower())
    suffix = PurePath(name.stem).suffix if name.suffix == ".gz" else name.suffix
    start = texts.head(path).lstrip()
    first, _, rest = start.partition(b"\n")
    if start.startswith(b"{") and (suffix not in _TREES or rest.lstrip().startswith(b"{")):
        with suppress(RecordError):
            json_items.parse_object(first, lenient=True)
            return ".jsonl"
    for begin, form in _BEGINNINGS.items():
        if re.match(begin, start):
            return form
    return suffix


class _UnclosedError(Exception):
    """A quoted cell goes on and on."""


class _Rows:
    """The rows of a text with separators, as lists of cells; `line` is that of the header, once it was read.

    `passed` takes each comment behind the first row, and its line.
    """

    def __init__(
        self, path: Path, form: _Form, suffix: str, passed: Callable[[str, int], None] = lambda *_: None
    ) -> None:
        self.line = 1
        self._path = path
        self._delimiter = form.delimiter or _DELIMITERS.get(suffix, "")
        self._quoted = form.quoted and len(self._delimiter) <= 1
        self._comment = form.comment
        self._passed = passed
        self._begun = False
        self._source = texts.raw_lines(path)
        self._again: deque[tuple[int, str] | Reject] = deque()  # lines that an unclosed quote ran over
        self._faults: dict[int, str] = {}  # what is wrong with lines that are read but not rejected yet
        self._doubtful = 0  # up to this line, a quote inside an unquoted cell may be the end of a quoted one

    def header(self) -> list[str]:
        item = next(iter(self), None)
        if item is None:
            raise SourceFileError("has no header, only blank lines or comments", self._path, 1)
        if isinstance(item, Reject):
            raise SourceFileError(f"the header {item.reason}", self._path, item.line)
        self.line, cells = item
        return [cell.strip() or f"column {place}" for place, cell in enumerate(cells, 1)]

    def __iter__(self) -> Iterator[tuple[int, list[str]] | Reject]:
        while (item := self._next()) is not None:
            if isinstance(item, Reject):
                yield item
                continue
            number, text = item
            if not text.strip("\r\n"):
                continue
            if self._comment and text.startswith(self._comment):
                if self._begun:
                    self._passed(text.strip(), number)
                continue
            self._begun = True
            yield self._row(number, text)

    def _next(self) -> tuple[int, str] | Reject | None:
        if self._again:
            return self._again.popleft()
        item = next(self._source, None)
        if item is None or isinstance(item, Reject):
            return item
        number, line = item
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            self._faults[number] = texts.not_utf8(error)
            text = line.decode("utf-8", "replace")
        if "\0" in text:
            self._faults[number] = f"holds a NUL at place {text.index(chr(0)) + 1} of the line; remove it"
        return number, text

    def _row(self, number: int, text: str) -> tuple[int, list[str]] | Reject:
        taken = [(number, text)]
        self._delimiter = self._delimiter or ("\t" if "\t" in text else ",")
        cells: list[str] | Reject
        if self._quoted and '"' in text:
            cells = self._quoted_row(taken)
        else:
            plain = text.removesuffix("\n").removesuffix("\r")
            if len(self._delimiter) > 1:  # it may end a row, without the blank behind it
                plain = plain.removesuffix(self._delimiter.rstrip())
            cells = plain.split(self._delimiter)
            if "\r" in plain:
                cells = Reject(str(self._path), number, _RETURN)
        faults = [(line, fault) for line, _ in taken if (fault := self._faults.pop(line, ""))]
        if isinstance(cells, Reject):
            return cells
        if faults:
            return Reject(str(self._path), *faults[0])
        if sum(map(len, (part for _, part in taken))) > MAX_CELL and max(map(len, cells)) > MAX_CELL:
            return Reject(str(self._path), number, f"a cell is longer than {MAX_CELL:,} characters; split it")
        return number, cells

    def _quoted_row(self, taken: list[tuple[int, str]]) -> list[str] | Reject:
        csv.field_size_limit(max(csv.field_size_limit(), texts.MAX_LINE * 2))  # one for all readers: never lowered
        number, text = taken[0]
        # Tell whether an unquoted cell has a quote in it.
        if number <= self._doubtful and any('"' in (cell["plain"] or "") for cell in _cells(text, self._delimiter)):
            inside = "is a row with one inside an unquoted cell"
            reason = f"belongs to a cell with a quote too many, or {inside}; mend the quotes"
            return Reject(str(self._path), number, reason)
        try:
            return next(csv.reader(self._feed(taken), delimiter=self._delimiter, strict=True))
        except (csv.Error, _UnclosedError) as error:
            return self._unclosed(taken, str(error))

    def _feed(self, taken: list[tuple[int, str]]) -> Iterator[str]:
        yield taken[0][1]
        size = len(taken[0][1])
        while (item := self._next()) is not None:
            if isinstance(item, Reject):
                self._again.appendleft(item)
                raise _UnclosedError
            taken.append(item)
            size += len(item[1])
            if size > texts.MAX_LINE or len(taken) > MAX_LINES:
                raise _UnclosedError
            yield item[1]

    def _unclosed(self, taken: list[tuple[int, str]], fault: str) -> Reject:
        """Reject the row whose quotes are wrong, and go back to the line after the one where the last quote opened."""
        # Find where the last quoted cell of a row opens.
        found = _cells("".join(text for _, text in taken), self._delimiter)
        opened = max((cell.start("quoted") for cell in found), default=0)
        keep, end = 0, 0
        while end <= opened and keep < len(taken):
            end += len(taken[keep][1])
            keep += 1
        self._again.extendleft(reversed(taken[keep:]))
        self._doubtful = max(self._doubtful, taken[-1][0])
        line, within = taken[keep - 1][0], len(taken) == 1
        del taken[keep:]
        if "new-line" in fault:
            return Reject(str(self._path), line, _RETURN)
        if within and "expected after" in fault:
            reason = 'a quoted cell goes on behind its closing quote; double each " inside a quoted cell'
        else:
            reason = 'a quote opens here and is not closed at the end of a cell; close it, or double each " inside'
        starts = f" (in the row that starts in line {taken[0][0]})" if line != taken[0][0] else ""
        return Reject(str(self._path), line, reason + starts)


def _cells(text: str, delimiter: str) -> Iterator[re.Match[str]]:
    """Yield the cells of a row up to the first whose quotes are wrong, as matches of `quoted` or `plain`."""
    delimiter = re.escape(delimiter)
    quoted = rf'"[^"]*+(?:""[^"]*+)*+(?P<end>"(?=[{delimiter}\r\n]|\Z)[^{delimiter}]*)?'
    for cell in re.finditer(rf"(?:^|{delimiter})(?:(?P<quoted>{quoted})|(?P<plain>[^{delimiter}]*))", text):
        yield cell
        if cell["quoted"] and cell["end"] is None:
            return
