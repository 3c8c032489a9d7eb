"""Small rerankers: a real one of random weights, and one that goes by a word."""

import json

import numpy as np

from medgraph.embeddings.encoders import layers
from tests.support.verifiers import write_inferring


def write_reranker(folder, **calibration):
    """Write a model of two layers with one label; with a calibration, if any."""
    write_inferring(folder, {"0": "answers"})
    (folder / layers.CARD).write_text(json.dumps({"calibration": calibration} if calibration else {}))
    return folder


class WordReader:
    """An encoder that reads, too: passages that hold a word answer."""

    def __init__(self, encoder, word, calibration=None):
        self._encoder = encoder
        self._word = word
        self.calibration = calibration

    def __getattr__(self, name):
        return getattr(self._encoder, name)

    def passage_logits(self, _question, passages):
        return np.array([2.0 if self._word in passage else -2.0 for passage in passages], dtype=np.float32)
