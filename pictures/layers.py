"""Nodes in layers from left to right, edges around them at right angles, and captions where there is room for them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from .placed import CAPTION_HEIGHT, CAPTION_SIZE, Route, caption_lines, caption_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .graph import Picture
    from .placed import Box, Point

    Area = tuple[float, float, float, float]

_OPTIONS: Final[dict[str, Any]] = {
    "direction": "leftright",
    "routing": {"style": "orthogonal", "port_sides": "facing_only"},
    "labels": {"reservation": "never"},
}
_NODE_GAP: Final = 34.0
_LOOP: Final = 20.0
_CLEAR: Final = 5.0


def place(picture: Picture, boxes: Sequence[Box]) -> tuple[list[Box], list[Route]]:
    """Place nodes in layers, so that edges lead to the right as far as they can, but those that point back.

    Args:
        picture: A picture.
        boxes: Its nodes, measured.

    Returns:
        The nodes, placed, and the ways of the edges.
    """
    import graphlay

    graph = graphlay.Graph()
    for number, box in enumerate(boxes):
        graph.node(number, width=box.width, height=box.height)
    numbers = {box.node.id: number for number, box in enumerate(boxes)}
    captions = [caption_lines(edge) for edge in picture.edges]
    for edge, lines in zip(picture.edges, captions, strict=True):
        size = {"width": caption_width(lines) + 2 * _CLEAR, "height": CAPTION_HEIGHT * len(lines)}
        fields: dict[str, Any] = {"label_size": size} if lines else {}
        left, right = (edge.target, edge.source) if edge.back else (edge.source, edge.target)
        graph.edge(numbers[left], numbers[right], **fields)
    between = max([caption_width(lines) for lines in captions], default=0.0) + 40
    spacing = {"layer_gap": between, "node_gap": _NODE_GAP, "isolated_gap": _NODE_GAP, "port_gap": 18.0}
    drawing = graphlay.layout(graph, options=_OPTIONS | {"spacing": spacing, "self_loops": {"size": _LOOP}})
    placed = [box.at(*_point(node["center"])) for box, node in zip(boxes, drawing.nodes, strict=True)]
    routes = [
        Route(
            edge,
            tuple(_point(point) for point in way["points"])[:: -1 if edge.back else 1],
            False,
            _point(way["label_anchor"] or way["points"][0]),
            lines,
        )
        for edge, way, lines in zip(picture.edges, drawing.edges, captions, strict=True)
    ]
    return placed, _captioned(placed, routes)


def _point(point: Mapping[str, float]) -> Point:
    return round(point["x"], 1), round(point["y"], 1)


def _captioned(boxes: Sequence[Box], routes: Sequence[Route]) -> list[Route]:
    """Put each caption on or beside its own way, where it covers neither nodes nor other captions nor other ways."""
    taken = [(box.left, box.top, box.right, box.bottom) for box in boxes]
    routed: dict[int, Route] = {}
    for route in sorted(routes, key=lambda r: (r.edge.source != r.edge.target, len(r.points))):
        lines = [area for other in routes for area in _lines(other) if other is not route or area[0] + 2 == area[2]]
        places = [*_places(route), route.anchor]
        areas = [_caption_area(place, route) for place in places]
        spoiled = [sum(10 * _overlap(a, b) for b in taken) + sum(_overlap(a, b) for b in lines) for a in areas]
        best = spoiled.index(min(spoiled))
        taken.append(areas[best])
        routed[id(route)] = replace(route, anchor=places[best])
    return [routed[id(route)] for route in routes]


def _places(route: Route) -> Iterator[Point]:
    """Give places for a caption: across level parts of its way, the longest first, then beside steep ones."""
    wide, high = caption_width(route.lines), _high(route)
    parts = sorted(pairwise(route.points), key=lambda p: -_length(*p))
    if route.edge.source == route.edge.target:
        return
    beside = high / 2 + 2.5
    for aside in (0.0,) if len(route.lines) > 1 else (-beside, beside):
        for (ax, ay), (bx, by) in parts:
            if ay == by and abs(bx - ax) >= wide + 2 * _CLEAR:
                for share in (0.5, 0.35, 0.65):
                    yield ax + (bx - ax) * share, ay + aside
    for (ax, ay), (bx, by) in parts:
        if ax == bx and abs(by - ay) >= high + 2 * _CLEAR:
            for side in (1, -1):
                yield ax + side * (wide / 2 + 2 * _CLEAR), (ay + by) / 2


def _length(a: Point, b: Point) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _lines(route: Route) -> Iterator[Area]:
    """Give the areas that a way covers."""
    for (ax, ay), (bx, by) in pairwise(route.points):
        yield min(ax, bx) - 1, min(ay, by) - 1, max(ax, bx) + 1, max(ay, by) + 1


def _caption_area(anchor: Point, route: Route) -> Area:
    wide, high = caption_width(route.lines) / 2 + _CLEAR, _high(route) / 2
    return anchor[0] - wide, anchor[1] - high, anchor[0] + wide, anchor[1] + high


def _high(route: Route) -> float:
    return CAPTION_SIZE + 2 + CAPTION_HEIGHT * (len(route.lines) - 1)


def _overlap(a: Area, b: Area) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
