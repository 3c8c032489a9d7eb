"""Lists are found with what announces them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.embeddings.lists import MAX_LIST, with_lists

LINES = "To prevent falls:\n\n- Keep rooms free of clutter.\n- Wear shoes.\n\nGout hurts."
FLAT = "Signs of gout include: - pain - swelling of the toe. Some have fever."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Gout hurts. Ice helps.", [("Gout hurts.", False), ("Ice helps.", False)]),
        (FLAT, [("Signs of gout include: - pain - swelling of the toe.", True), ("Some have fever.", False)]),
        (LINES, [(LINES[: LINES.index("\n\nGout")], True), ("Gout hurts.", False)]),
        ("- Wear shoes.", [("Wear shoes.", False)]),
        ("To prevent falls: Ask your doctor.", [("To prevent falls: Ask your doctor.", False)]),
    ],
)
def test_a_list_is_one_with_what_announces_it(text, found):
    assert [(text[start:end], listed) for start, end, listed in with_lists(text)] == found


def test_a_long_list_is_cut_between_items():
    text = f"Causes include: {' '.join(f'- cause number {number} of this' for number in range(60))}."
    ((start, end, listed),) = with_lists(text)
    assert (start, listed) == (0, True)
    assert MAX_LIST - 40 < end <= MAX_LIST
    assert text[end:].startswith(" - cause")


@given(st.text(st.sampled_from("aB .:-\n*•"), max_size=200))
def test_spans_are_in_order_and_within_the_text(text):
    spans = [(start, end) for start, end, _ in with_lists(text)]
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
