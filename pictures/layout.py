"""Lays out nodes and edges around a picture's centre or in layers; the same picture always gets the same layout."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import ceil, inf
from typing import TYPE_CHECKING, Any, Final

from .graph import CAPTION_HEIGHT, CAPTION_SIZE, PAD, RING, Layout, Route, caption_lines, caption_width, measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .graph import Box, Edge, Picture, Point

    Area = tuple[float, float, float, float]


_GAP: Final = 12.0
_BEND: Final = 64.0
_LOOP: Final = 26.0
_SPREAD: Final = 15.0
_HEAD: Final = 9.0
_CORNER: Final = 8.0


def place(picture: Picture) -> Layout:
    """Place a picture's nodes and edges: around its centre where it has one, in layers otherwise."""
    boxes = [measured(node) for node in picture.nodes]
    if not boxes:
        return Layout((), (), (0.0, 0.0), (0.0, 0.0))
    placed, routes = (_around if picture.centre else _in_layers)(picture, boxes)
    return Layout(tuple(placed), tuple(routes), *_extent(placed, routes))


def _extent(boxes: Sequence[Box], routes: Sequence[Route]) -> tuple[Point, Point]:
    xs = [side for box in boxes for side in (box.left, box.right)]
    ys = [side for box in boxes for side in (box.top, box.bottom)]
    for route in routes:
        half = caption_width(route.lines) / 2
        high = CAPTION_HEIGHT * len(route.lines) / 2
        xs += [x for x, _ in route.points] + [route.anchor[0] - half, route.anchor[0] + half]
        ys += [y for _, y in route.points] + [route.anchor[1] - high, route.anchor[1] + high]
    return (min(xs), min(ys)), (max(xs) - min(xs), max(ys) - min(ys))


def _around(picture: Picture, boxes: Sequence[Box]) -> tuple[list[Box], list[Route]]:
    """Place nodes in columns on both sides, each beside the one that joins it to the centre, and give edges' ways."""
    placed = _columns_of(picture, _roomy(picture, boxes))
    return placed, _curves(picture, [_ringed(box, picture.centre) for box in placed])


def _pairs(picture: Picture) -> dict[frozenset[str], tuple[int, float]]:
    """Give how many edges are between two nodes, and how far apart: of two lines of a caption, one is on each side."""
    found: dict[frozenset[str], tuple[int, float]] = {}
    for edge in picture.edges:
        pair = frozenset((edge.source, edge.target))
        count, apart = found.get(pair, (0, _SPREAD))
        found[pair] = count + 1, max(apart, 2 * CAPTION_HEIGHT + 4 if len(caption_lines(edge)) > 1 else 0.0)
    return found


def _roomy(picture: Picture, boxes: Sequence[Box]) -> list[Box]:
    """Make boxes high enough for all edges that lead to them from one other; at the centre these come together."""
    least: dict[str, float] = {}
    for pair, (count, apart) in _pairs(picture).items():
        for name in pair - {picture.centre}:
            least[name] = max(least.get(name, 0.0), count * apart)
    return [replace(box, height=max(box.height, least.get(box.node.id, 0.0))) for box in boxes]


def _columns_of(picture: Picture, boxes: Sequence[Box]) -> list[Box]:
    by_id = {box.node.id: box for box in boxes}
    children = _tree(picture)
    places: dict[str, Point] = {picture.centre: (0.0, 0.0)}
    for before in (True, False):
        tops = [name for name in children[picture.centre] if by_id[name].node.before is before]
        rows: dict[str, float] = {}
        high = 0.0
        for name in tops:
            high = _stack(name, high, by_id, children, rows)
        columns = _columns(picture, by_id, children, tops)
        for name, y in rows.items():
            places[name] = (-columns[name] if before else columns[name], y - (high - _GAP) / 2)
    return [box.at(*places[box.node.id]) for box in boxes]


def _tree(picture: Picture) -> dict[str, list[str]]:
    order = {node.id: i for i, node in enumerate(picture.nodes)}
    near: dict[str, set[str]] = {name: set() for name in order}
    for edge in picture.edges:
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    children: dict[str, list[str]] = {name: [] for name in order}
    seen, queue = {picture.centre}, [picture.centre]
    for name in queue:
        for other in sorted(near[name] - seen, key=order.__getitem__):
            seen.add(other)
            queue.append(other)
            children[name].append(other)
    children[picture.centre] += [name for name in order if name not in seen]
    children[picture.centre].sort(key=order.__getitem__)
    return children


def _stack(
    name: str, top: float, by_id: dict[str, Box], children: dict[str, list[str]], rows: dict[str, float]
) -> float:
    """Put a node in the middle of those behind it, and these below each other; gives where the next may begin."""
    own = by_id[name].height + _GAP
    end = top
    for child in children[name]:
        end = _stack(child, end, by_id, children, rows)
    spare = own - (end - top)
    if spare > 0 and children[name]:
        _shift(children[name], spare / 2, children, rows)
    end = max(end, top + own)
    rows[name] = (top + end - _GAP) / 2
    return end


def _shift(names: Iterable[str], by: float, children: dict[str, list[str]], rows: dict[str, float]) -> None:
    for name in names:
        rows[name] += by
        _shift(children[name], by, children, rows)


