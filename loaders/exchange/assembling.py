"""Shared parts of the exchange-format loaders: whole documents, whole entities and relations, and a file's source."""

from __future__ import annotations

import hashlib
import re
from array import array
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema import prefixes
from ...schema.exchange import biolink, statements
from ...schema.exchange.flat import Flat, restore, sorted_properties
from ...schema.records import RELATION_KEY, Entity, Question, Relation, Section, SourceInfo, Value
from ...schema.rows import from_json, to_json
from ...schema.vocabulary import ENTITY_LABELS
from ..base import Item, Reject, Remark, Row
from ..files.on_disk import Part, grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def info_of(default: SourceInfo, sources: Sequence[SourceInfo], name: str) -> SourceInfo:
    """Tell which source an export is: its only one, or one called after the file under the licences of all."""
    if len(sources) == 1:
        return sources[0]
    word = re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_")[:60] or default.id
    licences = " AND ".join(sorted({source.licence for source in sources})) or default.licence
    return replace(default, id=word, title=name or default.title, licence=licences, url="")


def without_only(items: Iterator[Item], sources: Sequence[SourceInfo]) -> Iterator[Item]:
    """Take an export of one source for that source itself: its rows without its id, and nothing that announces it."""
    only = sources[0].id if len(sources) == 1 else None
    for item in items:
        if only is None or not isinstance(item, Row):
            yield item
        elif not isinstance(item.record, SourceInfo):
            yield replace(item, source="" if item.source == only else item.source)


def label_of(categories: list[str], entity_id: str) -> str:
    """Choose the label: the prefix of an id may tell a symptom from other phenotypes, which Biolink does not."""
    label, implied = biolink.label_of(categories), prefixes.label_of(entity_id)
    return implied if label is None or ENTITY_LABELS[implied] == ENTITY_LABELS[label] else label


@dataclass(slots=True)
class Assembler:
    """Takes things in the order of a file, and hands out documents."""

    file: str
    _document: Flat | None = None
    _line: int = 0
    _source: str = ""
    _sections: list[Section] = field(default_factory=list)
    _questions: list[Question] = field(default_factory=list)
    _faults: list[str] = field(default_factory=list)

    def add(self, flat: Flat, source: str, line: int) -> Iterator[Item]:
        """Take a document, section or question; yield the document before, and a reject for what belongs to none."""
        if flat.kind == "document":
            yield from self.finish()
            self._document, self._line, self._source = flat, line, source
            return
        owner = flat.values.get("document")
        if self._document is None or self._document.values.get("id") != owner:
            reason = f"belongs to the document {str(owner)[:60]!r}, which is not the one before it"
            yield Reject(self.file, line, f"the {flat.kind} {reason}; keep the order of the file")
            return
        try:
            (self._sections if flat.kind == "section" else self._questions).append(restore(flat))
        except RecordError as error:
            self._faults.append(f"line {line}: {error}")

    def finish(self) -> Iterator[Item]:
        """Yield a row with the last document, or a reject where it or a part of it cannot be stored."""
        document, self._document = self._document, None
        if document is None:
            return
        fault = self._faults[0] if self._faults else ""
        try:
            record = restore(document, self._sections, self._questions)
        except RecordError as error:
            fault = fault or str(error)
        if fault:
            yield Reject(self.file, self._line, f"the document {str(document.values.get('id', ''))[:60]!r}: {fault}")
        else:
            yield Row(record, self.file, self._line, self._source)
        self._sections, self._questions, self._faults = [], [], []


_LISTS: Final = [field.name for field in fields(Entity) if field.default == () and field.name != "properties"]
_KINDS: Final[dict[str, Any]] = {kind.__name__: kind for kind in (Entity, Relation)}
_SHOWN: Final = 60  # Characters of a value in a remark


