"""Paths between things as a picture: from left to right, each thing once, with who says what."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from .concept import LEGEND, line_of
from .graph import Edge, Node, Picture

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..queries.paths import Hop, PairPaths, PathEnd, PathNode

    Link = Callable[[str, str], str]


def picture_of(pairs: Sequence[PairPaths], link: Link | None = None) -> Picture:
    """Draw paths.

    Args:
        link: Gives a node's address from its label and id, or an empty text; without it nothing is a link.

    Returns:
        Every thing once, in layers from the beginnings on the left to the ends on the right; an arrow tells the
        relations and who says so, and points where they lead.
    """
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], Edge] = {}
    for pair in pairs:
        nodes |= {row.id: _node(row, link) for row in (pair.first, pair.second) if row.id not in nodes}
        for path in pair.paths:
            nodes |= {row.id: _node(row, link) for row in path.nodes if row.id not in nodes}
            for (one, other), hop in zip(itertools.pairwise(path.nodes), path.hops, strict=True):
                edge = _edge(one.id, other.id, hop)
                edges.setdefault((edge.source, edge.target), edge)
    ends = dict.fromkeys(end.name for pair in pairs for end in (pair.first, pair.second))
    drawn = {edge.line for edge in edges.values()}
    legend = tuple(row for row in LEGEND if row[0] in drawn)
    remarks = tuple(pair.note for pair in pairs if pair.note)
    title = f"How these go together: {', '.join(ends)}"
    return Picture(title, tuple(nodes.values()), tuple(edges.values()), remarks=remarks, legend=legend)


def _node(row: PathNode | PathEnd, link: Link | None) -> Node:
    href = link(row.label, row.entity) if link and row.entity else ""
    return Node(row.id, row.label, row.name, row.label, href=href)


def _edge(one: str, other: str, hop: Hop) -> Edge:
    source, target = (one, other) if hop.forward else (other, one)
    return Edge(source, target, ", ".join(hop.relations), ", ".join(hop.sources), line_of([hop]), back=not hop.forward)
