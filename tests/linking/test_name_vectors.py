"""Vectors of names that are kept in a file."""

import numpy as np
import pytest

from medgraph.linking.nearest import NameVectors
from tests.support.encoders import Counting

NAMES = ["gout", "podagra", "mal de débarquement", "痛風"]


class Letters:
    """Encodes a text to how many of each of eight kinds of letters it has."""

    name = "letters"

    def encode(self, texts):
        counts = np.array([[1 + sum(ord(c) % 8 == n for c in text) for n in range(8)] for text in texts], np.float32)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


@pytest.fixture
def encoder():
    return Counting(Letters())


@pytest.fixture
def file(tmp_path):
    return tmp_path / "vectors.npz"


def test_only_new_names_are_encoded_and_no_others_kept(encoder, file):
    first = NameVectors(file, encoder)(NAMES)
    assert encoder.texts == NAMES
    assert np.allclose(first, Letters().encode(NAMES), atol=1e-3)
    again = NameVectors(file, encoder)(["asthma", *reversed(NAMES)])
    assert encoder.texts == [*NAMES, "asthma"]
    assert np.array_equal(again[1:], first[::-1])
    NameVectors(file, encoder)(["gout"])
    NameVectors(file, encoder)(["gout", "asthma"])
    assert encoder.texts == [*NAMES, "asthma", "asthma"]
    assert len(NameVectors(file, encoder)([])) == 0
