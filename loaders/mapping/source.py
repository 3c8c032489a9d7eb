"""Any table as a source, by a mapping in YAML: entities, relations and documents without Python.

```yaml
source: {id: clinic-symptoms, title: Symptoms seen at our clinic, version: 2026-03, licence: CC-BY-4.0}
columns:
  symptoms: {split: ";", then: lower}
entities:
  - {id: "clinic:{disease|slug}", label: Disease, name: "{disease}"}
  - {id: "clinic:{symptoms|slug}", label: Symptom, name: "{symptoms}", each: symptoms}
relations:
  - {subject: "clinic:{disease|slug}", type: HAS_SYMPTOM, object: "clinic:{symptoms|slug}", each: symptoms}
```

`mapping_keys` lists every key. The table is read once for each kind of record, so that entities come before relations
and these before documents, and nothing is held in memory; rows that are brought together wait on the disk.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema import licences
from ...schema.records import content_hash
from ...schema.rows import curies, identity, title
from .. import mending, polarity
from ..base import Reject, Remark, Row, Source
from ..files import tables
from ..files.nested import Nested, Several
from ..files.on_disk import Shelf, streamed
from ..judged import judged_values
from ..mending import LeftOut, Remarks
from . import yaml_nodes
from .records import NEGATED, NOTES, Gathered, build, drafts
from .rules import Form, Reader, did_you_mean
from .values import cleaned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from ...schema.records import Record
    from ..base import Item
    from ..files.nested import Cell
    from .rules import Rule
    from .values import Cells

    Foretell = Callable[[Iterable[Item], str], Iterator[Item]]


def from_file(path: Path) -> Source:
    """Make a source of a mapping; the error names its first mistake with key and line."""
    form, faults = check(path)
    if form is None:
        line, text = faults[0]
        more = f"; and {len(faults) - 1} more: medgraph mapping check {path}" if len(faults) > 1 else ""
        raise SourceFileError(text + more, path, line)
    remote = form.graph is not None
    return Source(form.info, partial(_records, form, path), packaged=path if remote else None, changes=remote)


def check(path: Path) -> tuple[Form | None, list[tuple[int, str]]]:
    """Read a mapping (None where there are mistakes), and every mistake with its line, in the file's order."""
    reader = Reader()
    form = reader.parse(yaml_nodes.load(path))
    return form, sorted(reader.faults)


def _records(form: Form, mapping: Path, path: Path) -> Iterator[Item]:
    if form.graph is None:
        yield from _read_rows(_Run(form, mapping, path))
        return
    if path != mapping:
        raise SourceFileError(f"says itself where its rows are, {form.graph.uri}; give no other file", mapping)
    with form.graph.spooled(mapping) as (table, columns):
        yield from _read_rows(_Run(form, mapping, table, columns, form.graph.uri))


def _read_rows(run: _Run) -> Iterator[Item]:
    run.check_columns()
    with Shelf() as seen:
        for kind in ("entities", "relations", "documents"):
            rules = [rule for rule in run.form.rules if rule.kind == kind]
            for item in run.kind(rules):
                # A thing that many rows name is said once; what they say otherwise of it goes on to the writer.
                said = [*identity(item.record), str(content_hash(item.record))] if isinstance(item, Row) else []
                if not said or seen.add("\t".join(said)):
                    yield from run.look_at_ids(item)
                    yield item
    yield from run.left_out.remarks()
    yield from run.unseen_columns()


_DONE: Final = 1 << 15  # So many rows' cells are known to have been read by a rule


