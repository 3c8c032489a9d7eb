"""Nodes in layers from left to right, edges around them at right angles, and captions where there is room for them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import ceil, inf
from typing import TYPE_CHECKING, Any, Final

from .graph import CAPTION_HEIGHT, CAPTION_SIZE, Route, caption_lines, caption_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .graph import Box, Edge, Picture, Point

    Area = tuple[float, float, float, float]

_OPTIONS: Final[dict[str, Any]] = {
    "direction": "leftright",
    "routing": {"style": "orthogonal", "port_sides": "facing_only"},
    "labels": {"reservation": "never"},
}
_NODE_GAP: Final = 34.0
_LOOP: Final = 20.0
_CLEAR: Final = 5.0
_LANE: Final = 11.0
_STUB: Final = 20.0  # how far the first lane of ways is from the nodes; the head of an arrow has its room between
_SHARES: Final = (0.5, 0.35, 0.65)
# Where captions stand along a way: in the middle, or where two lead to and fro, one behind the other.
_SHARES_OF_TWO: Final = (0.27, 0.73, 0.5)


def place(picture: Picture, boxes: Sequence[Box]) -> tuple[list[Box], list[Route]]:
    """Place nodes in layers, so that edges lead to the right as far as they can, but those that point back."""
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
    placed, routes = _in_lanes(placed, routes)
    return placed, _captioned(placed, routes)


def _sides(edge: Edge) -> tuple[tuple[str, bool], tuple[str, bool]]:
    """Give between which sides of nodes an edge runs: the right one of its left end, and the left one of its right."""
    return (edge.source, not edge.back), (edge.target, edge.back)


def _point(point: Mapping[str, float]) -> Point:
    return round(point["x"], 1), round(point["y"], 1)


def _in_lanes(boxes: Sequence[Box], routes: Sequence[Route]) -> tuple[list[Box], list[Route]]:
    """Move the steep parts of ways between two layers close together, on the side of the node that most meet at.

    Their order stays, so that no two cross that did not; on the other side the ways run level, with room for captions.
    The layers stand no farther apart than that needs.
    """
    ends = {box.node.id: box for box in boxes}
    steep = sorted({ax for route in routes for (ax, ay), (bx, by) in pairwise(route.points) if ax == bx and ay != by})
    moved: dict[float, float] = {}
    shifts: list[tuple[float, float]] = [(-inf, 0.0)]
    gaps = _gaps(boxes)
    for place, (left, right) in enumerate(gaps):
        outer = gaps[place - 1][1] if place else -inf, gaps[place + 1][0] if place + 1 < len(gaps) else inf
        shift = shifts[-1][1]
        lanes = [x for x in steep if left < x < right]
        sides = Counter(s for route in routes if any(x in lanes for x, _ in route.points) for s in _sides(route.edge))
        most = [max((n for (_, out), n in sides.items() if out is way), default=0) for way in (True, False)]
        written: Counter[frozenset[str]] = Counter()
        for route in routes:
            near, far = sorted((ends[route.edge.source], ends[route.edge.target]), key=lambda box: box.x)
            if outer[0] <= near.left and near.right <= left and right <= far.left and far.right <= outer[1]:
                written[_pair(route)] += ceil(caption_width(route.lines) + 4 * _CLEAR)
        room = 2 * _STUB + _LANE * len(lanes) + max(written.values(), default=0)
        first = left + shift + (_STUB if most[0] >= most[1] else room - _STUB - _LANE * (len(lanes) - 1))
        moved |= {x: round(first + _LANE * number, 1) for number, x in enumerate(lanes)}
        shifts.append(((left + right) / 2, left + shift + room - right))

    def at(x: float) -> float:
        return moved[x] if x in moved else round(x + next(by for start, by in reversed(shifts) if x >= start), 1)

    placed = [box.at(at(box.x), box.y) for box in boxes]
    ways = []
    for route in routes:
        start, (x, y) = route.points[0][0], route.anchor
        points = tuple((at(px), py) for px, py in route.points)
        ways.append(replace(route, points=points, anchor=(round(x + at(start) - start, 1), y)))
    return placed, ways


def _gaps(boxes: Sequence[Box]) -> list[tuple[float, float]]:
    """Give from where to where there is no node of any layer."""
    gaps, end = [], None
    for box in sorted(boxes, key=lambda box: box.left):
        if end is not None and box.left > end:
            gaps.append((end, box.left))
        end = box.right if end is None else max(end, box.right)
    return gaps


def _captioned(boxes: Sequence[Box], routes: Sequence[Route]) -> list[Route]:
    """Put each caption on or beside its own way, where it covers neither nodes nor other captions nor other ways."""
    taken = [(box.left, box.top, box.right, box.bottom) for box in boxes]
    routed: dict[int, Route] = {}
    pairs = Counter(map(_pair, routes))
    for route in sorted(routes, key=lambda r: (r.edge.source != r.edge.target, len(r.points))):
        lines = [area for other in routes for area in _lines(other) if other is not route or area[0] + 2 == area[2]]
        places = list(_places(route, _SHARES if pairs[_pair(route)] == 1 else _SHARES_OF_TWO)) or [route.anchor]
        areas = [_caption_area(place, route) for place in places]
        spoiled = [sum(10 * _overlap(a, b) for b in taken) + sum(_overlap(a, b) for b in lines) for a in areas]
        best = spoiled.index(min(spoiled))
        taken.append(areas[best])
        routed[id(route)] = replace(route, anchor=places[best])
    return [routed[id(route)] for route in routes]


def _pair(route: Route) -> frozenset[str]:
    return frozenset((route.edge.source, route.edge.target))


def _places(route: Route, shares: Sequence[float]) -> Iterator[Point]:
    """Give places for a caption: across level parts of its way, the longest first, then beside steep ones."""
    wide, high = caption_width(route.lines), _high(route)
    parts = sorted(
        pairwise(route.points), key=lambda part: -abs(part[0][0] - part[1][0]) - abs(part[0][1] - part[1][1])
    )
    if route.edge.source == route.edge.target:
        return
    beside = high / 2 + 2.5
    for aside in (0.0,) if len(route.lines) > 1 else (-beside, beside):
        for (ax, ay), (bx, by) in parts:
            if ay == by and abs(bx - ax) >= wide + 2 * _CLEAR:
                for share in shares:
                    yield ax + (bx - ax) * share, ay + aside
    for (ax, ay), (bx, by) in parts:
        if ax == bx and abs(by - ay) >= high + 2 * _CLEAR:
            for side in (1, -1):
                yield ax + side * (wide / 2 + 2 * _CLEAR), (ay + by) / 2


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
