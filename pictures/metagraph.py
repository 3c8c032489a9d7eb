"""What the graph may hold, and what it does hold, as pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import cypher
from ..schema.vocabulary import ENTITY_LABELS, METAGRAPH, NODE_LABELS
from .graph import Edge, Node, Part, Picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..database import Database

    Row = dict[str, Any]

ENTITY = "Entity"


def counts(database: Database) -> list[Row]:
    """Count what the graph holds.

    Args:
        database: The graph.

    Returns:
        Rows of `kind` (node, category or relation), `source_label`, `relation`, `target_label` and `count`.

    Raises:
        DatabaseError: The database refused or went away.
    """
    return database.read(cypher.get("metagraph"))


def picture_of(rows: Sequence[Row]) -> Picture:
    """Draw what the graph holds.

    Args:
        rows: What `counts` gives.

    Returns:
        A node a label with its count, entities with their categories, and an edge for each relation and what it joins.
    """
    nodes = {row["source_label"]: f"{row['count']:,}" for row in rows if row["kind"] == "node"}
    parts = [
        Part(row["target_label"], row["target_label"], f"{row['count']:,}") for row in rows if row["kind"] == "category"
    ]
    edges = [
        (row["source_label"], row["relation"], row["target_label"], f"{row['count']:,}")
        for row in rows
        if row["kind"] == "relation"
    ]
    return Picture("What the graph holds", _nodes(nodes, parts), _edges(edges))


def design() -> Picture:
    """Draw what the graph may hold, as the vocabulary declares it.

    Returns:
        The same picture without counts.
    """
    parts = [Part(label, label) for label in ENTITY_LABELS]
    return Picture(
        "What the graph may hold", _nodes(dict.fromkeys(NODE_LABELS, ""), parts), _edges((*r, "") for r in METAGRAPH)
    )


def _nodes(notes: dict[str, str], parts: Iterable[Part]) -> tuple[Node, ...]:
    known = [label for label in NODE_LABELS if label in notes]
    labels = [*known, *sorted(notes.keys() - set(known))]
    kinds = tuple(sorted(parts, key=lambda part: part.caption))
    return tuple(
        Node(label, label, label, note=notes[label], parts=kinds if label == ENTITY else ()) for label in labels
    )


def _edges(relations: Iterable[tuple[str, str, str, str]]) -> tuple[Edge, ...]:
    order = {relation: number for number, relation in enumerate(METAGRAPH)}
    ordered = sorted(relations, key=lambda r: (order.get(r[:3], len(order)), r))
    return tuple(Edge(source, target, relation, note) for source, relation, target, note in ordered)
