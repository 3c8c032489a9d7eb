"""A trained encoder as a folder of its own."""

import hashlib
import json

import numpy as np
import pytest

from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.bert_graph import unsupported
from medgraph.embeddings.encoders.layers import write_encoder
from medgraph.embeddings.encoders.model_files import WEIGHTS, read_weights
from medgraph.embeddings.encoders.named import find_model

pytestmark = pytest.mark.thorough


@pytest.fixture
def base(settings):
    return find_model(settings, lambda line: None)


def test_the_folder_is_an_encoder_with_the_weights_that_were_learned(base, tmp_path):
    name = "encoder.layer.5.output.dense.weight"
    learned = {name: read_weights(base / WEIGHTS)[name] * 2}
    card = write_encoder(learned, base / WEIGHTS, tmp_path / "made", {"encodes": "Æ"})
    assert unsupported(tmp_path / "made") is None
    assert card == json.loads((tmp_path / "made" / "card.json").read_text(encoding="utf-8"))
    assert card["encodes"] == "Æ"
    assert card["sha256"] == hashlib.sha256((tmp_path / "made" / WEIGHTS).read_bytes()).hexdigest()
    before, after = (read_weights(one / WEIGHTS) for one in (base, tmp_path / "made"))
    assert before.keys() == after.keys()
    assert [one for one in before if not np.array_equal(before[one], after[one])] == [name]
    vectors = [BertEncoder(one, one.name).encode(["What is gout?"]) for one in (base, tmp_path / "made")]
    assert float(np.abs(vectors[0] - vectors[1]).max()) > 1e-3


def test_nothing_learned_is_the_base(base, tmp_path):
    write_encoder({}, base / WEIGHTS, tmp_path / "made", {})
    vectors = [BertEncoder(one, one.name).encode(["What is gout?"]) for one in (base, tmp_path / "made")]
    assert np.array_equal(*vectors)
