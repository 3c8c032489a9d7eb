"""What trainings of the encoder's layers share, where the extra `train` is installed."""

import json

import numpy as np
import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.errors import InputError
from medgraph.training.base import Base, trained
from medgraph.training.steps import CHECKPOINT


@pytest.mark.usefixtures("_torch")
def test_the_base_learns_its_layers_but_for_words_and_the_frozen_ones(base):
    whole, part = Base(base, 0.25, 1), Base(base, 0.25, 1, frozen=2)
    assert len(part.learned()) == len(whole.learned()) * 4 // 6
    assert not any(parameter.requires_grad for parameter in whole.model.embeddings.parameters())
    weights = read_weights(base / "model.safetensors")
    found = whole.layers()
    assert found.keys() == {name for name in weights if name.startswith(layers.PREFIX)}
    assert all(np.array_equal(found[name], weights[name]) for name in found)


class Learned:
    """A training that takes a checkpoint with it, and has learned what the base knows."""

    seconds = 2.6
    loss = 0.5

    def __init__(self, base):
        self.base = base

    def steps(self):
        return self

    def run(self, folder):
        folder.mkdir(exist_ok=True)
        (folder / CHECKPOINT).write_bytes(b"")

    def layers(self):
        weights = read_weights(self.base / "model.safetensors")
        return {name: value for name, value in weights.items() if name.startswith(layers.PREFIX)}


def test_what_was_learned_is_written_with_its_card_and_the_checkpoint_goes(base, tmp_path):
    card = trained(lambda: Learned(base), base, tmp_path / "made", {"reads": "x"})
    assert card == json.loads((tmp_path / "made" / layers.CARD).read_text())
    assert (card["reads"], card["seconds"], card["loss of the last 100 steps"]) == ("x", 3, 0.5)
    assert "held" in card["left out"]
    assert layers.read(tmp_path / "made", read_weights(base / "model.safetensors"))
    assert not (tmp_path / "made" / CHECKPOINT).exists()


def test_what_is_missing_is_said_before_anything_is_written(base, tmp_path):
    def make():
        raise ImportError("No module named 'torch'")

    with pytest.raises(InputError, match=r"training needs torch \(No module .* pip install 'medgraph\[train\]'"):
        trained(make, base, tmp_path / "made", {})
    assert not (tmp_path / "made").exists()


def test_what_comes_after_the_training_may_be_interrupted_and_comes_again(base, tmp_path):
    def interrupted(folder):
        raise KeyboardInterrupt

    folder = tmp_path / "made"
    with pytest.raises(KeyboardInterrupt):
        trained(lambda: Learned(base), base, folder, {}, then=interrupted)
    assert (folder / CHECKPOINT).exists()
    assert trained(lambda: Learned(base), base, folder, {}, then=lambda made: {"of": made}) == {"of": folder}
    assert not (folder / CHECKPOINT).exists()
