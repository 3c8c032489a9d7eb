"""What a load changes or takes out is kept as it was until the source's next load, so that it can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...graph import catalogue
from ...schema import rows as as_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...graph.database import Run
    from ...schema.records import Document, Entity, Relation


def stored(
    run: Run, kind: str, keys: Sequence[dict[str, Any]]
) -> list[tuple[dict[str, Any], Entity | Relation | Document]]:
    """Read records back as their sources stated them.

    Args:
        run: Runs statements.
        kind: `Entity`, `Relation` or `Document`.
        keys: What `key_row` gives for each.

    Returns:
        Pairs of what is stored beside a record (`source`, `hash`, `load`) and the record, for those that are there.
    """
    if kind == "Entity":
        return [(row, as_rows.entity_from(row)) for row in run(catalogue.get("stored_entities"), rows=list(keys))]
    if kind == "Relation":
        return [(row, as_rows.relation_from(row)) for row in run(catalogue.get("stored_relations"), rows=list(keys))]
    ids = [key["id"] for key in keys]
    return [(row, as_rows.document_from(row)) for row in run(catalogue.get("stored_documents"), ids=ids)]


def keep(run: Run, load: int, kind: str, keys: Sequence[dict[str, Any]]) -> None:
    """Keep records as they are, in the transaction that changes or removes them.

    Args:
        run: Runs statements.
        load: The id of the load that changes them.
        kind: `Entity`, `Relation` or `Document`.
        keys: What `key_row` gives for each.
    """
    rows = [
        {
            "kind": kind,
            "key": as_rows.name_of(record),
            "record": as_rows.to_json(record),
            "source": row["source"],
            "hash": row["hash"],
            "load": row["load"],
        }
        for row, record in stored(run, kind, keys)
    ]
    if rows:
        run(catalogue.get("write_formers"), rows=rows, load=load)
