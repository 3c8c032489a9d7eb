"""Lays out nodes and edges around a picture's centre or in layers; the same picture always gets the same layout."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from . import layers
from .graph import CAPTION_HEIGHT, CAPTION_SIZE, PAD, RING, Layout, Route, caption_lines, caption_width, measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .graph import Box, Edge, Picture, Point

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
    placed, routes = (_around if picture.centre else layers.place)(picture, boxes)
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
    """Find each node's neighbour nearest to the centre; what is joined to nothing stands beside the centre too."""
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
    """Give each node of one side its distance from the centre; between columns there is room for the captions."""
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
    """Join two nodes of one column by a bow on its outer side."""
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
