"""Rerankers: what reads a question with a passage or a sentence, and what turns logits into probabilities."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file

from medgraph.embeddings import reranking
from medgraph.embeddings.encoders import named
from medgraph.embeddings.encoders.bert import PairEncoder
from medgraph.embeddings.encoders.encoder import NO_LAYERS, load_encoder
from medgraph.embeddings.encoders.layers import CARD
from medgraph.embeddings.reranking import DIMENSION, CrossEncoder, SentenceReader, fetched_reader
from medgraph.embeddings.reranking import read_calibration as read
from medgraph.errors import EncoderError
from medgraph.logistic import Calibration
from medgraph.settings import Settings
from medgraph.text import headed, passage_of
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
    assert (
        load_encoder(settings).passage_logits("What helps?", [ICE])
        is load_encoder(plain).passage_logits("What helps?", [ICE])
        is None
    )
    for given in (settings, plain):
        reading = load_encoder(replace(given, reranker=str(written)))
        assert reading.passage_logits("What helps against gout?", [ICE, GENES]).shape == (2,)
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
        load_encoder(replace(settings, reranker=str(tmp_path / "made"))).passage_logits("What helps?", [ICE])


ASKED = "How is gout treated?"
TREATED = headed("Gout", "Treatment", "Colchicine and anti-inflammatory medicines relieve an attack of gout.")
CITY = headed("Paris", "", "Paris lies on the Seine.")


@pytest.fixture(scope="module")
def folder(settings):
    return fetched_reader(settings, lambda _: None)


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
        named.weights_of(reranking.READER_CARD, tmp_path / "other.xml")


@pytest.fixture
def card(tmp_path):
    def write(told):
        (tmp_path / CARD).write_text(json.dumps(told))
        return tmp_path

    return write


def test_a_card_has_a_calibration_or_none(card):
    whole = {"slope": 2, "intercept": -0.5, "threshold": 0.4, "ece": 0.01}
    assert read(card({"calibration": whole})) == Calibration(2.0, -0.5, 0.4)
    assert read(card({"base": "x"})) is None
    assert read(card({"calibration": None})) is None


@pytest.mark.parametrize(
    "told",
    [
        "sure", [1, 0, 0.5], {}, {"slope": 1, "intercept": 0}, {"slope": "1", "intercept": 0, "threshold": 0.5},
        {"slope": 0, "intercept": 0, "threshold": 0.5}, {"slope": -1, "intercept": 0, "threshold": 0.5},
        {"slope": 1, "intercept": math.nan, "threshold": 0.5}, {"slope": math.inf, "intercept": 0, "threshold": 0.5},
        {"slope": 1, "intercept": 0, "threshold": 1.1}, {"slope": 1, "intercept": None, "threshold": 0.5},
    ],
)  # fmt: skip
def test_a_damaged_calibration_is_named_with_what_to_do(card, told):
    with pytest.raises(EncoderError, match=r"card\.json: its 'calibration' is damaged .* take 'calibration' out"):
        read(card({"calibration": told}))