class _Unique:
    """A rule, and the cells of which it made records without a word to say: the same again make the same."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._columns = sorted(rule.columns())
        self._done: set[tuple[Cell, ...]] = set()

    def is_new(self, row: Cells) -> bool:
        return tuple([row.get(column, "") for column in self._columns]) not in self._done

    def done(self, row: Cells) -> None:
        if len(self._done) >= _DONE:
            self._done.clear()
        self._done.add(tuple([row.get(column, "") for column in self._columns]))


class _Run:
    def __init__(self, form: Form, mapping: Path, path: Path, columns: list[str] | None = None, file: str = "") -> None:
        """Read a table; `columns` and `file` say which columns JSONL has in each line, and what it is called."""
        self.form = form
        self._mapping = mapping
        self._path = path
        self._columns = columns
        self._file = file or str(path)
        self._read_once = False
        self._keys: set[str] | None = None
        self._remarks = Remarks({form.info.id, *(text.partition(" ")[0] for text in form.info.namespaces)})
        self.left_out = LeftOut()
        self._needed = form.named.keys() - form.columns.keys()
        self._optional = {column.heading for column in form.columns.values()}
        self._around = self._optional | {name for name in form.named if name.startswith(("..", "^"))}

    def _options(self) -> dict[str, Any]:
        form = self.form
        said = {"delimiter": form.delimiter, "quoted": form.quoted, "comment": form.comment, "header": form.header}
        return {**said, "rows": form.rows, "ragged": form.ragged, "rest": form.rest}

    def check_columns(self) -> None:
        """Make sure that the table has the columns that the mapping names."""
        found = self._columns or tables.columns(self._path, **self._options())
        self._keys = set() if found is None or self._columns else None
        for column, (line, key) in self.form.named.items():
            if found is not None and column not in found and not (self._columns and column.split(".")[0] in found):
                has = "the query returns" if self._columns else f"{self._path.name} has"
                missing = f"{has} no column {column!r}, which {key} names"
                raise SourceFileError(missing + did_you_mean(column, found), self._mapping, line)

    def kind(self, rules: list[Rule]) -> Iterator[Item]:
        """Read the table once for the rules of one kind, and once more for each that groups rows."""
        plain = [rule for rule in rules if not rule.group_by]
        if plain:
            once = [_Unique(rule) for rule in plain]
            for item in self._rows(plain):
                if isinstance(item, Reject):
                    yield item
                    continue
                line, row = item
                for one in once:
                    if one.is_new(row):
                        yield from self._plain(one, line, row)
        for rule in rules:
            if rule.group_by:
                yield from self._grouped(rule)

    def _rows(self, rules: Iterable[Rule]) -> Iterator[tuple[int, Cells] | Reject]:
        """Read what rules need of the table; its rejects come the first time alone."""
        again, self._read_once = self._read_once, True
        wanted = sorted(self._needed & {name for rule in rules for name in rule.columns()})

        def count(what: str, example: str, line: int, times: int) -> None:
            if not again:
                self.left_out.add(what, example, self._file, line, times)

        for item in tables.read_cells(self._path, optional=self._around, gaps=True, count=count, **self._options()):
            if isinstance(item, Reject):
                found: tuple[int, Cells] | Reject = item
            else:
                found = self._cells(wanted, *item)
            if not isinstance(found, Reject) or not again:
                yield found

    def _cells(self, wanted: Sequence[str], line: int, row: dict[str, Cell]) -> tuple[int, Cells] | Reject:
        form = self.form
        if self._keys is not None:
            self._keys.update(row)
        strip, nothing = form.strip, form.empty
        cells = {name: cleaned(row.get(name, ""), strip=strip, nothing=nothing) for name in wanted}
        try:
            for name, column in form.columns.items():
                cells[name] = column.cell(row.get(column.heading, ""), strip=strip, nothing=nothing)
        except RecordError as error:
            return Reject(self._file, line, f"the column {column.heading!r}: {error}")
        return line, cells

    def _plain(self, once: _Unique, line: int, row: Cells) -> Iterator[Item]:
        rule, left_out, noted = once.rule, self.left_out.total, False
        try:
            for draft in self._stated(rule, line, row):
                notes = draft.pop(NOTES)
                record = build(rule, draft)
                yield Row(record, self._file, line)
                if notes:
                    noted = True
                    yield from mending.remarks(notes, title(record), self._file, line)
        except RecordError as error:
            yield self._reject(rule, line, error)
            return
        if not noted and left_out == self.left_out.total:
            once.done(row)

    def _stated(self, rule: Rule, line: int, row: Cells) -> Iterator[dict[str, Any]]:
        """Make the drafts of a row, without relations that it denies, which are counted."""
        if rule.each and not any(row.get(name) for name in rule.each):
            said = f"rows are passed over in {rule.kind}, since each: {', '.join(rule.each)} has no item"
            self.left_out.add(said, "", self._file, line)
        for draft in drafts(rule, row):
            if rule.kind != "relations":
                yield draft
                continue
            negated = {NEGATED: True} if draft.pop(NEGATED, False) else {}
            if why := polarity.denial(draft.get("predicate", ""), draft["properties"] | negated):
                said = f"{draft['subject']} {draft['type']} {draft['object']}"
                self.left_out.add(why, said, self._file, line)
            else:
                yield draft

    def _grouped(self, rule: Rule) -> Iterator[Item]:
        for item in streamed(self._parts(rule)):
            if isinstance(item, Reject | Remark):
                yield item
            else:
                rows = ((line, _unpacked(cells[0])) for line, cells in item[1])
                yield from self._group(rule, rows)

    def _parts(self, rule: Rule) -> Iterator[tuple[str, int, tuple[str, ...]] | Reject]:
        for item in self._rows([rule]):
            if isinstance(item, Reject):
                yield item
            else:
                line, row = item
                key = json.dumps([row.get(column, "") for column in rule.group_by])
                yield key, line, (json.dumps({name: _packed(cell) for name, cell in row.items()}),)

    def _group(self, rule: Rule, rows: Iterator[tuple[int, Cells]]) -> Iterator[Item]:
        together, first = Gathered(), 0
        for line, row in rows:
            try:
                for draft in self._stated(rule, line, row):
                    yield from mending.remarks(draft.pop(NOTES), rule.kind, self._file, line)
                    together.add(draft)
                    first = first or line
            except RecordError as error:
                yield self._reject(rule, line, error)
        if first:
            try:
                yield Row(build(rule, together.draft()), self._file, first)
            except RecordError as error:
                yield self._reject(rule, first, error)

    def _reject(self, rule: Rule, line: int, error: RecordError) -> Reject:
        return Reject(self._file, line, f"{error} ({rule.kind}, line {rule.line} of {self._mapping.name})")

    def look_at_ids(self, item: Item) -> Iterator[Remark]:
        """Remark on each prefix that nobody knows, the first time; the source's own name is no such prefix."""
        for text in curies(item.record) if isinstance(item, Row) else ():
            self._remarks.look_at(text, self._file, item.line)
        yield from self._remarks.take()

    def unseen_columns(self) -> Iterator[Remark]:
        """Remark on columns that no line of JSONL has."""
        for column, (line, key) in self.form.named.items():
            if self._keys is not None and column not in self._keys:
                meant = did_you_mean(column, sorted(self._keys))
                yield Remark(
                    str(self._mapping),
                    line,
                    f"{key} names {column!r}, a key that no line of {self._path.name} has{meant}",
                )


