"""Training step by step, where the extra `train` is installed: the steps of the encoder of questions."""

import numpy as np
import pytest

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.errors import InputError
from medgraph.queries.retriever import Retriever
from medgraph.training.encoder import Options, gather, train
from medgraph.training.steps import CHECKPOINT, Steps
from tests.support.linking import names_of

FEW = Options(steps=4, batch=4, rate=1e-3)


@pytest.fixture
def material(medquad_graph, encoder):
    return gather(medquad_graph, Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph)))


@pytest.mark.usefixtures("_torch")
def test_an_interrupted_training_makes_what_it_would_have_made(material, base, tmp_path, monkeypatch):
    train(base, material, tmp_path / "whole", FEW)
    monkeypatch.setattr("medgraph.training.steps.SAVE_EVERY", 2)
    own = Steps.take

    def interrupted(steps):
        if steps.taken == 3:
            raise KeyboardInterrupt
        own(steps)

    with monkeypatch.context() as patch:
        patch.setattr(Steps, "take", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train(base, material, tmp_path / "parts", FEW)
    assert not (tmp_path / "parts" / layers.WEIGHTS).exists()
    train(base, material, tmp_path / "parts", FEW)
    weights = read_weights(base / "model.safetensors")
    whole, parts = (layers.read(tmp_path / name, weights) for name in ("whole", "parts"))
    # Numbers that are left out by chance differ after an interruption; what is drawn to learn from does not.
    assert max(float(np.abs(whole[name] - parts[name]).max()) for name in whole) < 0.02


@pytest.mark.usefixtures("_torch")
def test_a_checkpoint_of_another_training_is_refused(material, base, tmp_path, monkeypatch):
    (tmp_path / CHECKPOINT).write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"is damaged .* delete it to begin anew"):
        train(base, material, tmp_path, FEW)
    (tmp_path / CHECKPOINT).unlink()
    monkeypatch.setattr("medgraph.training.steps.SAVE_EVERY", 1)
    monkeypatch.setattr("medgraph.embeddings.encoders.layers.write", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        train(base, material, tmp_path, FEW)
    with pytest.raises(InputError, match="of a training with other options or data"):
        train(base, material, tmp_path, Options(steps=5, batch=4))
