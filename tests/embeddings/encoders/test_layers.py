"""Trained layers: what is written is read, and what is damaged or of another encoder is refused."""

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


def test_what_is_added_to_layers_is_read_as_their_sum(folder, base, tmp_path):
    name = next(name for name, value in base.items() if name.startswith(layers.PREFIX) and value.ndim == 2)
    shape = base[name].shape
    first, second = np.full((2, shape[1]), 0.5, np.float32), np.full((shape[0], 2), 0.25, np.float32)
    factors = {f"{name}{layers.FIRST}": first, f"{name}{layers.SECOND}": second}
    layers.write(factors, folder / "model.safetensors", tmp_path, {layers.RANK: 2})
    read = layers.read(tmp_path, base)
    assert list(read) == [name]
    assert read[name] == pytest.approx(base[name] + 0.25)
