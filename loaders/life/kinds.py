"""What tells the record of a row from others of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...schema.records import Entity, Relation
from ...schema.rows import name_of, relation_key

if TYPE_CHECKING:
    from ..base import Row


def key(row: Row) -> tuple[str, ...]:
    """Name a row's record among those of its kind.

    Args:
        row: A row.

    Returns:
        What no two stored records have in common.
    """
    record = row.record
    if isinstance(record, Relation):
        return row.source, record.subject, record.type, record.object, record.predicate
    if isinstance(record, Entity):
        return row.source, record.id
    return (name_of(record),)


def key_row(row: Row) -> dict[str, Any]:
    """Give what tells a row's record from others of its kind, as statements take it.

    Args:
        row: A row with an entity, a relation or a document, or with word that a document is withdrawn.

    Returns:
        What `relation_key` gives for a relation, otherwise `id` and `source`.
    """
    if isinstance(row.record, Relation):
        return relation_key(row.record, row.source)
    return {"id": key(row)[-1], "source": row.source}
