"""Fit how much words of messages matter, to the short questions that experts made of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import InputError
from ..queries.lucene import all_words, content_words
from ..queries.message import parts_of, without_masks
from ..queries.salience import FEATURES, LEAST_SEEN, Model, features_of, stem, write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from ..queries.entities import Mention
    from .messages import Message

MADE_BY: Final = (
    "by `medgraph evaluate messages meqsum.csv --fit FILE`, from {count} messages of MeQSum "
    "(github.com/abachaa/MeQSum, CC BY 4.0), of the half dev, with the names of a graph that has all sources"
)
_PENALTY: Final = 1.0
_ROUNDS: Final = 25


def fit(messages: Sequence[Message], mentions: Callable[[str], Sequence[Mention]]) -> Model:
    """Fit the model."""
    examples = [
        (features_of(parts_of(one.text), mentions(without_masks(one.text))), _stems(one.short)) for one in messages
    ]
    seen: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for features, short in examples:
        stems = {stem(word) for word in features}
        seen.update(stems)
        kept.update(stems & short)
    average = sum(kept.values()) / max(1, sum(seen.values()))
    often = {name: count for name, count in seen.items() if count >= LEAST_SEEN}
    counted = Model({}, average, often, {name: kept[name] for name in often})
    rows, targets = [], []
    for features, short in examples:
        for word, own in features.items():
            target = stem(word) in short
            values = own | {"kept": counted.prior(stem(word), without=target)}
            rows.append([values.get(name, 0.0) for name in FEATURES])
            targets.append(float(target))
    weights = _logistic(np.array(rows), np.array(targets))
    return Model(dict(zip(FEATURES, weights.tolist(), strict=True)), average, counted.seen, counted.kept)


def fit_file(messages: Sequence[Message], mentions: Callable[[str], Sequence[Mention]], path: Path) -> None:
    """Fit the model and write it."""
    try:
        write(fit(messages, mentions), path, MADE_BY.format(count=len(messages)))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(all_words(text))}


def _logistic(rows: NDArray[np.float64], targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fit a logistic regression by Newton's method, large weights but the first one penalised."""
    weights = np.zeros(rows.shape[1])
    penalty = _PENALTY * np.eye(rows.shape[1])
    penalty[0, 0] = 1e-6
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (targets - likely) - penalty @ weights
        curve = (rows * (likely * (1 - likely))[:, None]).T @ rows + penalty
        weights += np.linalg.solve(curve, slope)
    return weights
