"""Files of the Metathesaurus in Rich Release Format: rows of cells with `|` behind each, sorted by concept."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ....errors import SourceFileError
from ....files import word_table
from ....schema.records import CUI
from ...base import Reject, Remark
from ...files import texts
from ...mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Cells = tuple[str, ...]


def find(folder: Path, name: str) -> Path | None:
    """Find a file by a name such as `MRDEF`, packed or not."""
    return next((f for f in (folder / f"{name}.RRF", folder / f"{name}.RRF.gz") if f.is_file()), None)


def rows(file: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]] | Reject]:
    """Yield each line's number and cells, with an empty one at the end; a reject for a row that cannot be used."""
    for item in texts.lines(file):
        if isinstance(item, Reject):
            yield item
            continue
        number, line = item
        cells = line.split("|")
        if len(cells) == len(columns) + 1 and not cells[-1]:
            yield number, cells
        else:
            yield Reject(str(file), number, _width(len(cells), line, columns))


def _width(found: int, line: str, names: Sequence[str]) -> str:
    said = f"has {found - 1} cells" if line.endswith("|") else "does not end with |"
    return f"{said}; {len(names)} belong there, {names[0]} to {names[-1]}, each with | behind it: is the row cut off?"


TABLE: Final = word_table(Path(__file__).with_name("words.tsv"))
# Columns of each file, as the UMLS Reference Manual lists them.
COLUMNS: Final = TABLE["columns"]
NEEDED: Final = ("MRCONSO", "MRSTY", "MRSAB")


class Meta:
    """A folder of the Metathesaurus, `META` or the one that it is in; an error without the files that are needed."""

    def __init__(self, path: Path) -> None:
        self._read: dict[str, tuple[set[str], int]] = {}
        self.folder = next((f for f in (path, path / "META") if find(f, "MRCONSO")), path)
        missing = [name for name in NEEDED if not find(self.folder, name)]
        if missing:
            named = " and no ".join(f"{name}.RRF" for name in missing)
            raise SourceFileError(f"has no {named}; give the folder META of MetamorphoSys", path)

    def file(self, name: str) -> Path | None:
        """Find the file of a table such as `MRDEF`, packed or not; None when there is none."""
        return find(self.folder, name)

    def rows(self, name: str, columns: str) -> Iterator[tuple[int, Cells] | Reject]:
        """Read columns of a file, which may be missing unless it is needed: rows with their lines, and rejects."""
        file = self.file(name)
        if file is None or (name not in NEEDED and not file.stat().st_size):  # as in a subset without definitions
            return
        names = COLUMNS[name]
        pick = itemgetter(*(names.index(column) for column in columns.split()))
        number = 0
        for item in rows(file, names):
            if isinstance(item, Reject):
                number = item.line or number
                yield item
            else:
                number, cells = item
                yield number, pick(cells)
        self._read[name] = ({*columns.split()} | self._read.get(name, (set(), 0))[0], number)

    def sorted_rows(self, name: str, columns: str) -> Iterator[tuple[int, Cells] | Reject]:
        """Read as `rows` a file that has to be sorted by its first column, a concept."""
        before = ""
        for item in self.rows(name, columns):
            if isinstance(item, Reject):
                yield item
                continue
            number, cells = item
            concept = cells[0]
            if concept != before:
                if not CUI.fullmatch(concept):
                    yield Reject(str(self.file(name)), number, f"{concept[:60]!r} is no concept (C and seven digits)")
                    continue
                if concept < before:
                    said = f"is not sorted: {concept} comes after {before}; sort it with LC_ALL=C sort"
                    raise SourceFileError(said, self.file(name) or name, number)
                before = concept
            yield item

    def unread(self) -> Iterator[Remark]:
        """Remark on columns of the files that were read, and on other files, that nobody reads."""
        left_out = LeftOut()
        for name, (columns, rows) in self._read.items():
            if others := ", ".join(column for column in COLUMNS[name] if column not in columns):
                left_out.add(f"columns of {name} are not read ({others})", "", str(self.file(name)), 1, rows)
        items = (item for item in self.rows("MRFILES", "FIL RWS") if not isinstance(item, Reject))
        listed = {name: int(rows) for _, (name, rows) in items if rows.isdecimal()}
        for file in sorted((*self.folder.glob("*.RRF"), *self.folder.glob("*.RRF.gz"))):
            if (name := file.name.partition(".")[0]) not in COLUMNS:
                rows = listed.get(f"{name}.RRF") or sum(1 for _ in texts.lines(file))
                left_out.add(f"rows of {name} are not read", "", str(file), 1, rows)
        yield from left_out.remarks()

    def whole(self) -> Iterator[Remark]:
        """Remark on each file whose size is not the one in MRFILES."""
        found = (item[1] for item in self.rows("MRFILES", "FIL BTS") if not isinstance(item, Reject))
        listed = {cells[0]: cells[1] for cells in found}
        for name in ("MRCONSO", "MRSTY", "MRDEF", "MRREL", "MRSAB"):
            file = self.file(name)
            size = listed.get(f"{name}.RRF", "")
            if file is not None and file.suffix == ".RRF" and size.isdecimal() and file.stat().st_size != int(size):
                said = f"has {file.stat().st_size:,} bytes, and MRFILES.RRF says {int(size):,}"
                yield Remark(str(file), 1, f"{said}: it is cut off, or a part that was made by hand", loud=True)


class AlignedFile:
    """A sorted file that is read along with another one; the first of the columns is that of the concept."""

    def __init__(self, meta: Meta, name: str, columns: str) -> None:
        self._file = str(meta.file(name))
        self._rejects: list[Reject] = []
        self._groups = groupby(self._good(meta.sorted_rows(name, columns)), key=lambda item: item[1][0])
        self._lost: list[tuple[int, str]] = []
        self._lost_count = 0
        self._ahead = self._step()

    def _good(self, items: Iterator[tuple[int, Cells] | Reject]) -> Iterator[tuple[int, Cells]]:
        for item in items:
            if isinstance(item, Reject):
                self._rejects.append(item)
            else:
                yield item

    def _step(self) -> tuple[str, list[tuple[int, Cells]]] | None:
        group = next(self._groups, None)
        return (group[0], list(group[1])) if group else None

    def take(self, concept: str) -> list[tuple[int, Cells]]:
        """Give the rows of a concept, each with its line; concepts are asked for in their order."""
        while self._ahead and self._ahead[0] < concept:
            self._lose()
        if self._ahead is None or self._ahead[0] != concept:
            return []
        rows = self._ahead[1]
        self._ahead = self._step()
        return rows

    def _lose(self) -> None:
        if self._ahead:
            concept, rows = self._ahead
            self._lost = self._lost or [(rows[0][0], concept)]
            self._lost_count += len(rows)
            self._ahead = self._step()

    def faults(self) -> Iterator[Reject]:
        """Give what could not be used since this was last asked for."""
        rejects, self._rejects = self._rejects, []
        yield from rejects

    def rest(self) -> Iterator[Reject]:
        """Read on to the end; a reject tells of rows on concepts that were never asked for."""
        while self._ahead:
            self._lose()
        yield from self.faults()
        for line, concept in self._lost:
            more = f", and {self._lost_count - 1:,} rows more like it" if self._lost_count > 1 else ""
            yield Reject(self._file, line, f"{concept} is not in MRCONSO{more}; take all files from one release")
