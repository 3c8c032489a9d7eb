"""Colours: one a label, which the colour-blind tell apart, with text that can be read on them."""

import itertools
import re

import pytest

from medgraph.pictures import palette
from medgraph.schema.vocabulary import ENTITY_LABELS, NODE_LABELS, STUB


def seen_by(colour, kind):
    """Give a colour as someone sees it who lacks a sort of cones (Machado, Oliveira and Fernandes 2009), in Lab."""
    matrix = {
        "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
        "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
        "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    }[kind]
    plain = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in plain]
    r, g, b = (min(max(sum(m * c for m, c in zip(row, light, strict=True)), 0), 1) for row in matrix)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0888,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_every_label_has_a_colour_on_which_text_can_be_read():
    assert palette.PALETTE.keys() == {*NODE_LABELS, *ENTITY_LABELS, STUB}
    for colour in (*palette.PALETTE.values(), palette.FALLBACK):
        assert palette.contrast(colour, palette.text_on(colour)) >= 4.5
    assert palette.contrast(palette.QUIET, palette.PAGE) >= 4.5
    assert palette.contrast(palette.LINE, palette.PAGE) >= 3
    assert palette.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    dark = dict(re.findall(r"--picture-(\w+): (#\w+)", palette.stylesheet().partition("dark")[2]))
    assert palette.contrast(dark["quiet"], dark["page"]) >= 4.5
    assert palette.contrast(dark["line"], dark["page"]) >= 3
    assert palette.colour("Nope") == palette.FALLBACK


@pytest.mark.parametrize("kind", ["all", "protan", "deutan", "tritan"])
def test_the_colour_blind_tell_labels_apart(kind):
    for a, b in itertools.combinations(palette.PALETTE, 2):
        first, second = (seen_by(palette.PALETTE[label], kind) for label in (a, b))
        assert sum((x - y) ** 2 for x, y in zip(first, second, strict=True)) ** 0.5 > 10, (a, b)
