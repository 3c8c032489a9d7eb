"""Small rerankers: a real one whose layers are the encoder's own, and one that goes by a word."""

import json

import numpy as np

from medgraph.embeddings.encoders import layers
from medgraph.embeddings.encoders.model_files import read_weights
from medgraph.embeddings.rerankers.cross import HEAD


def write_reranker(folder, base, **calibration):
    """Write a reranker whose last layer reads the vector's first number, plus one; with a calibration, if any."""
    weights = read_weights(base / "model.safetensors")
    mine = {name: value for name, value in weights.items() if name.startswith(layers.PREFIX)}
    first = np.zeros((1, 384), dtype=np.float32)
    first[0, 0] = 1
    mine |= {f"{HEAD}weight": first, f"{HEAD}bias": np.ones(1, dtype=np.float32)}
    folder.mkdir(exist_ok=True)
    layers.write(mine, base / "model.safetensors", folder, {"calibration": calibration} if calibration else {})
    return folder


def calibrate(folder, calibration):
    """Put a calibration into the card of a reranker, whatever it is; None takes it out."""
    card = json.loads((folder / layers.CARD).read_text())
    (folder / layers.CARD).write_text(json.dumps(card | {"calibration": calibration}))


class WordReader:
    """An encoder that reads, too: passages that hold a word answer."""

    def __init__(self, encoder, word, calibration=None):
        self._encoder = encoder
        self._word = word
        self.calibration = calibration

    def __getattr__(self, name):
        return getattr(self._encoder, name)

    def read(self, _question, passages):
        return np.array([2.0 if self._word in passage else -2.0 for passage in passages], dtype=np.float32)
