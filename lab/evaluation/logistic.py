"""Logistic regression with a ridge, by scikit-learn; `medgraph.logistic` applies what is fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from medgraph.errors import InputError, install_line
from medgraph.logistic import INTERCEPT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SURE: Final = 1e-4  # how far labels are from certain where all are the same


def train_weights(features: Floats, labels: Floats, counts: Floats, ridge: float) -> Floats:
    """Fit weights.

    Args:
        features: (examples, features).
        labels: (examples,) from 0 to 1: how far each is so.
        counts: (examples,) how much each counts.
        ridge: Penalty on large weights; the intercept has none.

    Returns:
        (features + 1,) weights, the intercept last.

    Raises:
        InputError: scikit-learn is not installed.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise InputError(f"fitting needs scikit-learn ({error}); {install_line('train')}") from error
    if labels.min() == labels.max() and labels[0] in {0, 1}:  # then odds are high or low, and not without end
        labels = np.clip(labels, _SURE, 1 - _SURE)
    x = np.r_[features, features]
    y = np.r_[np.ones(len(labels)), np.zeros(len(labels))]
    weight = np.r_[counts * labels, counts * (1 - labels)]
    used = weight > 0
    regression = LogisticRegression(C=1 / ridge, solver="newton-cholesky", tol=1e-10, max_iter=1000)
    fitted = regression.fit(x[used], y[used], weight[used])
    found: Floats = np.r_[fitted.coef_[0], fitted.intercept_]
    return found


def train_named(
    names: Sequence[str],
    rows: Sequence[Sequence[float]],
    labels: Sequence[float],
    ridge: float,
    counts: Sequence[float] = (),
) -> dict[str, float]:
    """Fit weights of features by their names, with `intercept`; each example counts alike where no counts are given."""
    if len({*labels}) < 2:
        raise InputError("weights need examples of both kinds, and all that were found are of one; give more grades")
    found = train_weights(np.array(rows, dtype=float), np.array(labels), np.array(counts or [1.0] * len(labels)), ridge)
    return dict(zip((*names, INTERCEPT), found.tolist(), strict=True))


def train_linear(
    names: Sequence[str], rows: Sequence[Sequence[float]], wanted: Sequence[float], counts: Sequence[float]
) -> dict[str, float]:
    """Fit weights of features by their names, with `intercept`, to any numbers by least squares with a ridge."""
    from sklearn.linear_model import Ridge

    fitted = Ridge(alpha=1.0).fit(np.array(rows), np.array(wanted), np.array(counts))
    return dict(zip((*names, INTERCEPT), (*fitted.coef_.tolist(), float(fitted.intercept_)), strict=True))
