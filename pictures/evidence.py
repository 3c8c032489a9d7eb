"""What an answer rests on, as a picture: the sections it quotes, their documents, and what these are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .graph import Edge, Node, Picture

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def picture_of(rows: Mapping[int, Mapping[str, Any]], link: Callable[[str, str], str] | None = None) -> Picture:
    """Draw what an answer rests on.

    Args:
        rows: The number of each of the answer's sources, and its row of the query `answer_graph`.
        link: Gives a node's address from its label and id, or an empty text; without it nothing is a link.

    Returns:
        Entities, documents and sections, the latter with their numbers.
    """
    nodes: dict[str, Node] = {}
    edges: dict[Edge, None] = {}

    def add(label: str, name: str, caption: str, note: str) -> str:
        key = f"{label} {name}"
        nodes.setdefault(key, Node(key, label, caption, note, href=link(label, name) if link else ""))
        return key

    for number, row in sorted(rows.items()):
        document = add("Document", row["document"], row["title"], f"Document · {row['source']}")
        kind = row["type"] or row["question"] or row["section"]
        section = add("Section", row["section"], f"[{number}] {kind}", "Section")
        edges.setdefault(Edge(document, section, "HAS_SECTION"))
        for entity in row["about"]:
            about = add(entity["label"], entity["id"], entity["name"], entity["label"])
            edges.setdefault(Edge(document, about, "ABOUT"))
    return Picture("What this answer rests on", tuple(nodes.values()), tuple(edges))
