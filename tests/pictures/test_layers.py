"""Layers from left to right, and captions where there is room."""

import itertools

import pytest

from medgraph.pictures import metagraph
from medgraph.pictures.graph import Edge, Node, Picture
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


def test_edges_lead_to_the_right_around_the_nodes_between():
    nodes = tuple(Node(name, "Entity", name.upper()) for name in "abcd")
    edges = tuple(Edge(start, end, "NEXT") for start, end in ("ab", "bc", "cd", "ad"))
    layout = place(Picture("t", nodes, edges))
    boxes = {box.node.id: box for box in layout.boxes}
    assert boxes["a"].right < boxes["b"].left < boxes["b"].right < boxes["c"].left < boxes["c"].right < boxes["d"].left
    for route in layout.routes:
        for (ax, ay), (bx, by) in itertools.pairwise(route.points):
            assert ax == bx or ay == by
            for name in {*"abcd"} - {route.edge.source, route.edge.target}:
                box = boxes[name]
                beside = max(ax, bx) <= box.left or min(ax, bx) >= box.right
                assert beside or max(ay, by) <= box.top or min(ay, by) >= box.bottom


def test_captions_stand_on_their_own_ways_where_many_meet_at_one_node():
    middle = [Node(f"m{n}", "Disease", "a rather long name of a disease" * (n % 3)) for n in range(9)]
    nodes = (Node("a", "Disease", "first"), *middle, Node("z", "Disease", "last"))
    edges = [Edge("a", node.id, "HAS_SYMPTOM", "medquad") for node in middle]
    edges += [Edge("z", node.id, "HAS_RISK_FACTOR, CAUSED_BY", "one, two", back=True) for node in middle[1:]]
    edges += [Edge(middle[0].id, "z", "CAUSES"), Edge(middle[4].id, "a", "HAS_RISK_FACTOR", "medquad", back=True)]
    layout = place(Picture("t", nodes, tuple(edges)))
    boxes = {box.node.id: box for box in layout.boxes}
    areas = []
    for route in layout.routes:
        start, end = boxes[route.edge.source], boxes[route.edge.target]
        ends = sorted((start, end), key=lambda box: box.x)
        assert sorted((route.points[0][0], route.points[-1][0])) == pytest.approx([ends[0].right, ends[1].left], abs=3)
        (x, y), half = route.anchor, caption_width(route.lines) / 2
        level = [(min(a[0], b[0]), max(a[0], b[0]), a[1]) for a, b in itertools.pairwise(route.points) if a[1] == b[1]]
        assert any(left <= x - half and x + half <= right and abs(y - at) <= CAPTION_SIZE for left, right, at in level)
        areas.append((x - half, y - CAPTION_SIZE, x + half, y + CAPTION_SIZE))
    for a, b in itertools.combinations(areas, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
