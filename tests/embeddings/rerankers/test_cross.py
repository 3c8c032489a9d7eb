"""The reranker: what reads a question and a passage together."""

from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file

from medgraph.embeddings.encoders.bert import PairEncoder
from medgraph.embeddings.encoders.encoder import NO_LAYERS, load_encoder
from medgraph.embeddings.rerankers.cross import Calibration, CrossEncoder, passage_of
from medgraph.errors import EncoderError
from medgraph.settings import Settings
from tests.support.rerankers import write_reranker
from tests.support.verifiers import write_inferring

ICE = passage_of("Gout", "Ice and rest help against an attack.")
GENES = passage_of("Gout", "Some people inherit it.")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return write_reranker(tmp_path_factory.mktemp("reranker"))


def test_a_score_is_that_of_the_last_layers_over_the_first_token(written):
    found = CrossEncoder(written).scores("What helps?", [ICE, GENES])
    weights = load_file(written / "model.safetensors")
    ((places, states, _),) = PairEncoder(written).states([("What helps?", ICE), ("What helps?", GENES)])
    pooled = np.tanh(states[:, 0] @ weights["bert.pooler.dense.weight"].T + weights["bert.pooler.dense.bias"])
    expected = (pooled @ weights["classifier.weight"].T + weights["classifier.bias"])[:, 0]
    assert found[places] == pytest.approx(expected, abs=1e-4)
    assert found[0] != found[1]
    assert CrossEncoder(written).scores("What helps?", []).shape == (0,)


def test_the_settings_say_what_reads(settings, written, tmp_path):
    plain = replace(settings, question_encoder=NO_LAYERS)
    assert load_encoder(settings).read("What helps?", [ICE]) is load_encoder(plain).read("What helps?", [ICE]) is None
    for given in (settings, plain):
        reading = load_encoder(replace(given, reranker=str(written)))
        assert reading.read("What helps against gout?", [ICE, GENES]).shape == (2,)
        assert reading.calibration is None
    assert load_encoder(settings).calibration is None
    write_reranker(tmp_path, slope=2, intercept=-1, threshold=0.5)
    assert load_encoder(replace(settings, reranker=str(tmp_path))).calibration == Calibration(2.0, -1.0, 0.5)
    assert Settings.from_environment({"MEDGRAPH_RERANKER": "x"}).reranker == "x"
    assert Settings.from_environment({}).reranker is None


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (
            lambda folder: None,
            r"has no config\.json, which `medgraph train reranker` writes; correct MEDGRAPH_RERANKER",
        ),
        (write_inferring, "has not the last layers of a model with one label"),
        (lambda folder: write_inferring(folder, {"0": "a"}, model_type="deberta"), "only a BERT model with one label"),
        (lambda folder: write_reranker(folder, slope=-2), "its 'calibration' is damaged"),
    ],
)
def test_a_folder_that_is_none_or_damaged_is_named(settings, tmp_path, write, message):
    write(tmp_path / "made")
    with pytest.raises(EncoderError, match=message):
        load_encoder(replace(settings, reranker=str(tmp_path / "made"))).read("What helps?", [ICE])
