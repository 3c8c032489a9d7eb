"""Packed texts come back as they were, from memory and from the disk."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.packed import Texts, open_arrays, opened, save_arrays, text_at


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


def test_arrays_are_saved_under_a_name_and_opened_by_it(tmp_path):
    save_arrays(tmp_path, "one_", {"a": np.arange(3), "b": np.array([True])})
    save_arrays(tmp_path, "two_", {"a": np.arange(5)})
    found = open_arrays(tmp_path, "one_", ("a", "b"))
    assert {part: values.tolist() for part, values in found.items()} == {"a": [0, 1, 2], "b": [True]}
