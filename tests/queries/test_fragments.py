"""Fragments of a question, and what is kept of texts by them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.queries.paths import OVERLAP, WINDOW, fragments, pruned


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", []),
        (" \n ", []),
        ("one", ["one"]),
        (" ".join("abcdefghij"), ["a b c d e f g h i j"]),
        (" ".join("abcdefghijk"), ["a b c d e f g h i j", "g h i j k"]),
        (" ".join("abcdefghijklmnop"), ["a b c d e f g h i j", "g h i j k l m n o p"]),
    ],
)
def test_windows_of_ten_words_share_four(text, cut):
    assert (WINDOW, OVERLAP) == (10, 4)
    assert fragments(text) == cut


@given(st.lists(st.sampled_from(["a", "bc", "é"]), max_size=60), st.integers(1, 12), st.integers(0, 11))
def test_fragments_cover_all_words_and_overlap(words, window, overlap):
    overlap = min(overlap, window - 1)
    cut = [part.split() for part in fragments(" ".join(words), window, overlap)]
    assert all(len(part) <= window for part in cut)
    joined = cut[0] if cut else []
    for part in cut[1:]:
        assert part[:overlap] == joined[-overlap:] if overlap else True
        joined = joined + part[overlap:]
    assert joined == words


class Letters:
    """An encoder whose vectors say which letters a text has."""

    def encode(self, texts):
        rows = np.array([[letter in text for letter in "abcxyz"] for text in texts], dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)

    encode_questions = encode


def test_what_comes_nearest_to_some_fragment_is_kept():
    question = " ".join(["o"] * 10 + ["a"] * 6 + ["o"] * 10 + ["x"] * 3)
    kept = pruned(fragments(question), ["bc", "x", "a", "ab", "x"], Letters(), 4)
    assert kept == [(1, 1.0), (2, 1.0), (4, 1.0), (3, 0.7071)]
    assert pruned([], ["a"], Letters(), 3) == pruned(["a"], [], Letters(), 3) == []
