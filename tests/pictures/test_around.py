"""A centre with a tree on each side."""

import itertools

from medgraph.pictures.layout import place
from medgraph.pictures.placed import CAPTION_SIZE
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
