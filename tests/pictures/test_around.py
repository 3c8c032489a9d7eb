"""A centre with a tree on each side."""

import itertools

from medgraph.pictures.graph import Edge, Node, Picture
from medgraph.pictures.layout import place
from medgraph.pictures.placed import CAPTION_SIZE, caption_width
from tests.support.pictures import STAR, apart


def test_a_star_has_its_centre_in_the_middle_and_its_captions_apart():
    layout = place(STAR)
    boxes = {box.node.id: box for box in layout.boxes}
    for name, box in boxes.items():
        assert name == "c" or (box.x < 0) == box.node.before
    assert apart(layout.boxes, margin=8)
    anchors = [route.anchor for route in layout.routes]
    assert len(set(anchors)) == 20
    assert all(abs(a[1] - b[1]) > CAPTION_SIZE for a, b in itertools.combinations(anchors, 2) if a[0] == b[0])


def test_captions_stand_beside_level_lines_and_what_leads_to_the_centre_has_its_head_before_it_bends():
    nodes = (Node("c", "Disease", "Centre"), *(Node(f"n{i}", "Drug", "x" * i) for i in range(1, 9)))
    ways = [("c", f"n{i}") if i % 2 else (f"n{i}", "c") for i in range(1, 9)]
    edges = tuple(Edge(*way, "X" * 3 * number, "note") for number, way in enumerate(ways, 1))
    layout = place(Picture("t", nodes, edges, "c"))
    bends = set()
    for route, (start, _) in zip(layout.routes, ways, strict=True):
        far, *_, bend = (route.points if start != "c" else route.points[::-1])[:3]
        assert far[1] == bend[1] == route.anchor[1]
        assert bend[0] < route.anchor[0] - caption_width(route.lines) / 2
        assert route.anchor[0] + caption_width(route.lines) / 2 < far[0]
        assert route.along == (() if start == "c" else (far, bend))
        bends.add(bend[0])
    assert len(bends) == 1  # no line bends where another has its caption
