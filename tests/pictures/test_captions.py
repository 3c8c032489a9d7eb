"""Text on pictures: harmless, and as wide as there is room."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgraph.pictures import captions


def test_cleaning_keeps_what_can_be_read():
    assert captions.clean(" a\x00\u202e b\n\nβ é 👩‍👧 ש ") == "a b β é 👩‍👧 ש"


@settings(deadline=None)
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=300), st.floats(20, 400))
def test_shortened_text_fits(text, most):
    short = captions.shorten(text, most, 13)
    assert captions.width(short, 13) <= max(most, captions.width("…", 13))
    assert captions.clean(text).startswith(short.removesuffix("…"))
    lines = captions.wrap(text, most, 13)
    assert 1 <= len(lines) <= 2
    assert all(captions.width(line, 13) <= max(most, captions.width("…", 13)) for line in lines)


@pytest.mark.parametrize("most", range(30, 130, 7))
@pytest.mark.parametrize(("text", "size"), [("👩‍👩‍👧‍👦", 7), ("e\u0301", 2)])
def test_a_character_is_not_cut_in_two(text, size, most):
    assert len(captions.shorten(text * 40, most, 13).removesuffix("…")) % size == 0


def test_text_is_broken_between_words():
    assert captions.wrap("one two three four", 60, 13) == ("one two", "three f…")
