"""Data model of a picture: nodes and edges with their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

T = TypeVar("T")
Link = Callable[[str, str], str]  # gives a node's address from its label and id, or an empty text

MORE = "More"  # the label of a node that stands for what is left out
# How an arrow is drawn, a dotted one without a head; what that means, a picture's legend says.
Line = Literal["solid", "dashed", "bold", "dotted"]


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of what a node stands for, drawn inside it.

    Attributes:
        note: What is written at its right, such as a count.
        href: Where it leads, as that of a node; not in a node that leads somewhere itself.
    """

    label: str
    caption: str
    note: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A box.

    Attributes:
        note: A second, smaller line.
        title: The full text, shown when one points at it; the caption by default.
        href: Where it leads; only addresses of the web and paths of the same site become links.
        before: In a picture with a centre: drawn on its left.
        parts: Kinds of it, drawn inside it.
    """

    id: str
    label: str
    caption: str
    note: str = ""
    title: str = ""
    href: str = ""
    before: bool = False
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow.

    Attributes:
        note: A second, smaller text, such as a count.
        back: In layers: whether it points to the left, as its target stands before its source.
    """

    source: str
    target: str
    caption: str
    note: str = ""
    line: Line = "solid"
    back: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph to be drawn.

    Attributes:
        nodes: Its nodes; their order is kept where there is a choice.
        centre: The id of the node that the others stand around; without one, nodes are put in layers.
        remarks: What to say beneath it, such as what was left out.
        legend: Ways to draw an arrow, each with what it means.

    Raises:
        ValueError: Two nodes share an id, or an edge or the centre names a node that is not there.
    """

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()
    centre: str = ""
    remarks: tuple[str, ...] = ()
    legend: tuple[tuple[Line, str], ...] = ()

    def __post_init__(self) -> None:
        ids = {node.id for node in self.nodes}
        if len(ids) != len(self.nodes):
            raise ValueError("two nodes of a picture share an id")
        ends = {end for edge in self.edges for end in (edge.source, edge.target)}
        if missing := (ends | ({self.centre} - {""})) - ids:
            raise ValueError(f"the picture has no node {min(missing)!r}")


def in_turns(rows: Sequence[T], kind: Callable[[T], Hashable]) -> list[int]:
    """Put places of rows in an order in which each kind has its turn, so that a frequent one hides no others."""
    seen: Counter[Hashable] = Counter()
    turns = []
    for place, row in enumerate(rows):
        turns.append((seen[kind(row)], place))
        seen[kind(row)] += 1
    return [place for _, place in sorted(turns)]
