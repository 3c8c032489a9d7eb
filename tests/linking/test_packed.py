"""Packed texts come back as they were, from memory and from the disk."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.packed import Texts, opened, text_at


@given(st.lists(st.text(max_size=20), max_size=20))
def test_each_text_comes_back(given_texts):
    texts = Texts()
    for text in given_texts:
        texts.add(text)
    packed, ends = texts.packed()
    assert [text_at(packed, ends, number) for number in range(len(ends))] == given_texts


def test_halves_of_characters_do_no_harm():
    texts = Texts()
    texts.add("a\ud800b")
    assert text_at(*texts.packed(), 0) == "a?b"


def test_an_array_is_read_from_the_disk(tmp_path):
    np.save(tmp_path / "numbers.npy", np.arange(5, dtype=np.uint32))
    values = opened(tmp_path / "numbers.npy")
    assert type(values) is np.ndarray
    assert values.tolist() == [0, 1, 2, 3, 4]
