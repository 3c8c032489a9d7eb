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
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.records import content_hash
from ...schema.rows import identity, title
from ...text import did_you_mean
from .. import mending, polarity
from ..base import Item, Reject, Remark, Row, Source
from ..files import tables
from ..files.on_disk import Keyed as Part
from ..files.on_disk import Shelf, streamed
from ..mending import LeftOut
from . import yaml_nodes
from .forms import Form, Rule
from .records import ASTRAY, NEGATED, NOTES, Gathered, Unique, alone, build, drafts
from .rules import DELIMITERS, Reader
from .several import Lookup, opened, packed, tupled, unpacked
from .values import cleaned

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ..files.nested import Cell
    from .values import Cells


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
    with prefixes.also(prefixes.bases(form.info.namespaces)):
        if form.tables:
            yield from _read_tables(form, mapping, path)
        elif form.graph is None:
            yield from _read_rows([_Run(form, mapping, path, None, str(path), {})])
        elif path != mapping:
            raise SourceFileError(f"says itself where its rows are, {form.graph.uri}; give no other file", mapping)
        else:
            with form.graph.spooled(mapping) as (table, columns):
                yield from _read_rows([_Run(form, mapping, table, columns, form.graph.uri, {})])


def _read_tables(form: Form, mapping: Path, path: Path) -> Iterator[Item]:
    """Read several tables; those that others look rows up in are read once more, before them."""
    with opened(path, form.tables) as (files, others), ExitStack() as stack:
        shown = {file: name for own in files for name, file in own}
        lookups = {table.name: stack.enter_context(Lookup(table)) for table in form.tables if table.key}
        runs = list[_Run]()
        try:
            for table, own in zip(form.tables, files, strict=True):
                joined = {column: lookups[name] for column, name in table.joins.items()}
                new = [_Run(table.form, mapping, file, None, name, joined) for name, file in own]
                for run in new if table.key else ():
                    yield from run.keep(lookups[table.name])
                runs += new
            yield from _read_rows(runs, together=True)
        except SourceFileError as error:
            if error.path not in shown:
                raise
            raise SourceFileError(error.message, shown[error.path], error.line) from error
    yield from LeftOut.files(others, str(path))


def _read_rows(runs: Sequence[_Run], *, together: bool = False) -> Iterator[Item]:
    """Read tables for one kind of record after the other; where they go `together`, an id has one record of all."""
    for run in runs:
        run.check_columns()
    found = False
    with Shelf() as seen:
        for kind in ("entities", "relations", "documents"):
            one_by_one = chain.from_iterable(run.kind(kind) for run in runs)
            for item in _together(runs, kind) if together and kind != "relations" else one_by_one:
                found = True
                # A thing that many rows name is said once; what they say otherwise of it goes on to the writer.
                said = [*identity(item.record), str(content_hash(item.record))] if isinstance(item, Row) else []
                if not said or seen.add("\t".join(said)):
                    yield item
    remarks = [remark for run in runs for remark in (*run.left_out.remarks(), *run.unseen_columns())]
    yield from remarks
    if not found:
        why = f": {remarks[0].text}" if remarks else ""
        raise SourceFileError(f"no row below its header makes a record{why}", runs[0].file, 1)


def _together(runs: Sequence[_Run], kind: str) -> Iterator[Item]:
    """Make a record of all that the rows of several tables say of an id."""

    def parts() -> Iterator[Part | Reject]:
        for place, run in enumerate(runs):
            for item in run.stated(kind):
                if isinstance(item, Reject):
                    yield item
                else:
                    rule, line, draft = item
                    yield draft["id"], line, (str(place), str(rule.line), json.dumps(draft))

    for item in streamed(parts()):
        if isinstance(item, tuple):
            rows = ((runs[int(place)], int(at), line, text) for line, (place, at, text) in item[1])
            yield from _merged(kind, rows)
        else:
            yield item


