"""Lays out a picture's nodes and edges; the same picture always gets the same layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import around, layers
from .placed import CAPTION_HEIGHT, Layout, caption_width, measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .graph import Picture
    from .placed import Box, Point, Route


def place(picture: Picture) -> Layout:
    """Place a picture's nodes and edges.

    Returns:
        Its layout: around its centre where it has one, in layers otherwise.
    """
    boxes = [measured(node) for node in picture.nodes]
    if not boxes:
        return Layout((), (), (0.0, 0.0), (0.0, 0.0))
    placed, routes = (around if picture.centre else layers).place(picture, boxes)
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
