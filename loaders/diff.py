"""What a load of a file would change, element by element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import cypher
from ..schema.records import Document, Entity, Relation, SourceInfo
from . import rows as as_rows
from .base import Reject
from .comparison import Memory
from .load import judged
from .withdrawal import missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..database import Database
    from ..schema.records import Record
    from .base import Row
    from .load import Task


@dataclass(frozen=True, slots=True)
class Difference:
    """One element that a load would change.

    Attributes:
        change: `added`, `changed`, `withdrawn` or `rejected`.
        kind: `Entity`, `Relation`, `Document` or `SourceInfo`.
        element: Its id, or what a relation says.
        detail: The attributes that change, or why it is rejected.
    """

    change: str
    kind: str
    element: str
    detail: str = ""


def diff(database: Database, task: Task) -> Iterator[Difference]:
    """Compare a file with what the graph holds of its source; nothing is written.

    Args:
        database: The graph.
        task: What would be loaded, as the source's whole next release.

    Yields:
        What would be added, changed and rejected, in the file's order, then what would be withdrawn.

    Raises:
        SourceFileError: The file cannot be read.
        DatabaseError: The database refused or went away.
    """
    memory = Memory()
    for batch, outcome in judged(database, task, memory):
        yield from (Difference("added", type(row.record).__name__, _element(row)) for row in outcome.added)
        if outcome.changed:
            yield from _changed(database, outcome.changed)
        for row in outcome.withdrawn:
            yield Difference("withdrawn", "Document", _element(row))
        broken = (item for item in batch if isinstance(item, Reject))
        for reject in (*broken, *(reject for _, reject in outcome.rejects)):
            yield Difference("rejected", "", f"{reject.file}:{reject.line}", reject.reason)
    for kind, found in missing(database, task.info.id, memory):
        said = " ".join(found[name] for name in ("subject", "type", "object", "predicate", "id") if found.get(name))
        yield Difference("withdrawn", kind, said)


def _changed(database: Database, rows: list[Row]) -> Iterator[Difference]:
    before = _stored(database, rows)
    for row in rows:
        former = before.get(as_rows.key(row))
        detail = ", ".join(as_rows.differences(former, row.record)) if former is not None else ""
        yield Difference("changed", type(row.record).__name__, _element(row), detail)


def _stored(database: Database, rows: list[Row]) -> dict[tuple[str, ...], Record]:
    record = rows[0].record
    if isinstance(record, Entity):
        keys = [{"id": row.record.id, "source": row.source} for row in rows if isinstance(row.record, Entity)]
        found = database.read(cypher.get("stored_entities"), rows=keys)
        return {(row["source"], row["id"]): as_rows.entity_from(row) for row in found}
    if isinstance(record, Relation):
        keys = [as_rows.relation_key(row.record, row.source) for row in rows if isinstance(row.record, Relation)]
        found = database.read(cypher.get("stored_relations"), rows=keys)
        relations = ((row["source"], as_rows.relation_from(row)) for row in found)
        return {(source, r.subject, r.type, r.object, r.predicate): r for source, r in relations}
    if isinstance(record, Document):
        found = database.read(cypher.get("stored_documents"), ids=[as_rows.key(row)[0] for row in rows])
        return {(row["id"],): as_rows.document_from(row) for row in found}
    return {}


def _element(row: Row) -> str:
    record = row.record
    if isinstance(record, Relation):
        return " ".join(filter(None, (record.subject, record.type, record.object, record.predicate)))
    return record.id if isinstance(record, Entity | Document | SourceInfo) else record.document
