"""How likely a passage answers, by the logit that the reranker gives it, and from where on that is enough.

Both are fitted to questions that the reranker did not learn from (`training.calibrating`), and stand in the card of
its folder. A folder without them works as it did before there were any: it ranks, and says nothing of how likely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ...errors import EncoderError
from ...logistic import sigmoids
from ..encoders.layers import CARD
from ..encoders.model_files import read_json

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

KEY: Final = "calibration"
"""The card's key."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns logits into probabilities (Platt, "Probabilistic outputs for support vector machines", 1999).

    Attributes:
        slope: What a logit is multiplied by; more than 0, so that order stays.
        intercept: What is added.
        threshold: The least probability of the best of several passages for one of them to answer; 0 where no other is
            worth anything.
    """

    slope: float = 1.0
    intercept: float = 0.0
    threshold: float = 0.0

    def probabilities(self, logits: NDArray[np.floating]) -> NDArray[np.float64]:
        """Say how likely passages answer, by logits of any shape."""
        return sigmoids(self.slope * np.asarray(logits, dtype=np.float64) + self.intercept)


def read(folder: Path) -> Calibration | None:
    """Read what a reranker's card says of it; None where it says nothing.

    Raises:
        EncoderError: The card is missing or damaged.
    """
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
