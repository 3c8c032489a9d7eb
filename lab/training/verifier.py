"""Fit what says how likely a claim is supported, or contradicted, to sentences of MedQuAD with and without faults."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Final

from medgraph.answers.verify.claims import LEVELS, SIGNS, signs_of
from medgraph.answers.verify.rules import compare
from medgraph.errors import InputError
from medgraph.logistic import write_models

from ..evaluation.faults import MADE_BY, ChangedSentence, faulty, quoted, reworded
from ..evaluation.logistic import fit_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medgraph.graph.database import Database

    from ..evaluation.faults import QuotedSentence

SEED: Final = 7
# Faults that turn a sentence into one that its source contradicts; others into one that it does not speak of.
OPPOSITE: Final = frozenset(("negation", "number", "unit", "direction"))
# Sentences that are read for each that is made, at most: not every fault can be put into every sentence.
POOL: Final = 3
_RIDGE: Final = 1.0


def material(sentences: Sequence[QuotedSentence], sample: int) -> list[ChangedSentence]:
    """Make what to learn from: sentences as they are, reworded, with a fault, and beside what says something else."""
    chance = random.Random(SEED)  # noqa: S311 # not for secrets
    plain = [ChangedSentence("as quoted", one.text, one.text, right=True) for one in sentences[:sample]]
    apart = [
        ChangedSentence("another", one.text, other.text, right=False)
        for one, other in itertools.pairwise(sentences[: sample + 1])
    ]
    return [*plain, *apart, *reworded(sentences, sample, chance), *faulty(sentences, sample, chance)]


def fit(examples: Sequence[ChangedSentence]) -> dict[str, dict[str, float]]:
    """Fit both models: level → sign, or `intercept`, → weight."""
    signs = [signs_of(compare(one.text, one.cited)) for one in examples]
    wanted = {
        "supports": [float(one.right) for one in examples],
        "contradicts": [float(one.kind in OPPOSITE) for one in examples],
    }
    return {level: fit_named(SIGNS, signs, wanted[level], _RIDGE) for level in LEVELS}


def fit_file(database: Database, sample: int, path: Path) -> dict[str, dict[str, float]]:
    """Fit both models to MedQuAD's half dev, as many sentences of each kind, at most, and write them."""
    examples = material(quoted(database, "dev", POOL * sample), sample)
    if not any(one.kind in OPPOSITE for one in examples):
        raise InputError("too few sentences of MedQuAD's half dev are in the graph to learn from; load all of it")
    weights = fit(examples)
    write_models(
        weights, path, f"by `medgraph train verifier FILE`, from {len(examples):,} sentences made of {MADE_BY}"
    )
    return weights
