"""Logistic models: how likely something is by what speaks for it, with weights in tables that people can read.

A table has a model, a feature and a weight a line; the weight of the feature `intercept` counts always.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from .errors import InputError
from .files import table_lines, write_table

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

INTERCEPT: Final = "intercept"


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """Weighs features, each by a weight, and `intercept`."""

    weights: Mapping[str, float]

    def logit(self, features: Mapping[str, float]) -> float:
        """Add up what speaks for something; a feature that is missing counts 0."""
        told = sum(weight * features.get(name, 0.0) for name, weight in self.weights.items())
        return self.weights.get(INTERCEPT, 0.0) + told

    def likely(self, features: Mapping[str, float]) -> float:
        """Tell how likely something is; a feature that is missing counts 0."""
        return sigmoid(self.logit(features))


def sigmoid(logit: float) -> float:
    """Turn log odds into a probability; written so that nothing can overflow."""
    return 0.5 * (1 + math.tanh(logit / 2))


def sigmoids(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Turn many log odds into probabilities."""
    found: NDArray[np.float64] = 0.5 * (1 + np.tanh(np.asarray(logits, dtype=np.float64) / 2))
    return found


def read_models(
    path: Path, remedy: str, features: Mapping[str, Collection[str]], more: str = "\n"
) -> dict[str, LogisticModel]:
    """Read what `write_models` wrote; `remedy` makes such a file, and `more` begins names of further features.

    Raises:
        InputError: The file lacks a weight, has one that is not known, or one that is no number.
    """
    weights: dict[str, dict[str, float]] = {name: {} for name in features}
    for number, line in table_lines(path):
        try:
            model, name, text = line.split("\t")
            value = float(text)
        except ValueError:
            model, name, value = "", "", math.nan
        known = model in weights and (name in {*features[model], INTERCEPT} or name.startswith(more))
        if not known or not math.isfinite(value):
            raise InputError(f"{path}:{number}: no weight of this model; make the file anew: {remedy}")
        weights[model][name] = value
    for model, names in features.items():
        if lost := [name for name in (*names, INTERCEPT) if name not in weights[model]]:
            raise InputError(f"{path}: lacks the weight {model} {lost[0]!r}; make the file anew: {remedy}")
    return {model: LogisticModel(found) for model, found in weights.items()}


def write_models(weights: Mapping[str, Mapping[str, float]], path: Path, made_by: str) -> None:
    """Write models (model → feature, or `intercept`, → weight), and what made them, replacing the file."""
    rows = ((model, name, f"{value:.4f}") for model, found in weights.items() for name, value in found.items())
    write_table(path, made_by, "model\tfeature\tweight", rows)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What turns logits into probabilities (Platt, "Probabilistic outputs for support vector machines", 1999)."""

    slope: float = 1.0  # what a logit is multiplied by; more than 0, so that order stays
    intercept: float = 0.0
    # the least probability of the best of several passages for one of them to answer; 0 where no other is worth
    # anything
    threshold: float = 0.0

    def probabilities(self, logits: NDArray[np.floating]) -> NDArray[np.float64]:
        """Say how likely passages answer, by logits of any shape."""
        return sigmoids(self.slope * np.asarray(logits, dtype=np.float64) + self.intercept)
