"""A subgraph as a picture: what a concept goes with, and what that is a kind of, with who says so."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from .concept import LEGEND, line_of, noted
from .graph import MORE, Edge, Node, Picture

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..queries.paths import PathEnd, PathNode
    from ..queries.subgraphs import Subgraph, SubgraphRelation

    Link = Callable[[str, str], str]

MOST: Final = 40  # things that are drawn beside the centre, at most


def picture_of(subgraph: Subgraph, link: Link | None = None, *, most: int = MOST) -> Picture:
    """Draw a subgraph.

    Args:
        link: Gives a node's address from its label and id, or an empty text; without it nothing is a link.
        most: Things that are drawn beside the centre, at most.

    Returns:
        The concept in the middle, on the left what points to it, on the right what it points to, and beside that what
        it is a kind of; of each kind of relation the best, in turn. What an uncurated table alone lists is not drawn.
        An arrow tells the relations and who says so. What is left out for want of room is counted.
    """
    centre = subgraph.centre
    relations = [row for row in subgraph.relations if row.standing != "listed"]
    direct = [row for row in relations if row.hops == 1]
    beside = list(dict.fromkeys(_other(row, centre.id).id for row in _in_turns(direct)))
    drawn = {centre.id, *beside[:most]}
    nodes = {centre.id: _node(centre, link)}
    edges: dict[tuple[str, str], list[SubgraphRelation]] = {}
    for row in relations:
        if row.hops == 1 and _other(row, centre.id).id in drawn:
            other = _other(row, centre.id)
            nodes.setdefault(other.id, _node(other, link, before=other is row.head))
        elif row.hops > 1 and row.head.id in drawn:
            nodes.setdefault(row.tail.id, _node(row.tail, link, before=nodes[row.head.id].before))
        else:
            continue
        edges.setdefault((row.head.id, row.tail.id), []).append(row)
    arrows = [_edge(rows) for rows in edges.values()]
    if len(beside) > most:
        nodes[MORE] = Node(MORE, MORE, f"and {len(beside) - most:,} more", "relations")
        arrows.append(Edge(centre.id, MORE, ""))
    legend = tuple(row for row in LEGEND if row[0] in {arrow.line for arrow in arrows})
    title = f"{centre.name[:1].upper()}{centre.name[1:]} and what goes with it"
    remarks = (subgraph.note,) if subgraph.note else ()
    return Picture(title, tuple(nodes.values()), tuple(arrows), centre.id, remarks, legend)


def _in_turns(rows: Sequence[SubgraphRelation]) -> list[SubgraphRelation]:
    """Put relations in an order in which each kind has its turn, so that a frequent one does not hide the others."""
    seen: Counter[str] = Counter()
    turns = []
    for number, row in enumerate(rows):
        turns.append((seen[row.relation], number))
        seen[row.relation] += 1
    return [rows[number] for _, number in sorted(turns)]


def _other(row: SubgraphRelation, centre: str) -> PathNode:
    return row.tail if row.head.id == centre else row.head


def _node(row: PathNode | PathEnd, link: Link | None, *, before: bool = False) -> Node:
    href = link(row.label, row.entity) if link and row.entity else ""
    return Node(row.id, row.label, row.name, row.label, href=href, before=before)


def _edge(rows: Sequence[SubgraphRelation]) -> Edge:
    voices = [voice for row in rows for voice in row.said]
    relations = dict.fromkeys(row.relation for row in rows)
    sources = dict.fromkeys(source for voice in voices for source in voice.sources)
    line = line_of(rows)
    return Edge(rows[0].head.id, rows[0].tail.id, ", ".join(relations), noted(line, ", ".join(sources)), line)
