"""Data model of a picture: nodes and edges with their labels, and with their places and sizes, in pixels at scale 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from . import captions

T = TypeVar("T")
Link = Callable[[str, str], str]  # gives a node's address from its label and id, or an empty text
Point = tuple[float, float]

MORE = "More"  # the label of a node that stands for what is left out
# How an arrow is drawn, a dotted one without a head; what that means, a picture's legend says.
Line = Literal["solid", "dashed", "bold", "dotted"]

NAME_SIZE: Final = 13.0
NOTE_SIZE: Final = 11.0
CAPTION_SIZE: Final = 10.5
CAPTION_HEIGHT: Final = 16.0  # from one line of a caption to the next; a way between them touches neither
LINE_HEIGHT: Final = 17.0
PART_HEIGHT: Final = 24.0
PART_GAP: Final = 3.0
MOST_ROWS: Final = 10  # how many kinds of a node stand below each other, before there is another column
PAD: Final = 12.0
MOST_TEXT: Final = 190.0
MOST_NOTE: Final = 250.0
RING: Final = 4.0  # how far the line around the centre is from it
NAMELESS: Final = "(no name)"

_LEAST_WIDTH: Final = 84.0
_LEAST_HEIGHT: Final = 42.0


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of what a node stands for, drawn inside it."""

    label: str
    caption: str
    note: str = ""  # what is written at its right, such as a count
    href: str = ""  # where it leads, as that of a node; not in a node that leads somewhere itself


@dataclass(frozen=True, slots=True)
class Node:
    """A box."""

    id: str
    label: str
    caption: str
    note: str = ""  # a second, smaller line
    title: str = ""  # the full text, shown when one points at it; the caption by default
    href: str = ""  # where it leads; only addresses of the web and paths of the same site become links
    before: bool = False  # in a picture with a centre: drawn on its left
    parts: tuple[Part, ...] = ()  # kinds of it, drawn inside it


@dataclass(frozen=True, slots=True)
class Edge:
    """An arrow."""

    source: str
    target: str
    caption: str
    note: str = ""  # a second, smaller text, such as a count
    line: Line = "solid"
    back: bool = False  # in layers: whether it points to the left, as its target stands before its source


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph to be drawn.

    Raises:
        ValueError: Two nodes share an id, or an edge or the centre names a node that is not there.
    """

    title: str
    nodes: tuple[Node, ...]  # its nodes; their order is kept where there is a choice
    edges: tuple[Edge, ...] = ()
    centre: str = ""  # the id of the node that the others stand around; without one, nodes are put in layers
    remarks: tuple[str, ...] = ()  # what to say beneath it, such as what was left out
    legend: tuple[tuple[Line, str], ...] = ()  # ways to draw an arrow, each with what it means

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


@dataclass(frozen=True, slots=True)
class Box:
    """A node with its place: its centre at `x` and `y`, its size, and lines of its caption and its shortened note."""

    node: Node
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]
    note: str

    def at(self, x: float, y: float) -> Box:
        """Place it."""
        return replace(self, x=x, y=y)

    @property
    def left(self) -> float:
        """Its left side."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Its right side."""
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        """Its upper side."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """Its lower side."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Route:
    """An edge with its way."""

    edge: Edge
    # corners of its way, or where it is curved, groups of three that steer a cubic curve after the first
    points: tuple[Point, ...]
    curved: bool  # whether the points steer curves
    anchor: Point  # the middle of its caption
    lines: tuple[str, ...]
    along: tuple[Point, ...] = ()  # two points of its way, at the second of which it has another head


@dataclass(frozen=True, slots=True)
class Layout:
    """A placed picture; its `corner` is the upper left end of all of it, its `size` width and height."""

    boxes: tuple[Box, ...]
    routes: tuple[Route, ...]
    corner: Point
    size: Point


def measured(node: Node) -> Box:
    """Find out how large a node must be for what is written on it; the box is not placed yet."""
    lines = captions.wrap(captions.clean(node.caption) or NAMELESS, MOST_TEXT, NAME_SIZE)
    note = captions.shorten(node.note, MOST_NOTE, NOTE_SIZE)
    widths = [captions.width(line, NAME_SIZE) for line in lines] + [captions.width(note, NOTE_SIZE)]
    shown = [[captions.shorten(text, MOST_TEXT, NOTE_SIZE) for text in (p.caption, p.note)] for p in node.parts]
    bar = max([captions.width("   ".join(texts), NOTE_SIZE) + PAD for texts in shown], default=0.0)
    columns, rows = part_columns(node)
    widths.append(bar * columns + (columns - 1) * (PART_GAP + PAD))
    height = LINE_HEIGHT * (len(lines) + bool(note)) + PAD + PART_HEIGHT * rows + (6 if rows else 0)
    height = max(height, _LEAST_HEIGHT)
    return Box(node, 0, 0, max(_LEAST_WIDTH, max(widths) + 2 * PAD), height, lines, note)


def part_columns(node: Node) -> tuple[int, int]:
    """Choose in how many columns and rows the kinds of a node stand, none of them much higher than the others."""
    columns = max(1, -(-len(node.parts) // MOST_ROWS))
    return columns, -(-len(node.parts) // columns)


def caption_lines(edge: Edge) -> tuple[str, ...]:
    """Give what is written on an edge."""
    texts = (captions.shorten(text, MOST_TEXT, CAPTION_SIZE) for text in (edge.caption, edge.note))
    return tuple(text for text in texts if text)


def caption_width(lines: Iterable[str]) -> float:
    """Measure the caption of an edge."""
    return max((captions.width(line, CAPTION_SIZE) for line in lines), default=0.0)
