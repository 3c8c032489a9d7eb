"""Layouts of any graph: no two nodes on each other, and everything inside."""

import itertools

import pytest
from hypothesis import given

from medgraph.pictures import relations, svg
from medgraph.pictures.graph import CAPTION_SIZE, Edge, Node, Picture, caption_width
from medgraph.pictures.layout import place
from tests.support.pictures import STAR, apart, captioned, graphs, parsed


@given(graphs())
def test_no_two_nodes_overlap(picture):
    layout = place(picture)
    assert len(layout.boxes) == len(picture.nodes)
    assert len(layout.routes) == len(picture.edges)
    assert apart(layout.boxes)
    parsed(svg.draw(picture))


def test_everything_is_inside_the_picture():
    for picture in (STAR, relations.picture_of_schema(), captioned("x y z " * 50)):
        layout = place(picture)
        (x, y), (wide, high) = layout.corner, layout.size
        for box in layout.boxes:
            assert x <= box.left < box.right <= x + wide
            assert y <= box.top < box.bottom <= y + high
        for route in layout.routes:
            assert all(x <= px <= x + wide and y <= py <= y + high for px, py in [*route.points, route.anchor])


@pytest.mark.parametrize("centre", ["", "a"])
def test_edges_between_the_same_nodes_and_loops_are_told_apart(centre):
    nodes = (Node("a", "Entity", "A"), Node("b", "Entity", "B"))
    edges = (Edge("a", "b", "IS_A"), Edge("a", "b", "LIKE"), Edge("b", "a", "NEXT"), Edge("a", "a", "SELF"))
    layout = place(Picture("t", nodes, edges, centre))
    assert len({route.points for route in layout.routes}) == 4
    spots = [(route.anchor, caption_width(route.lines)) for route in layout.routes]
    for ((ax, ay), aw), ((bx, by), bw) in itertools.combinations(spots, 2):
        assert abs(ax - bx) >= (aw + bw) / 2 or abs(ay - by) >= CAPTION_SIZE
    boxes = {box.node.id: box for box in layout.boxes}
    for route in layout.routes:
        for name, (x, y) in ((route.edge.source, route.points[0]), (route.edge.target, route.points[-1])):
            box = boxes[name]
            assert box.left - 6 <= x <= box.right + 6
            assert box.top - 6 <= y <= box.bottom + 6
