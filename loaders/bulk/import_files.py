"""CSV files for `neo4j-admin database import`, written so that nothing has to be escaped.

Records hold no control characters: U+001D quotes a field, U+001F comes between fields and U+001E between members of a
list. Unquoted and empty is a property that a node or relation lacks; quoted and empty is an empty text.
"""

from __future__ import annotations

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
    """One file, which may be read for nodes and a second time for relations.

    Args:
        columns: Of each column what its header says for nodes, and what for relations; empty where it is passed over.
        label: The label of the nodes; empty where there are none.
        relation: The type of the relations; empty where there are none, or a column tells.
    """

    def __init__(self, path: Path, columns: Sequence[tuple[str, str]], label: str = "", relation: str = "") -> None:
        self._path = path
        self._columns = columns
        self._label = label
        self._relation = relation
        self._file = path.open("w", encoding="utf-8", newline="")
        self._used = False
        self.lines_break = False

    def write(self, lines: Sequence[str]) -> None:
        """Write lines, whose fields have `COMMA` between them."""
        if lines:
            whole = "\n".join(lines)
            self.lines_break = self.lines_break or whole.count("\n") >= len(lines) or "\r" in whole
            self._file.write(f"{whole}\n")
            self._used = True

    def arguments(self) -> Iterable[str]:
        """Close the file; yield what the importer has to be told of it."""
        self._file.close()
        if not self._used:
            return
        if any(node for node, _ in self._columns):
            yield f"--nodes={self._label}={self._header('nodes', 0)},{self._path}"
        if any(relation for _, relation in self._columns):
            kind = f"{self._relation}=" if self._relation else ""
            yield f"--relationships={kind}{self._header('relations', 1)},{self._path}"

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def _header(self, name: str, which: int) -> Path:
        path = self._path.with_suffix(f".{name}")
        path.write_text(COMMA.join(column[which] or ":IGNORE" for column in self._columns) + "\n", encoding="utf-8")
        return path


class Book:
    """The sheets for one kind of record, which differ in what properties they have room for; see `Sheet`."""

    def __init__(
        self, folder: Path, name: str, columns: Sequence[tuple[str, str]], label: str = "", relation: str = ""
    ) -> None:
        self._folder = folder
        self._name = name
        self._columns = columns
        self._label = label
        self._relation = relation
        self._extras: list[dict[str, type]] = []
        self._places: dict[Shape, int] = {}
        self._lines: list[list[str]] = []
        self.sheets: list[Sheet] = []

    def add(self, line: str, properties: Properties = ()) -> None:
        """Take down a record by its line; an `OddError` where the importer would store another one."""
        shape = tuple([(key, type(value)) for key, value in properties]) if properties else ()
        place = self._places.get(shape)
        if place is None:
            place = self._places[shape] = self._place(dict(shape))
        if extras := self._extras[place]:
            values = dict(properties)
            line = COMMA.join((line, *(_field(values[key]) if key in values else "" for key in extras)))
        if len(line) > LONGEST:
            raise OddError
        self._lines[place].append(line)

    def flush(self) -> None:
        """Write down what was taken down."""
        for sheet, lines in zip(self.sheets, self._lines, strict=True):
            sheet.write(lines)
            lines.clear()

    def close(self) -> None:
        """Close all files."""
        for sheet in self.sheets:
            sheet.close()

    def _place(self, wanted: dict[str, type]) -> int:
        """Choose a sheet that has room for properties, or begin one."""
        if not wanted.keys() or all(kind in _TYPES for kind in wanted.values()):
            for place, extras in enumerate(self._extras):
                if wanted.items() <= extras.items() and (wanted or not extras):
                    return place
            if len(self.sheets) < MOST_SHEETS:
                return self._begin(wanted)
        raise OddError

    def _begin(self, wanted: dict[str, type]) -> int:
        before = self._extras[-1] if self._extras and wanted else {}
        extras = before | wanted if all(wanted.get(key, kind) is kind for key, kind in before.items()) else wanted
        added = [(f"{key}:{_TYPES[kind]}", "") for key, kind in extras.items()]
        if not self._label:
            added = [(relation, node) for node, relation in added]
        path = self._folder / f"{self._name}-{len(self.sheets)}.csv"
        self.sheets.append(Sheet(path, [*self._columns, *added], self._label, self._relation))
        self._extras.append(extras)
        self._lines.append([])
        return len(self.sheets) - 1


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
    sheets = [sheet for book in books for sheet in book.sheets]
    listed = [argument for sheet in sheets for argument in sheet.arguments()]
    broken = ",".join(str(sheet.path) for sheet in sheets if sheet.lines_break)
    if broken:
        listed += [f"--multiline-fields={broken}", "--multiline-fields-format=v2"]
    return [*FORMAT, *listed]