def _columns(
    picture: Picture, by_id: dict[str, Box], children: dict[str, list[str]], tops: Sequence[str]
) -> dict[str, float]:
    places: dict[str, float] = {}
    names, edge = list(tops), by_id[picture.centre].width / 2
    while names:
        here = set(names)
        gap = max((caption_width(caption_lines(e)) for e in picture.edges if {e.source, e.target} & here), default=0.0)
        widest = max(by_id[name].width for name in names)
        edge += _BEND + gap + 2 * PAD + _HEAD
        places |= {name: edge + by_id[name].width / 2 for name in names}
        edge += widest
        names = [child for name in names for child in children[name]]
    return places


def _ringed(box: Box, centre: str) -> Box:
    """Let edges end at the line around the centre."""
    return (
        replace(box, width=box.width + 2 * RING + 2, height=box.height + 2 * RING + 2) if box.node.id == centre else box
    )


def _curves(picture: Picture, boxes: Sequence[Box]) -> list[Route]:
    by_id = {box.node.id: box for box in boxes}
    pairs = _pairs(picture)
    room: dict[float, float] = {}
    for edge in picture.edges:
        column = _column(by_id[edge.source], by_id[edge.target])
        room[column] = max(room.get(column, 0.0), caption_width(caption_lines(edge)))
    seen: Counter[frozenset[str]] = Counter()
    routes = []
    for edge in picture.edges:
        pair = frozenset((edge.source, edge.target))
        count, apart = pairs[pair]
        aside = (seen[pair] - (count - 1) / 2) * apart
        ends = by_id[edge.source], by_id[edge.target]
        routes.append(_curve(edge, *ends, seen[pair], aside, room[_column(*ends)]))
        seen[pair] += 1
    return routes


def _column(start: Box, end: Box) -> float:
    """Give the side of a column at which edges between two boxes end: none bends where the others have captions."""
    outer = end if abs(end.x) >= abs(start.x) else start
    return round(outer.left if outer.x > 0 else outer.right, 3)


def _curve(edge: Edge, start: Box, end: Box, number: int, aside: float, room: float) -> Route:
    lines = caption_lines(edge)
    if start is end:
        return _loop(edge, start, number, lines)
    outward = abs(end.x) >= abs(start.x)
    inner, outer = (start, end) if outward else (end, start)
    if min(inner.right, outer.right) > max(inner.left, outer.left):
        return _bulge(edge, start, end, number, lines)
    way = 1 if outer.x > inner.x else -1
    most = inner.height / 2 - _CORNER
    near = (inner.right if way > 0 else inner.left, inner.y + min(max(aside, -most), most))
    far = (outer.left if way > 0 else outer.right, outer.y + aside)
    run = room + PAD + 2 * _HEAD
    bend = (far[0] - way * run, far[1])
    half = (bend[0] - near[0]) / 2
    points: tuple[Point, ...] = (near, (near[0] + half, near[1]), (bend[0] - half, bend[1]), bend, bend, far, far)
    above = CAPTION_SIZE * 0.85 if len(lines) < 2 else 0.0
    anchor = (far[0] - way * (run / 2), far[1] - above)
    if outward:
        return Route(edge, points, True, anchor, lines)
    return Route(edge, points[::-1], True, anchor, lines, (far, bend))  # at the centre, heads of many edges are one


def _bulge(edge: Edge, start: Box, end: Box, number: int, lines: tuple[str, ...]) -> Route:
    way = 1 if start.x >= 0 else -1
    first, last = ((b.right if way > 0 else b.left, b.y) for b in (start, end))
    out = max(way * first[0], way * last[0]) + 34 + 18 * number
    points = (first, (way * out, first[1]), (way * out, last[1]), last)
    anchor = (way * (out - 6 + caption_width(lines) / 2), (first[1] + last[1]) / 2)
    return Route(edge, points, True, anchor, lines)


def _loop(edge: Edge, box: Box, number: int, lines: tuple[str, ...]) -> Route:
    high = _LOOP + _SPREAD * number
    first, last = (box.x - 16, box.top), (box.x + 16, box.top)
    points = (first, (first[0] - 6, box.top - high * 1.3), (last[0] + 6, box.top - high * 1.3), last)
    return Route(edge, points, True, (box.x, box.top - high - 4), lines)


_OPTIONS: Final[dict[str, Any]] = {
    "direction": "leftright",
    "routing": {"style": "orthogonal", "port_sides": "facing_only"},
    "labels": {"reservation": "never"},
}
_NODE_GAP: Final = 34.0
_SELF_LOOP: Final = 20.0
_CLEAR: Final = 5.0
_LANE: Final = 11.0
_STUB: Final = 20.0  # how far the first lane of ways is from the nodes; the head of an arrow has its room between
_SHARES: Final = (0.5, 0.35, 0.65)
# Where captions stand along a way: in the middle, or where two lead to and fro, one behind the other.
_SHARES_OF_TWO: Final = (0.27, 0.73, 0.5)


def _in_layers(picture: Picture, boxes: Sequence[Box]) -> tuple[list[Box], list[Route]]:
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
    drawing = graphlay.layout(graph, options=_OPTIONS | {"spacing": spacing, "self_loops": {"size": _SELF_LOOP}})
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
    for (ax, ay), (bx, by) in pairwise(route.points):
        yield min(ax, bx) - 1, min(ay, by) - 1, max(ax, bx) + 1, max(ay, by) + 1


def _caption_area(anchor: Point, route: Route) -> Area:
    wide, high = caption_width(route.lines) / 2 + _CLEAR, _high(route) / 2
    return anchor[0] - wide, anchor[1] - high, anchor[0] + wide, anchor[1] + high


def _high(route: Route) -> float:
    return CAPTION_SIZE + 2 + CAPTION_HEIGHT * (len(route.lines) - 1)


def _overlap(a: Area, b: Area) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
