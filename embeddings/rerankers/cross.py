"""A cross-encoder: reads a question and a passage together, and says how well the one answers the other.

It is the encoder with trained layers and one product more, so that it runs as the encoder does: int8, bf16 or f32, in
OpenVINO, without torch (Nogueira and Cho, "Passage Re-ranking with BERT", 2019).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...errors import EncoderError
from ..encoders.layers import WEIGHTS
from ..encoders.model_files import read_weights
from . import calibration

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ..encoders.bert import BertEncoder


HEAD: Final = "head."
"""What the names of the last layer's weights begin with."""

QUESTION_TOKENS: Final = 64
"""Tokens of a question that are read, at most; set by hand, as most of what is asked has fewer."""

MAX_TOKENS: Final = 128
"""Tokens of a question and a passage that are read, at most; set by measured times."""


class CrossEncoder:
    """Scores passages for a question.

    Args:
        encoder: The encoder with the trained layers.
        folder: The folder of these, which has the last layer too.

    Attributes:
        calibration: What turns scores into probabilities; None where nothing was fitted for that.

    Raises:
        EncoderError: The folder has no last layer, or its card is damaged.
    """

    def __init__(self, encoder: BertEncoder, folder: Path) -> None:
        weights = read_weights(folder / WEIGHTS)
        try:
            self._weight = weights[f"{HEAD}weight"].reshape(-1).astype(np.float32)
            self._bias = float(weights[f"{HEAD}bias"].item())
        except (KeyError, ValueError) as error:
            raise EncoderError(
                f"{folder / WEIGHTS} has no last layer ({error}), so that it is no reranker; correct MEDGRAPH_RERANKER"
            ) from error
        self._encoder = encoder
        self.calibration = calibration.read(folder)

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Score passages.

        Args:
            question: The question, what it asks first.
            passages: Passages, as `passage_of` writes them.

        Returns:
            (passages,) float32: the logit that each answers.
        """
        vectors = self._encoder.encode_pairs(question, passages, QUESTION_TOKENS, MAX_TOKENS)
        scores: NDArray[np.float32] = vectors @ self._weight + self._bias
        return scores


def passage_of(title: str, text: str) -> str:
    """Write a passage as the reranker reads it.

    Args:
        title: The title of its document.
        text: What it says.

    Returns:
        Both.
    """
    return f"{title}: {text}"