def _packed(cell: Cell) -> Any:
    if isinstance(cell, Nested):
        return {"held": cell, "text": cell.text}
    if isinstance(cell, str):
        return cell
    return {"several": list(cell)} if isinstance(cell, Several) else [_packed(item) for item in cell]


def _unpacked(text: str) -> Cells:
    return {name: _cell(value) for name, value in json.loads(text).items()}


def _cell(value: Any) -> Any:
    if isinstance(value, dict):
        return Several(value["several"]) if "several" in value else Nested.of(value["held"], value["text"])
    return tuple(map(_cell, value)) if isinstance(value, list) else value


MOST: Final = 1000  # rejects, and remarks, that are listed; all are counted
_KINDS: Final = {"Entity": "entities", "Relation": "relations", "Document": "documents"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to mend or to look at, at a line of the mapping or the table."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A record that a line of the table would give, without what it leaves open."""

    line: int
    record: dict[str, Any]


@dataclass(slots=True)
class Checked:
    """What a mapping would make of a table.

    The mapping's faults, or the table's; counts and the first records by kind (`entities`, `relations`, `documents`);
    how many would be rejected, with the first; and how many relations wait for entities that the table does not bring,
    which a graph may have. There is no source where the mapping is too broken to tell.
    """

    source: str | None = None
    faults: list[Finding] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    records: dict[str, list[Shown]] = field(default_factory=dict)
    rejected: int = 0
    rejects: list[Finding] = field(default_factory=list)
    remarks: list[Finding] = field(default_factory=list)
    waiting: int = 0
    lacking: list[Finding] = field(default_factory=list)


def try_out(file: Path, table: Path | None = None, show: int = 5, foretell: Foretell | None = None) -> Checked:
    """Check a mapping, and what it makes of a table; `foretell` rejects what a load would reject."""
    checked = Checked()
    try:
        form, faults = check(file)
        checked.faults = [Finding(str(file), line, text) for line, text in faults]
        if form is not None:
            checked.source = form.info.id
            if not licences.identifier(form.info.licence):
                lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
                line = next((number for number, text in lines if form.info.licence in text), 1)
                checked.remarks.append(Finding(str(file), line, licences.no_expression(form.info.licence)))
            table = table or (file if form.graph else None)
            if table is not None:
                items = judged_values(from_file(file).records(table))
                _check_items(checked, foretell(items, form.info.id) if foretell else items, show)
    except SourceFileError as error:
        where = str(error.path)
        text = str(error).removeprefix(f"{where}:{error.line}: ").removeprefix(f"{where}: ")
        checked.faults.append(Finding(where, error.line or 1, text))
    return checked


def _check_items(checked: Checked, items: Iterable[Item], show: int) -> None:
    for item in items:
        if isinstance(item, Row):
            kind = _KINDS[type(item.record).__name__]
            count = checked.counts[kind] = checked.counts.get(kind, 0) + 1
            if count <= show:
                checked.records.setdefault(kind, []).append(Shown(item.line, plain(item.record)))
        elif isinstance(item, Remark):
            _list(checked.remarks, item, item.text)
        elif item.lacks:
            checked.waiting += 1
            _list(checked.lacking, item, item.reason)
        else:
            checked.rejected += 1
            _list(checked.rejects, item, item.reason)


def _list(listed: list[Finding], item: Reject | Remark, text: str) -> None:
    if len(listed) < MOST:
        listed.append(Finding(item.file, item.line, text))


def plain(record: Record) -> dict[str, Any]:
    """Give the attributes of a record that have not their default value, as plain data."""
    said = ((attribute, getattr(record, attribute.name)) for attribute in fields(record))
    return {attribute.name: _plain(value) for attribute, value in said if value != attribute.default}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return plain(value) if hasattr(value, "__dataclass_fields__") else value
