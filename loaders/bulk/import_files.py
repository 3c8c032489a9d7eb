"""CSV files for `neo4j-admin database import`, written so that nothing has to be escaped.

Records hold no control characters: U+001D quotes a field, U+001F comes between fields and U+001E between members of a
list. Unquoted and empty is a property that a node or relation lacks; quoted and empty is an empty text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ...schema.records import Properties, Value

QUOTE: Final = "\x1d"
COMMA: Final = "\x1f"
BETWEEN: Final = "\x1e"
LONGEST: Final = 1_000_000  # The importer has a buffer that a line has to fit in
MOST_SHEETS: Final = 50

FORMAT: Final = ("--delimiter=U+001F", "--array-delimiter=U+001E", "--quote=U+001D")

_TYPES: Final[dict[type, str]] = {str: "string", bool: "boolean", int: "long", float: "double", tuple: "string[]"}

Shape = tuple[tuple[str, type], ...]


class OddError(ValueError):
    """Something that the importer would not store as a statement does."""


def text(value: str) -> str:
    """Write a text."""
    return f"{QUOTE}{value}{QUOTE}"


def texts(values: Sequence[str]) -> str:
    """Write a list of texts; an empty one is not there, and one empty text alone, taken for no list, an `OddError`."""
    if not values:
        return ""
    if values == ("",):
        raise OddError
    return f"{QUOTE}{BETWEEN.join(values)}{QUOTE}"


class Sheet:
    """One file of a book, with room for some properties: `extras`, whose columns are the last."""

    def __init__(self, path: Path, columns: Sequence[tuple[str, str]], extras: dict[str, type]) -> None:
        self.path = path
        self.extras = extras
        self.lines: list[str] = []
        self.lines_break = False
        self._columns = columns
        self._file = path.open("w", encoding="utf-8", newline="")
        self._used = False

    def flush(self) -> None:
        """Write the lines, whose fields have `COMMA` between them."""
        if self.lines:
            whole = "\n".join(self.lines)
            self.lines_break = self.lines_break or whole.count("\n") >= len(self.lines) or "\r" in whole
            self._file.write(f"{whole}\n")
            self._used = True
            self.lines.clear()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def arguments(self, label: str, relation: str) -> Iterable[str]:
        """Close the file; yield what the importer has to be told of it."""
        self.close()
        if not self._used:
            return
        if any(node for node, _ in self._columns):
            yield f"--nodes={label}={self._header('nodes', 0)},{self.path}"
        if any(written for _, written in self._columns):
            kind = f"{relation}=" if relation else ""
            yield f"--relationships={kind}{self._header('relations', 1)},{self.path}"

    def _header(self, name: str, which: int) -> Path:
        path = self.path.with_suffix(f".{name}")
        path.write_text(COMMA.join(column[which] or ":IGNORE" for column in self._columns) + "\n", encoding="utf-8")
        return path


@dataclass(slots=True)
class Book:
    """The sheets for one kind of record, read for nodes of a label and a second time for relations of a type.

    Either is empty where there are none, or a column tells. Sheets differ in what properties they have room for.
    """

    folder: Path
    name: str
    columns: Sequence[tuple[str, str]]
    label: str = ""
    relation: str = ""
    sheets: list[Sheet] = field(default_factory=list)
    _of_shapes: dict[Shape, Sheet] = field(default_factory=dict)

    def add(self, line: str, properties: Properties = ()) -> None:
        """Take down a record by its line; an `OddError` where the importer would store another one."""
        shape = tuple([(key, type(value)) for key, value in properties]) if properties else ()
        sheet = self._of_shapes.get(shape)
        if sheet is None:
            sheet = self._of_shapes[shape] = self._sheet(dict(shape))
        if sheet.extras:
            values = dict(properties)
            line = COMMA.join((line, *(_field(values[key]) if key in values else "" for key in sheet.extras)))
        if len(line) > LONGEST:
            raise OddError
        sheet.lines.append(line)

    def _sheet(self, wanted: dict[str, type]) -> Sheet:
        """Choose a sheet that has room for properties, or begin one."""
        if all(kind in _TYPES for kind in wanted.values()):
            for sheet in self.sheets:
                if wanted.items() <= sheet.extras.items() and (wanted or not sheet.extras):
                    return sheet
            if len(self.sheets) < MOST_SHEETS:
                return self._begin(wanted)
        raise OddError

    def _begin(self, wanted: dict[str, type]) -> Sheet:
        before = self.sheets[-1].extras if self.sheets and wanted else {}
        extras = before | wanted if all(wanted.get(key, kind) is kind for key, kind in before.items()) else wanted
        added = [(f"{key}:{_TYPES[kind]}", "") for key, kind in extras.items()]
        if not self.label:
            added = [(relation, node) for node, relation in added]
        path = self.folder / f"{self.name}-{len(self.sheets)}.csv"
        self.sheets.append(Sheet(path, [*self.columns, *added], extras))
        return self.sheets[-1]


def _field(value: Value) -> str:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, tuple):
        if not value or not all(isinstance(member, str) for member in value):
            raise OddError
        return texts(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def arguments(books: Iterable[Book]) -> list[str]:
    """Close all files; give what the importer has to be told."""
    sheets = [(book, sheet) for book in books for sheet in book.sheets]
    listed = [argument for book, sheet in sheets for argument in sheet.arguments(book.label, book.relation)]
    broken = ",".join(str(sheet.path) for _, sheet in sheets if sheet.lines_break)
    if broken:
        listed += [f"--multiline-fields={broken}", "--multiline-fields-format=v2"]
    return [*FORMAT, *listed]
