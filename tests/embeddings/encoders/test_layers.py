"""Trained layers: what is written is read, and what is damaged or of another encoder is refused."""

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
