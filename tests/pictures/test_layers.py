"""Layers from left to right, and captions where there is room."""

import itertools

from medgraph.pictures import metagraph
from medgraph.pictures.layout import place
from medgraph.pictures.placed import CAPTION_SIZE, caption_width


def test_captions_of_the_design_cover_neither_nodes_nor_each_other():
    layout = place(metagraph.design())
    areas = [(b.left, b.top, b.right, b.bottom) for b in layout.boxes]
    for route in layout.routes:
        (x, y), half = route.anchor, caption_width(route.lines) / 2
        areas.append((x - half, y - CAPTION_SIZE / 2, x + half, y + CAPTION_SIZE / 2))
    for a, b in itertools.combinations(areas, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
