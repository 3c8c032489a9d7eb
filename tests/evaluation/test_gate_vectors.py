"""Vectors that are kept between runs of the gate."""

import numpy as np
import pytest

from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.model_files import find_model
from medgraph.evaluation.gate_vectors import TRIED, KeptVectors
from tests.support.encoders import Counting

TEXTS = [f"text {number} about gout" for number in range(100)]


@pytest.fixture(scope="module")
def exact(settings):
    """An encoder that gives a text nearly the same vector in any batch."""
    return BertEncoder(find_model(settings, print), "exact", precision="f32")


@pytest.fixture
def kept(exact, tmp_path):
    """A folder with the vectors of the texts."""
    one = KeptVectors(exact, tmp_path)
    one.encode(TEXTS)
    one.keep()
    return tmp_path


@pytest.mark.thorough
def test_texts_that_are_known_are_not_encoded_again(exact, kept):
    counting = Counting(exact)
    again = KeptVectors(counting, kept)
    assert np.allclose(again.encode([*TEXTS, "new"]), exact.encode([*TEXTS, "new"]), atol=1e-5)
    assert len(counting.texts) == TRIED + 1
    assert (again.name, again.max_tokens) == (exact.name, exact.max_tokens)
    assert again.encode([]).shape == (0, exact.dimension)


@pytest.mark.thorough
def test_an_encoder_that_computes_otherwise_makes_them_anew(exact, kept):
    class Other(Counting):
        def encode(self, texts):
            return -super().encode(texts)

    other = Other(exact)
    assert np.allclose(KeptVectors(other, kept).encode(TEXTS), -exact.encode(TEXTS), atol=1e-5)
    assert len(other.texts) == TRIED + len(TEXTS)
