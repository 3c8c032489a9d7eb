"""Merges a file's scattered statements on one entity or relation into one record; memory stays flat.

The file is read twice: first only ids, of which eight bytes a line are kept, to know which come again; then what comes
once goes through as it comes, and the rest is brought together on the disk and follows at the end.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema.exchange import statements
from ...schema.exchange.flat import sorted_properties
from ...schema.records import RELATION_KEY, Entity, Relation
from ..base import Reject, Remark, Row
from ..files.on_disk import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...schema.records import Value
    from ..base import Item
    from ..files.on_disk import Part

_LISTS: Final = [field.name for field in fields(Entity) if field.default == () and field.name != "properties"]
_SHOWN: Final = 60
"""Characters of a value in a remark."""


def united(names: Iterable[Sequence[str]], items: Iterator[Item]) -> Iterator[Item]:
    """Bring together what one source says of one entity, or one relation.

    Args:
        names: The ids of each thing that is read: that of an entity, or those of the ends of a relation.
        items: What is read; its rows are entities, or relations, and such as announce sources.

    Yields:
        The items, with one row for each entity and relation: in its place where its ids come once, at the end
        otherwise; and remarks on what such a row cannot hold.
    """
    repeated = _repeated(names)
    for group in grouped(_apart(items, repeated)) if repeated else items:
        if isinstance(group, tuple):
            yield from _whole([_row(part) for part in group[1]])
        else:
            yield group


def _repeated(names: Iterable[Sequence[str]]) -> frozenset[int]:
    """Give the hashes of what comes more than once."""
    import numpy as np

    hashes = array("q", map(_hash, names))
    found, counts = np.unique(np.frombuffer(hashes, np.int64), return_counts=True)
    return frozenset(found[counts > 1].tolist())


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
            yield f"{item.source}\t{key}", item.line, (item.file, item.source, _text(record))
        else:
            yield item


def _hash(names: Sequence[str]) -> int:
    """Hash the ids of a thing in any order, for a reader may turn a relation round."""
    said = "\t".join(sorted(names)).encode()
    return int.from_bytes(hashlib.blake2b(said, digest_size=8).digest(), "big", signed=True)


def _text(record: Any) -> str:
    return json.dumps([type(record) is Entity, {f.name: getattr(record, f.name) for f in fields(record)}])


def _row(part: Part) -> Row:
    line, (file, source, text) = part
    is_entity, said = json.loads(text)
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in said.items()}
    values["properties"] = tuple((n, tuple(v) if isinstance(v, list) else v) for n, v in values["properties"])
    return Row((Entity if is_entity else Relation)(**values), file, line, source)


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
    values: dict[str, Any] = {
        name: tuple(dict.fromkeys((*getattr(first, name), *getattr(other, name)))) for name in _LISTS
    }
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
