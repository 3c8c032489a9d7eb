"""Remembered vectors are the encoder's own, are few, and are no longer encoded."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from medgraph.embeddings.encoders.vector_cache import RememberedVectors


def test_a_text_is_encoded_once(counting, encoder):
    remembered = RememberedVectors(lambda: counting)
    first = remembered.encode(["gout", "asthma", "gout"])
    again = remembered.encode(["asthma", "flu", "gout"])
    assert counting.texts == ["gout", "asthma", "flu"]
    np.testing.assert_array_equal(first[[0, 1, 2]], again[[2, 0, 2]])
    assert np.einsum("ij,ij->i", again, encoder.encode(["asthma", "flu", "gout"])).min() > 0.999


def test_the_longest_unused_is_forgotten(counting):
    remembered = RememberedVectors(lambda: counting, most=2)
    for texts in (["a"], ["b"], ["a"], ["c"], ["a"], ["b"]):
        remembered.encode(texts)
    assert counting.texts == ["a", "b", "c", "b"]
    assert remembered.encode([str(n) for n in range(9)]).shape == (9, 384)


def test_what_is_given_out_can_be_changed_without_harm(counting):
    remembered = RememberedVectors(lambda: counting)
    first = remembered.encode(["gout"])
    kept = first.copy()
    first[:] = 0
    np.testing.assert_array_equal(remembered.encode(["gout"]), kept)


def test_many_threads_at_once(counting, encoder):
    remembered = RememberedVectors(lambda: counting, most=5)
    texts = [f"text number {n}" for n in range(12)]
    right = encoder.encode(texts)
    with ThreadPoolExecutor(8) as pool:
        for n, vectors in enumerate(
            pool.map(lambda n: remembered.encode([texts[n % 12], texts[n * 5 % 12]]), range(96))
        ):
            assert vectors[0] @ right[n % 12] > 0.998
            assert vectors[1] @ right[n * 5 % 12] > 0.998
