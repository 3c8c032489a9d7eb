"""A cross-encoder: reads a question and a passage together, and says how well the one answers the other.

Its folder is that of a BERT model with one label as transformers lays one out, which `medgraph train reranker` writes,
too (Nogueira and Cho, "Passage Re-ranking with BERT", 2019). It runs in OpenVINO as the encoder does, without torch.
How likely a logit makes an answer, and from where on that is enough, is fitted (`training.calibrating`) and stands in
the card of the folder; a folder without them ranks, and says nothing of how likely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ...errors import EncoderError
from ...logistic import sigmoids
from ..encoders.bert import PairEncoder, weights_of
from ..encoders.bert_graph import unsupported
from ..encoders.layers import CARD
from ..encoders.model_files import read_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

KEY: Final = "calibration"  # the card's key


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns logits into probabilities (Platt, "Probabilistic outputs for support vector machines", 1999).

    Attributes:
        slope: What a logit is multiplied by; more than 0, so that order stays.
        threshold: The least probability of the best of several passages for one of them to answer; 0 where no other is
            worth anything.
    """

    slope: float = 1.0
    intercept: float = 0.0
    threshold: float = 0.0

    def probabilities(self, logits: NDArray[np.floating]) -> NDArray[np.float64]:
        """Say how likely passages answer, by logits of any shape."""
        return sigmoids(self.slope * np.asarray(logits, dtype=np.float64) + self.intercept)


def read_calibration(folder: Path) -> Calibration | None:
    """Read what a reranker's card says of it; None where it says nothing, EncoderError where the card is damaged."""
    card = read_json(folder / CARD) if (folder / CARD).is_file() else None
    told = card.get(KEY) if isinstance(card, dict) else None
    if told is None:
        return None
    said = told if isinstance(told, dict) else {}
    numbers = [said.get(name) for name in ("slope", "intercept", "threshold")]
    slope, intercept, threshold = (float(one) if isinstance(one, int | float) else math.nan for one in numbers)
    if 0 < slope < math.inf and math.isfinite(intercept) and 0 <= threshold <= 1:
        return Calibration(slope, intercept, threshold)
    raise EncoderError(
        f"{folder / CARD}: its {KEY!r} is damaged (slope, intercept and threshold are {numbers}); train the reranker"
        f" again, or take {KEY!r} out of the card, so that results have no probabilities"
    )


MAX_TOKENS: Final = 128  # tokens of a question and a passage that are read, at most; set by measured times


class CrossEncoder:
    """Scores passages for a question; `calibration`, if any, makes probabilities. EncoderError if files are damaged."""

    def __init__(self, folder: Path, threads: int = 0, precision: str = "f32") -> None:
        remedy = "correct MEDGRAPH_RERANKER or unset it"
        if not (folder / "config.json").is_file():
            raise EncoderError(f"{folder} has no config.json, which `medgraph train reranker` writes; {remedy}")
        if reason := unsupported(folder):
            raise EncoderError(f"{folder}: {reason}: only a BERT model with one label can rerank here; {remedy}")
        self._encoder = PairEncoder(folder, threads, precision, MAX_TOKENS)
        weights, size = weights_of(folder), self._encoder.dimension
        names = ("pooler.dense.weight", "pooler.dense.bias", "classifier.weight", "classifier.bias")
        self._layers = [np.array(weights.get(name, ()), dtype=np.float32) for name in names]
        if [layer.shape for layer in self._layers] != [(size, size), (size,), (1, size), (1,)]:
            raise EncoderError(f"{folder} has not the last layers of a model with one label; {remedy}")
        self.calibration = read_calibration(folder)

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Score passages, as `passage_of` writes them: (passages,) float32, the logit that each answers."""
        dense, shift, weight, bias = self._layers
        scores = np.zeros(len(passages), dtype=np.float32)
        for places, states, _ in self._encoder.states([(question, passage) for passage in passages]):
            scores[places] = np.tanh(states[:, 0] @ dense.T + shift) @ weight[0] + bias[0]
        return scores


def passage_of(title: str, text: str) -> str:
    """Write a passage as the reranker reads it."""
    return f"{title}: {text}"
