"""What reads a question and a sentence together."""

import numpy as np
import pytest

from medgraph.embeddings.encoders import named
from medgraph.embeddings.rerankers import sentence_reader
from medgraph.embeddings.rerankers.sentence_reader import DIMENSION, SentenceReader, fetched, headed
from medgraph.errors import EncoderError

ASKED = "How is gout treated?"
TREATED = headed("Gout", "Treatment", "Colchicine and anti-inflammatory medicines relieve an attack of gout.")
CITY = headed("Paris", "", "Paris lies on the Seine.")


@pytest.fixture(scope="module")
def folder(settings):
    return fetched(settings, lambda _: None)


@pytest.fixture(scope="module")
def reader(folder):
    return SentenceReader(folder)


def test_pairs_are_described_alike_alone_and_among_others(reader):
    together = reader.describe(ASKED, [TREATED, CITY, TREATED + " " + CITY])
    assert together.shape == (3, DIMENSION)
    assert together[0] == pytest.approx(reader.describe(ASKED, [TREATED])[0], abs=2e-3)
    assert together[1] == pytest.approx(reader.describe(ASKED, [CITY])[0], abs=2e-3)
    assert reader.describe(ASKED, []).shape == (0, DIMENSION)


def test_a_file_with_other_weights_is_refused(tmp_path, monkeypatch):
    from openvino import Model, opset13, save_model

    number = opset13.parameter([1], np.float32)
    save_model(Model([opset13.result(number)], [number], "other"), tmp_path / "other.xml")
    with pytest.raises(EncoderError, match="other weights than expected"):
        named.weights_of(sentence_reader.CARD, tmp_path / "other.xml")
