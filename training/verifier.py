"""Fit what says how likely a claim is supported, or contradicted, to sentences of MedQuAD with and without faults."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Final

import numpy as np

from ..answers.verify.model import INTERCEPT, LEVELS, SIGNS, Model, signs_of, write
from ..answers.verify.rules import compare
from ..errors import InputError
from ..evaluation.faults import MADE_BY, Changed, faulty, quoted, reworded
from ..evaluation.logistic import fit as fit_logistic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..evaluation.faults import Quoted
    from ..graph.database import Database

SEED: Final = 7
OPPOSITE: Final = frozenset(("negation", "number", "unit", "direction"))
"""Faults that turn a sentence into one that its source contradicts; others into one that it does not speak of."""

POOL: Final = 3
"""Sentences that are read for each that is made, at most: not every fault can be put into every sentence."""

_RIDGE: Final = 1.0


def material(sentences: Sequence[Quoted], sample: int) -> list[Changed]:
    """Make what to learn from: sentences as they are, reworded, with a fault, and beside what says something else."""
    chance = random.Random(SEED)  # noqa: S311 # not for secrets
    plain = [Changed("as quoted", one.text, one.text, right=True) for one in sentences[:sample]]
    apart = [
        Changed("another", one.text, other.text, right=False)
        for one, other in itertools.pairwise(sentences[: sample + 1])
    ]
    return [*plain, *apart, *reworded(sentences, sample, chance), *faulty(sentences, sample, chance)]


def fit(examples: Sequence[Changed]) -> Model:
    """Fit the model."""
    signs = np.array([signs_of(compare(one.text, one.cited)) for one in examples], dtype=np.float64)
    wanted = {
        "supports": [one.right for one in examples],
        "contradicts": [one.kind in OPPOSITE for one in examples],
    }
    weights = {}
    for level in LEVELS:
        labels = np.array(wanted[level], dtype=np.float64)
        fitted = fit_logistic(signs, labels, np.ones(len(labels)), _RIDGE)
        weights[level] = dict(zip((*SIGNS, INTERCEPT), fitted.tolist(), strict=True))
    return Model(weights)


def fit_file(database: Database, sample: int, path: Path) -> tuple[Model, int]:
    """Fit the model to MedQuAD's half dev, and write it."""
    examples = material(quoted(database, "dev", POOL * sample), sample)
    if not any(one.kind in OPPOSITE for one in examples):
        raise InputError("too few sentences of MedQuAD's half dev are in the graph to learn from; load all of it")
    model = fit(examples)
    write(model, path, f"by `medgraph train verifier FILE`, from {len(examples):,} sentences made of {MADE_BY}")
    return model, len(examples)
