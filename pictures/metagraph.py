"""Draws the graph's schema as the vocabulary declares it, and the graph's contents by kind."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ..schema.vocabulary import ENTITY_LABELS, METAGRAPH, NODE_LABELS
from .graph import Edge, Node, Part, Picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..graph.database import Row

    Joined = tuple[str, str, str]

ENTITY = "Entity"


def picture_of(rows: Sequence[Row]) -> Picture:
    """Draw what the graph holds, as rows of the query `metagraph` count it.

    A node a label with its count, entities with their categories, and an edge for each relation and what it joins.
    """
    nodes = {row["source_label"]: f"{row['count']:,}" for row in rows if row["kind"] == "node"}
    parts = [
        Part(row["target_label"], row["target_label"], f"{row['count']:,}") for row in rows if row["kind"] == "category"
    ]
    relations = {
        (row["source_label"], row["relation"], row["target_label"]): row["count"]
        for row in rows
        if row["kind"] == "relation"
    }
    return Picture("What the graph holds", _nodes(nodes, parts), *_edges(relations))


def design() -> Picture:
    """Draw what the graph may hold, as the vocabulary declares it: the same picture without counts."""
    parts = [Part(label, label) for label in ENTITY_LABELS]
    nodes = _nodes(dict.fromkeys(NODE_LABELS, ""), parts)
    return Picture("What the graph may hold", nodes, *_edges(dict.fromkeys(METAGRAPH, 0)))


def _nodes(notes: dict[str, str], parts: Iterable[Part]) -> tuple[Node, ...]:
    known = [label for label in NODE_LABELS if label in notes]
    labels = [*known, *sorted(notes.keys() - set(known))]
    order = {label: number for number, label in enumerate(ENTITY_LABELS)}
    kinds = tuple(sorted(parts, key=lambda part: (order.get(part.label, len(order)), part.caption)))
    return tuple(
        Node(label, label, label, note=notes[label], parts=kinds if label == ENTITY else ()) for label in labels
    )


def _edges(relations: Mapping[Joined, int]) -> tuple[tuple[Edge, ...], str, tuple[str, ...]]:
    """Give the edges, no centre, and the lines that list what one edge stands for: many loops cannot be read."""
    order = {relation: number for number, relation in enumerate(METAGRAPH)}
    between: dict[tuple[str, str], list[Joined]] = defaultdict(list)
    for joined in sorted(relations, key=lambda joined: (order.get(joined, len(order)), joined)):
        between[joined[0], joined[2]].append(joined)
    edges: list[Edge] = []
    remarks: list[str] = []
    for (source, target), joining in between.items():
        caption = joining[0][1] if len(joining) == 1 else f"{len(joining)} relations, see below"
        edges.append(Edge(source, target, caption, _number(sum(relations[joined] for joined in joining))))
        if len(joining) > 1:
            remarks.append(f"{source} to {target}: {_listed(joining, relations)}")
    return tuple(edges), "", tuple(remarks)


def _listed(joining: Sequence[Joined], relations: Mapping[Joined, int]) -> str:
    """List relations, the most frequent first; no line will end between one and its count."""
    ordered = sorted(joining, key=lambda joined: -relations[joined])
    return " · ".join(f"{joined[1]}\u00a0{_number(relations[joined])}".rstrip() for joined in ordered)


def _number(count: int) -> str:
    return f"{count:,}" if count else ""
