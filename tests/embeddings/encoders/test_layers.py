"""Trained layers: what is written is read, and what is damaged or of another encoder is refused."""

import json

import numpy as np
import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.errors import ChecksumError, EncoderError


@pytest.fixture
def base(folder):
    return read_weights(folder / "model.safetensors")


@pytest.fixture
def written(folder, base, tmp_path):
    """All layers of the base, a little larger than they are."""
    mine = {name: value * 1.25 for name, value in base.items() if name.startswith(layers.PREFIX)}
    layers.write(mine, folder / "model.safetensors", tmp_path, {"steps": 3})
    return tmp_path


def test_what_was_written_is_read_in_half_precision(written, base):
    found = layers.read(written, base)
    assert found.keys() == {name for name in base if name.startswith(layers.PREFIX)}
    for name, value in found.items():
        np.testing.assert_allclose(value, base[name] * 1.25, rtol=1e-3, atol=1e-6)


def test_the_card_says_what_was_told_and_what_the_file_is(written, base):
    card = json.loads((written / layers.CARD).read_text())
    assert card["steps"] == 3
    assert card["fingerprint of the base"] == layers.fingerprint(base)
    assert len(card["sha256"]) == 64


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-1] + b"x", lambda data: b""])
def test_a_damaged_file_is_refused(written, base, damage):
    path = written / layers.WEIGHTS
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ChecksumError, match=r"layers\.safetensors is damaged: .*train it again"):
        layers.read(written, base)


def test_layers_of_another_encoder_are_refused(written, base):
    other = base | {"embeddings.LayerNorm.bias": base["embeddings.LayerNorm.bias"] + 1}
    with pytest.raises(EncoderError, match="was trained from another encoder"):
        layers.read(written, other)


@pytest.mark.parametrize("missing", [layers.WEIGHTS, layers.CARD])
def test_a_missing_file_is_named(written, base, missing):
    (written / missing).unlink()
    with pytest.raises(EncoderError, match=missing):
        layers.read(written, base)


def test_a_fingerprint_is_of_the_small_weights(base):
    same = base | {"embeddings.word_embeddings.weight": np.zeros((2, 2), np.float32)}
    assert layers.fingerprint(base) == layers.fingerprint(same)
    assert layers.fingerprint(base) == layers.fingerprint({f"bert.{name}": value for name, value in base.items()})
