"""What a load changes or takes out is kept as it was until the source's next load, so that it can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import cypher
from ..schema.records import Document, Entity, Relation, Withdrawal
from . import rows as as_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..database import Run
    from .base import Row


def keep_formers(run: Run, load: int, rows: Sequence[Row]) -> None:
    """Keep what rows are about to change or take back, in the transaction that does so.

    Args:
        run: Runs statements.
        load: The id of the load that changes it.
        rows: Rows with records of one kind, each stored in another form than it has here.
    """
    if not rows:
        return
    record = rows[0].record
    if isinstance(record, Entity):
        keep_entities(run, load, [{"id": row.record.id, "source": row.source} for row in rows])  # type: ignore[union-attr]
    elif isinstance(record, Relation):
        keep_relations(run, load, [as_rows.relation_key(row.record, row.source) for row in rows])  # type: ignore[arg-type]
    elif isinstance(record, Document | Withdrawal):
        keep_documents(run, load, [as_rows.key(row)[0] for row in rows])


def keep_entities(run: Run, load: int, keys: Sequence[Mapping[str, str]]) -> None:
    """Keep what sources state of entities.

    Args:
        run: Runs statements.
        load: The id of the load that changes it.
        keys: `id` and `source` of each.
    """
    stored = run(cypher.get("stored_entities"), rows=list(keys))
    _keep(run, load, "Entity", ((row["id"], as_rows.to_json(as_rows.entity_from(row)), row) for row in stored))


def keep_relations(run: Run, load: int, keys: Sequence[Mapping[str, str]]) -> None:
    """Keep what sources state of relations.

    Args:
        run: Runs statements.
        load: The id of the load that changes it.
        keys: `subject`, `type`, `object`, `source` and `predicate` of each.
    """
    stored = run(cypher.get("stored_relations"), rows=list(keys))
    told = (
        (f"{row['subject']} {row['type']} {row['object']}", as_rows.to_json(as_rows.relation_from(row)), row)
        for row in stored
    )
    _keep(run, load, "Relation", told)


def keep_documents(run: Run, load: int, ids: Sequence[str]) -> None:
    """Keep documents.

    Args:
        run: Runs statements.
        load: The id of the load that changes them.
        ids: Their ids.
    """
    stored = run(cypher.get("stored_documents"), ids=list(ids))
    _keep(run, load, "Document", ((row["id"], as_rows.to_json(as_rows.document_from(row)), row) for row in stored))


def _keep(run: Run, load: int, kind: str, told: Iterable[tuple[str, str, Mapping[str, Any]]]) -> None:
    rows = list(_rows(kind, told))
    if rows:
        run(cypher.get("write_formers"), rows=rows, load=load)


def _rows(kind: str, told: Iterable[tuple[str, str, Mapping[str, Any]]]) -> Iterator[dict[str, Any]]:
    for key, record, row in told:
        yield {
            "kind": kind,
            "key": key,
            "record": record,
            "source": row["source"],
            "hash": row["hash"],
            "load": row["load"],
        }
