"""Pixels: the size that was asked for, and text on machines without fonts."""

import struct

import pytest
from defusedxml.ElementTree import fromstring

from medgraph.pictures import relations, svg
from medgraph.pictures.graph import Node, Picture


def pixels(text, **options):
    return svg.rasterise(svg.draw(Picture("t", (Node("1", "Drug", text),))), **options)


def test_a_png_has_the_drawings_size_times_the_scale():
    drawing = svg.draw(relations.picture_of_schema())
    wide, high = (float(fromstring(drawing.encode()).get(name)) for name in ("width", "height"))
    got = struct.unpack(">II", svg.rasterise(drawing)[16:24])
    assert got == (pytest.approx(2 * wide, abs=1), pytest.approx(2 * high, abs=1))
    huge = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>'
    wide, high = struct.unpack(">II", svg.rasterise(huge)[16:24])
    assert wide * high <= svg.MAX_PIXELS * 1.01


@pytest.mark.parametrize("text", ["Gout", "β\u03b1", "Ménière", "Größe", "İő", "жш", "\u05e9\u05dc"])
def test_text_is_drawn_on_a_machine_without_fonts(text):
    unknown = "\ue000" * len(text)
    assert pixels(text, system_fonts=False) != pixels(unknown, system_fonts=False)
    marks = {pixels(character * 9, system_fonts=False) for character in set(text) - {" "}}
    assert len(marks) == len(set(text) - {" "})
