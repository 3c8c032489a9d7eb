"""The model of roles: fitted to labelled mentions, and to pairs of a chemical and a disease in abstracts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..linking.roles import NAMES, ROLES, Model

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

LEAST_SEEN: Final = 2
"""Examples that a feature must have."""

RIDGE: Final = 1.0
_STEPS: Final = 300
_RATE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Example:
    """A mention whose role is known, at least in part.

    Attributes:
        document: Where it stands.
        label: The label of what it names.
        features: What describes it.
        roles: The roles that it may have: one, or several where only that much is known.
        weight: How much it counts.
    """

    document: str
    label: str
    features: tuple[str, ...]
    roles: frozenset[str]
    weight: float = 1.0


def fit(examples: Sequence[Example], ridge: float = RIDGE) -> Model:
    """Fit the weights, by Adam on all examples at once; the result is the same each time.

    Args:
        examples: What to learn from.
        ridge: Penalty on large weights.

    Returns:
        The model, not calibrated.
    """
    seen = Counter(name for one in examples for name in {*one.features})
    rows = {name: row for row, name in enumerate(name for name, times in seen.items() if times >= LEAST_SEEN)}
    known = [[rows[name] for name in one.features if name in rows] for one in examples]
    flat = np.array([row for some in known for row in some])
    starts = np.cumsum([0, *map(len, known)])[:-1]
    of = np.repeat(np.arange(len(examples)), [*map(len, known)])
    order = np.argsort(flat, kind="stable")
    of, begins = of[order], np.searchsorted(flat[order], np.arange(len(rows)))
    allowed = np.array([[one.label in labels for _, labels in ROLES.values()] for one in examples])
    right = np.array([[name in one.roles for name in NAMES] for one in examples]) & allowed
    counts = np.array([one.weight for one in examples], np.float32)[:, None]
    weights = np.zeros((len(rows), len(NAMES)), np.float32)
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        logits = np.where(allowed, np.add.reduceat(weights[flat], starts), -np.inf)
        chances = _softmax(logits)
        slope = counts * (chances - _softmax(np.where(right, logits, -np.inf)))
        gradient = np.add.reduceat(slope[of], begins) + ridge * weights
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        weights -= _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    one = np.ones(len(NAMES), np.float32)
    return Model(rows, weights.astype(np.float32), one, one * 0)


def _softmax(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: Floats = odds / odds.sum(axis=1, keepdims=True)
    return chances
