"""Logistic regression with a ridge, by Newton's method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROUNDS: Final = 50
_LEAST: Final = 1e-9


def fit(
    features: NDArray[np.float64], labels: NDArray[np.float64], counts: NDArray[np.float64], ridge: float
) -> NDArray[np.float64]:
    """Fit weights."""
    x = np.c_[features, np.ones(len(features))]
    weights = np.zeros(x.shape[1])
    penalty = np.diag([ridge] * (x.shape[1] - 1) + [_LEAST])
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-x @ weights))
        curve = x.T @ (x * (counts * chances * (1 - chances))[:, None]) + penalty
        step = np.linalg.solve(curve, x.T @ (counts * (chances - labels)) + penalty @ weights)
        weights = weights - step
        if float(np.abs(step).max()) < _LEAST:
            break
    return weights
