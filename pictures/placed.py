"""Nodes and edges with their places and sizes, in pixels at scale 1, as layouts make them and drawings read them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from . import captions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .graph import Edge, Node

    Point = tuple[float, float]

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
    """An edge with its way.

    Attributes:
        points: Corners of its way, or where it is curved, groups of three that steer a cubic curve after the first.
        curved: Whether the points steer curves.
        anchor: The middle of its caption.
        along: Two points of its way, at the second of which it has another head.
    """

    edge: Edge
    points: tuple[Point, ...]
    curved: bool
    anchor: Point
    lines: tuple[str, ...]
    along: tuple[Point, ...] = ()


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
