"""Estimates the probability that a result answers, comparable across questions, from all search branches.

The weights of `fusion` rank the candidates of one question, up to what these share; those here are fitted to sections
graded by reading (`medgraph train likelihood`), each by itself, and stand in `likelihood.tsv`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ..embeddings.rerankers.cross import Calibration
from ..logistic import INTERCEPT, read_models
from ..settings import DEFAULT_ENCODER
from .fusion import FEATURES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

FILE: Final = Path(__file__).with_name("likelihood.tsv")
SECTION: Final = "section"

# How likely the best of the results must answer, or none of them seems to; chosen on the questions it is fitted to.
THRESHOLD: Final = 0.36
CALIBRATION: Final = Calibration(threshold=THRESHOLD)
ENCODER: Final = DEFAULT_ENCODER  # whose cosines the weights know; those of others mean something else


def logits(described: NDArray[np.float64], weights: Mapping[str, float] | None = None) -> NDArray[np.float64]:
    """Give the log odds that candidates answer, (candidates,), by (candidates, `fusion.FEATURES`)."""
    used = weights or shipped()
    found: NDArray[np.float64] = described @ np.array([used[name] for name in FEATURES]) + used[INTERCEPT]
    return found


@cache
def shipped() -> Mapping[str, float]:
    """Read the weights that the package has."""
    remedy = "medgraph train likelihood FILE MEQSUM --grades GRADES"
    return read_models(FILE, remedy, {SECTION: FEATURES})[SECTION].weights