def united(names: Iterable[Sequence[str]], items: Iterator[Item]) -> Iterator[Item]:
    """Bring together what one source says of one entity, or one relation.

    A row whose ids come once stays in its place, others come at the end; remarks tell what such a row cannot hold.
    """
    import numpy as np

    hashes = array("q", map(_hash, names))
    found, counts = np.unique(np.frombuffer(hashes, np.int64), return_counts=True)
    repeated = frozenset(found[counts > 1].tolist())
    for group in grouped(_apart(items, repeated)) if repeated else items:
        if isinstance(group, tuple):
            yield from _whole([_row(part) for part in group[1]])
        else:
            yield group


def _apart(items: Iterator[Item], repeated: frozenset[int]) -> Iterator[tuple[str, int, tuple[str, ...]] | Item]:
    for item in items:
        record = item.record if isinstance(item, Row) else None
        if isinstance(record, Entity):
            names, key = [record.id], record.id
        elif isinstance(record, Relation):
            names, key = [record.subject, record.object], "\t".join(getattr(record, name) for name in RELATION_KEY)
        else:
            names, key = [], ""
        if names and isinstance(item, Row) and _hash(names) in repeated:
            parts = (item.file, item.source, type(record).__name__, to_json(item.record))
            yield f"{item.source}\t{key}", item.line, parts
        else:
            yield item


def _hash(names: Sequence[str]) -> int:
    """Hash the ids of a thing in any order, for a reader may turn a relation round."""
    said = "\t".join(sorted(names)).encode()
    return int.from_bytes(hashlib.blake2b(said, digest_size=8).digest(), "big", signed=True)


def _row(part: Part) -> Row:
    line, (file, source, kind, text) = part
    return Row(from_json(_KINDS[kind], text), file, line, source)


def _whole(rows: Sequence[Row]) -> Iterator[Item]:
    first = rows[0]
    try:
        if isinstance(first.record, Relation):
            relations = [row.record for row in rows if isinstance(row.record, Relation)]
            yield replace(first, record=statements.together(relations))
        else:
            entity = first.record
            for row in rows[1:]:
                entity, lost = _joined(entity, row.record)
                if lost:
                    said = f"{entity.id} is there before, and otherwise: {'; '.join(lost)} cannot be kept as well"
                    yield Remark(row.file, row.line, said)
            yield replace(first, record=entity)
    except RecordError as error:
        yield Reject(first.file, first.line, str(error))


def _joined(first: Any, other: Any) -> tuple[Entity, list[str]]:
    """Give an entity that says what two say, and what it cannot hold of the second."""
    lost = []
    named = first.name != first.id or other.name == first.id
    pairs = ((name, (*getattr(first, name), *getattr(other, name))) for name in _LISTS)
    values: dict[str, Any] = {name: tuple(dict.fromkeys(items)) for name, items in pairs}
    values["name"] = first.name if named else other.name
    if named and other.name not in {first.name, first.id}:
        values["synonyms"] = tuple(dict.fromkeys((*values["synonyms"], other.name)))
    values["definition"] = first.definition or other.definition
    if other.definition not in {"", values["definition"]}:
        lost.append(f"the definition {other.definition[:_SHOWN]!r}")
    values["label"] = other.label if first.label == "Topic" else first.label
    if other.label not in {"Topic", values["label"]}:
        lost.append(f"the label {other.label}")
    properties = dict(first.properties)
    for name, value in other.properties:
        properties[name], kept = _both(properties.get(name, value), value)
        if not kept:
            lost.append(f"{name} {str(value)[:_SHOWN]!r}")
    values["properties"] = sorted_properties(properties)
    return replace(first, obsolete=first.obsolete or other.obsolete, **values), lost


def _both(first: Value, other: Value) -> tuple[Value, bool]:
    """Give two values as one, as far as they are texts; and whether that says both."""
    if first == other:
        return first, True
    if not isinstance(first, str | tuple) or not isinstance(other, str | tuple):
        return first, False
    items = [item for value in (first, other) for item in ((value,) if isinstance(value, str) else value)]
    return tuple(dict.fromkeys(items)), True
