"""The reranker: what reads a question and a passage together."""

from dataclasses import replace

import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.bert import BertEncoder
from medgraph.embeddings.encoders.encoder import NO_LAYERS, load_encoder
from medgraph.embeddings.encoders.model_files import find_model
from medgraph.embeddings.rerankers.calibration import Calibration
from medgraph.embeddings.rerankers.cross import MAX_TOKENS, QUESTION_TOKENS, CrossEncoder, passage_of
from medgraph.errors import ChecksumError, EncoderError
from medgraph.settings import Settings
from tests.support.rerankers import calibrate, write_reranker

ICE = passage_of("Gout", "Ice and rest help against an attack.")
GENES = passage_of("Gout", "Some people inherit it.")


@pytest.fixture(scope="module")
def base(settings):
    return find_model(settings, lambda _: None)


@pytest.fixture(scope="module")
def written(base, tmp_path_factory):
    return write_reranker(tmp_path_factory.mktemp("reranker"), base)


def test_a_score_is_the_last_layer_over_the_pairs_vector(base, written):
    encoder = BertEncoder(base, "test", layers=written)
    vectors = encoder.encode_pairs("What helps?", [ICE, GENES], QUESTION_TOKENS, MAX_TOKENS)
    assert vectors.shape == (2, 384)
    scores = CrossEncoder(encoder, written).scores("What helps?", [ICE, GENES])
    assert scores == pytest.approx(vectors[:, 0] + 1, abs=1e-3)
    assert CrossEncoder(encoder, written).scores("What helps?", []).shape == (0,)


def test_both_are_read_and_each_only_so_far(base):
    encoder = BertEncoder(base, "test")

    def vector(first, second, most=MAX_TOKENS):
        return encoder.encode_pairs(first, [second], QUESTION_TOKENS, most)[0]

    plain = vector("What helps?", ICE)
    assert plain @ vector("Is it inherited?", ICE) < 0.99
    assert plain @ vector("What helps?", GENES) < 0.99
    long = "gout " * (QUESTION_TOKENS + 1)
    assert vector(long + "toe", ICE) == pytest.approx(vector(long + "fever and chills", ICE), abs=1e-3)
    full = "ice " * MAX_TOKENS
    assert vector("What helps?", full + "toe") == pytest.approx(vector("What helps?", full + "fever"), abs=1e-3)
    assert vector("\ud800 ?", "") @ plain < 0.99


def test_the_settings_say_what_reads(settings, written):
    plain = replace(settings, question_encoder=NO_LAYERS)
    assert load_encoder(settings).read("What helps?", [ICE]) is None
    assert load_encoder(plain).read("What helps?", [ICE]) is None
    for given in (settings, plain):
        reading = load_encoder(replace(given, reranker=str(written)))
        scores = reading.read("What helps against gout?", [ICE, GENES])
        assert scores.shape == (2,)
        assert scores[0] != scores[1]
        assert reading.calibration is None
    assert load_encoder(settings).calibration is load_encoder(plain).calibration is None
    assert Settings.from_environment({"MEDGRAPH_RERANKER": "x"}).reranker == "x"
    assert Settings.from_environment({}).reranker is None


def test_a_folder_that_is_none_or_damaged_is_named(settings, base, written, tmp_path):
    def read(folder):
        load_encoder(replace(settings, reranker=str(folder))).read("What helps?", [ICE])

    with pytest.raises(EncoderError, match="none"):
        read(tmp_path / "none")
    with pytest.raises(EncoderError, match=r"has no last layer .* correct MEDGRAPH_RERANKER"):
        read(layers.SHIPPED)
    for name in (layers.WEIGHTS, layers.CARD):
        (tmp_path / name).write_bytes((written / name).read_bytes())
    calibrate(tmp_path, {"slope": 2, "intercept": -1, "threshold": 0.5})
    assert load_encoder(replace(settings, reranker=str(tmp_path))).calibration == Calibration(2.0, -1.0, 0.5)
    calibrate(tmp_path, {"slope": -2})
    with pytest.raises(EncoderError, match="its 'calibration' is damaged"):
        read(tmp_path)
    (tmp_path / layers.WEIGHTS).write_bytes((written / layers.WEIGHTS).read_bytes()[:-5])
    with pytest.raises(ChecksumError, match="MEDGRAPH_RERANKER"):
        read(tmp_path)
