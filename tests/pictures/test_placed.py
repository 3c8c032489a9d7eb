"""Boxes as large as what is written on them, and captions of two lines at most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.pictures import captions
from medgraph.pictures.graph import Edge, Node, Part
from medgraph.pictures.placed import (
    CAPTION_SIZE,
    LINE_HEIGHT,
    MOST_ROWS,
    MOST_TEXT,
    NAME_SIZE,
    NAMELESS,
    NOTE_SIZE,
    caption_lines,
    caption_width,
    measured,
    part_columns,
)


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_box_has_room_for_its_lines(caption, note):
    box = measured(Node("1", "Drug", caption, note))
    assert 1 <= len(box.lines) <= 2
    assert max(captions.width(line, NAME_SIZE) for line in box.lines) <= box.width
    assert captions.width(box.note, NOTE_SIZE) <= box.width
    assert box.height >= LINE_HEIGHT * (len(box.lines) + bool(box.note))


def test_a_box_without_a_name_says_so_and_moves_as_a_whole():
    box = measured(Node("1", "Drug", " \n"))
    assert box.lines == (NAMELESS,)
    there = box.at(100, 50)
    assert (there.right - there.left, there.bottom - there.top) == pytest.approx((box.width, box.height))
    assert ((there.left + there.right) / 2, (there.top + there.bottom) / 2) == pytest.approx((100, 50))


@pytest.mark.parametrize(
    ("count", "expected"), [(0, (1, 0)), (1, (1, 1)), (MOST_ROWS, (1, 10)), (11, (2, 6)), (20, (2, 10)), (21, (3, 7))]
)
def test_kinds_stand_in_columns_of_nearly_the_same_height(count, expected):
    parts = tuple(Part("Gene", str(number)) for number in range(count))
    assert part_columns(Node("1", "Entity", "Entity", parts=parts)) == expected


def test_captions_of_edges():
    assert caption_lines(Edge("a", "b", "")) == ()
    assert caption_lines(Edge("a", "b", "IS_A", "1,000")) == ("IS_A", "1,000")
    assert caption_lines(Edge("a", "b", "", "1,000")) == ("1,000",)
    (long,) = caption_lines(Edge("a", "b", "word " * 100))
    assert long.endswith("…")
    assert caption_width([long, "short"]) == captions.width(long, CAPTION_SIZE) <= MOST_TEXT
    assert caption_width([]) == 0