def _merged(kind: str, rows: Iterator[tuple[_Run, int, int, str]]) -> Iterator[Item]:
    together, named = Gathered(), False
    stated: tuple[_Run, Rule, int] | None = None  # the row that names it, or the first one
    for run, at, line, text in rows:
        rule, draft = Rule(kind, at, {}, {}), tupled(json.loads(text))
        yield from mending.remarks(draft.pop(NOTES), draft["id"], run.file, line)
        try:
            build(rule, alone(kind, draft))  # so that a row which cannot be held takes nothing else along
            together.add(draft)
        except RecordError as error:
            yield run.reject(rule, line, error)
            continue
        names = not named and bool(draft.get("name") or draft.get("title"))
        named = named or names
        stated = (run, rule, line) if names or stated is None else stated
    if stated is not None:
        run, rule, line = stated
        try:
            draft, notes = together.draft(), list[str]()
            if kind == "documents" and not named:
                draft["title"] = mending.title("", notes)
            yield Row(build(rule, draft), run.file, line)
            yield from mending.remarks(notes, draft["id"], run.file, line)
        except RecordError as error:
            yield run.reject(rule, line, error)


class _Run:
    """Reads a table of a mapping.

    `columns` and `file` say which columns JSONL has in each line, and what it is called; `joined` has the rows of other
    tables by the columns that hold their keys.
    """

    def __init__(
        self, form: Form, mapping: Path, path: Path, columns: list[str] | None, file: str, joined: Mapping[str, Lookup]
    ) -> None:
        self.form, self.file = form, file
        self._mapping, self._path, self._columns, self._joined = mapping, path, columns, joined
        self._read_once = False
        self._keys: set[str] | None = None
        self.left_out = LeftOut()
        self._needed = form.named.keys() - form.columns.keys()
        self._optional = {column.heading for column in form.columns.values()}
        self._around = self._optional | {name for name in form.named if name.startswith(("..", "^"))}

    def check_columns(self) -> None:
        found = self._columns or tables.columns(self._path, **self.form.written)
        self._keys = set() if found is None or self._columns else None
        for column, (line, key) in self.form.named.items():
            start = column.split(".")[0]
            if start != column and start in self._joined:
                continue
            if found is not None and column not in found and not (self._columns and start in found):
                has = "the query returns" if self._columns else f"{self._path.name} has"
                missing = f"{has} no column {column!r}, which {key} names"
                only = next(iter(found)) if len(found) == 1 else ""
                parted = next((name for name, mark in DELIMITERS.items() if mark in only), "")
                hint = f", and one alone, {only[:60]!r}; write table: {{delimiter: {parted}}}" if parted else ""
                raise SourceFileError(missing + (hint or did_you_mean(column, found)), self._mapping, line)

    def keep(self, lookup: Lookup) -> Iterator[Reject]:
        self.check_columns()
        for item in self._rows(self.form.rules, lookup.named):
            if isinstance(item, Reject):
                yield item
            elif key := lookup.keep(item[1]):
                self.left_out.add("rows with the key of another row are not looked up", key, self.file, item[0])

    def stated(self, kind: str) -> Iterator[tuple[Rule, int, dict[str, Any]] | Reject]:
        """Read the drafts that the rules of one kind make of the rows."""
        rules = [rule for rule in self.form.rules if rule.kind == kind]
        for item in self._rows(rules) if rules else ():
            if isinstance(item, Reject):
                yield item
                continue
            for rule in rules:
                try:
                    for draft in self._stated(rule, *item):
                        yield rule, item[0], draft
                except RecordError as error:
                    yield self.reject(rule, item[0], error)

    def kind(self, kind: str) -> Iterator[Item]:
        """Read the table once for the rules of one kind, and once more for each that groups rows."""
        rules = [rule for rule in self.form.rules if rule.kind == kind]
        plain = [rule for rule in rules if not rule.group_by]
        if plain:
            once = [Unique(rule) for rule in plain]
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

    def _rows(self, rules: Iterable[Rule], more: Iterable[str] = ()) -> Iterator[tuple[int, Cells] | Reject]:
        """Read what rules need of the table, and more; its rejects come the first time alone."""
        again, self._read_once = self._read_once, True
        wanted = sorted(self._needed & {*more, *(name for rule in rules for name in rule.columns())})

        def count(what: str, example: str, line: int, times: int) -> None:
            if not again:
                self.left_out.add(what, example, self.file, line, times)

        how = {"optional": self._around, "gaps": True, "count": count, **self.form.written}
        for item in tables.read_cells(self._path, **how):
            found = replace(item, file=self.file) if isinstance(item, Reject) else self._cells(wanted, *item)
            if not isinstance(found, Reject) or not again:
                yield found

    def _cells(self, wanted: Sequence[str], line: int, row: dict[str, Cell]) -> tuple[int, Cells] | Reject:
        form = self.form
        if self._keys is not None:
            self._keys.update(row)
        strip, nothing = form.strip, form.empty
        cells: dict[str, Cell] = {}
        for start, lookup in self._joined.items():
            try:
                row |= lookup.columns(start, cleaned(row.get(start, ""), strip=strip, nothing=nothing))
            except RecordError as error:
                cells[ASTRAY] = str(error)
        for name in wanted:
            cells[name] = cleaned(row.get(name, ""), strip=strip, nothing=nothing)
        try:
            for name, column in form.columns.items():
                cells[name] = column.cell(row.get(column.heading, ""), strip=strip, nothing=nothing)
        except RecordError as error:
            return Reject(self.file, line, f"the column {column.heading!r}: {error}")
        return line, cells

    def _plain(self, once: Unique, line: int, row: Cells) -> Iterator[Item]:
        rule, left_out, noted = once.rule, self.left_out.total, False
        try:
            for draft in self._stated(rule, line, row):
                notes = draft.pop(NOTES)
                record = build(rule, draft)
                yield Row(record, self.file, line)
                if notes:
                    noted = True
                    yield from mending.remarks(notes, title(record), self.file, line)
        except RecordError as error:
            yield self.reject(rule, line, error)
            return
        if not noted and left_out == self.left_out.total:
            once.done(row)

    def _stated(self, rule: Rule, line: int, row: Cells) -> Iterator[dict[str, Any]]:
        """Make the drafts of a row, without relations that it denies, which are counted."""
        if rule.each and not any(row.get(name) for name in rule.each):
            said = f"rows are passed over in {rule.kind}, since each: {', '.join(rule.each)} has no item"
            self.left_out.add(said, "", self.file, line)
        for draft in drafts(rule, row):
            if astray := row.get(ASTRAY):
                raise RecordError(str(astray))
            if rule.kind != "relations":
                yield draft
                continue
            negated = {NEGATED: True} if draft.pop(NEGATED, False) else {}
            if why := polarity.denial(draft.get("predicate", ""), draft["properties"] | negated):
                said = f"{draft['subject']} {draft['type']} {draft['object']}"
                self.left_out.add(why, said, self.file, line)
            else:
                yield draft

    def _grouped(self, rule: Rule) -> Iterator[Item]:
        def part(line: int, row: Cells) -> Part:
            return json.dumps([row.get(column, "") for column in rule.group_by]), line, (packed(row),)

        for item in streamed(item if isinstance(item, Reject) else part(*item) for item in self._rows([rule])):
            if isinstance(item, Reject):
                yield item
            else:
                yield from self._group(rule, ((line, unpacked(cells[0])) for line, cells in item[1]))

    def _group(self, rule: Rule, rows: Iterator[tuple[int, Cells]]) -> Iterator[Item]:
        together, first = Gathered(), 0
        for line, row in rows:
            try:
                for draft in self._stated(rule, line, row):
                    yield from mending.remarks(draft.pop(NOTES), rule.kind, self.file, line)
                    together.add(draft)
                    first = first or line
            except RecordError as error:
                yield self.reject(rule, line, error)
        if first:
            try:
                yield Row(build(rule, together.draft()), self.file, first)
            except RecordError as error:
                yield self.reject(rule, first, error)

    def reject(self, rule: Rule, line: int, error: RecordError) -> Reject:
        return Reject(self.file, line, f"{error} ({rule.kind}, line {rule.line} of {self._mapping.name})")

    def unseen_columns(self) -> Iterator[Remark]:
        """Remark on columns that no line of JSONL has."""
        for column, (line, key) in self.form.named.items():
            if self._keys is not None and column not in self._keys:
                said = f"{key} names {column!r}, a key that no line of {self._path.name} has"
                yield Remark(str(self._mapping), line, said + did_you_mean(column, sorted(self._keys)))
