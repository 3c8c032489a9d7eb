"""Verification measured: faults put into cited sentences, and claims that were labelled by reading.

Faults are put into sentences of MedQuAD's half held; what the verifier's model was fitted to, and what its rules were
chosen on, is of the other half. Labelled claims are judged three ways: supported, refuted, neither.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from medgraph.answers.answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED
from medgraph.answers.scoring import RememberedVectors
from medgraph.answers.verify.claims import LEVELS, SUPPORTS, Chances, claims_of, likely, pairs_of
from medgraph.answers.verify.rules import compare
from medgraph.answers.verify.verifier import judge

from .faults import ChangedSentence, faulty, quoted, reworded
from .sets.claims import LABELS, NEUTRAL, REFUTES, evidence_of
from .sets.claims import SUPPORTS as SUPPORTING
from .statistics import share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medgraph.answers.verify.reader import CrossReader
    from medgraph.embeddings.encoders.encoder import TextEncoder
    from medgraph.graph.database import Database

    from .sets.claims import LabelledClaim

    Floats = NDArray[np.float64]

SEED: Final = 11
FOLDS: Final = 5
SENTENCES: Final = 100_000  # sentences whose vectors are remembered while they are measured
POOL: Final = 5  # sentences that are read for each fault, at most
_VERDICTS: Final = {SUPPORTED: SUPPORTING, CONTRADICTED: REFUTES, NO_EVIDENCE: NEUTRAL}


def faults(database: Database, sample: int, reader: CrossReader | None = None) -> list[dict[str, Any]]:
    """Measure how many faults in cited sentences are caught, and how many right sentences are flagged.

    Returns:
        Rows of `sentences`, how many they are (`count`), and the shares flagged by the `rules` alone, by the `model`
        alone, by the `cross-encoder` alone where one is set, and by `both`, which is what medgraph does.
    """
    chance = random.Random(SEED)  # noqa: S311 # not for secrets
    sentences = quoted(database, "held", POOL * sample)
    wrong = faulty(sentences, sample, chance)
    right = [ChangedSentence("as quoted", one.text, one.text, right=True) for one in sentences[:sample]]
    kinds = {
        f"fault: {kind}": [one for one in wrong if one.kind == kind] for kind in dict.fromkeys(c.kind for c in wrong)
    }
    tables = kinds | {
        "all faults": wrong,
        "right, as quoted": right,
        "right, reworded": reworded(sentences, sample, chance),
    }
    return [{"sentences": name, "count": len(some)} | _flagged(some, reader) for name, some in tables.items()]


def _flagged(some: Sequence[ChangedSentence], reader: CrossReader | None) -> dict[str, float]:
    found = [compare(one.text, one.cited) for one in some]
    chances = Chances(reader)
    crossed = {}
    if reader:
        chances.ahead(pair for one in some for claim in claims_of(one.text) for pair in pairs_of(claim, one.cited))
        read = reader.chances([(one.cited, one.text) for one in some])[:, 0]
        crossed["cross-encoder"] = share((read < SUPPORTS).tolist())
    return {
        "rules": share([not one.fits for one in found]),
        "model": share([likely(LEVELS[0], one) < SUPPORTS for one in found]),
        **crossed,
        "both": share([judge(one.text, one.cited, chances)[0] != SUPPORTED for one in some]),
    }


def labelled(
    pairs: Mapping[str, Sequence[LabelledClaim]], encoder: TextEncoder, reader: CrossReader | None = None
) -> list[dict[str, Any]]:
    """Measure how labelled claims are judged: rows of `set`, `way`, `pairs` and `macro_f1`."""
    rows = []
    vectors = RememberedVectors(lambda: encoder, SENTENCES)
    for name, some in pairs.items():
        truth = np.array([LABELS.index(one.label) for one in some])
        most = np.full(len(truth), np.bincount(truth, minlength=len(LABELS)).argmax())
        judged = {"majority": most, "rules as shipped": _judged(some)}
        if reader:
            texts = zip(evidence_of(some, vectors), (one.claim for one in some), strict=True)
            judged["cross-encoder as set"] = reader.chances(list(texts)).argmax(axis=1)
        rows += [
            {"set": name, "way": way, "pairs": len(truth), "macro_f1": macro_f1(truth, given)}
            for way, given in judged.items()
        ]
    return rows


def macro_f1(truth: NDArray[np.int64], given: NDArray[np.int64]) -> float:
    """Give the mean of the F1 of each label."""
    return float(f1_of(truth, given).mean())


def f1_of(truth: NDArray[np.int64], given: NDArray[np.int64]) -> Floats:
    """Give the F1 of each label."""
    both, either = (np.bincount(some, minlength=len(LABELS)) for some in (truth[truth == given], np.r_[truth, given]))
    return 2 * both / np.maximum(either, 1)


def _judged(pairs: Sequence[LabelledClaim]) -> NDArray[np.int64]:
    return np.array([LABELS.index(verdict_of(one)) for one in pairs])


def verdict_of(one: LabelledClaim) -> str:
    """Judge a claim as answers are checked, by the sentence that decides: what supports, else what contradicts."""
    verdicts = {judge(one.claim, sentence)[0] for sentence in one.passage}
    return _VERDICTS[next((v for v in (SUPPORTED, CONTRADICTED) if v in verdicts), NO_EVIDENCE)]
