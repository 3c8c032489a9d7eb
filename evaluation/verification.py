"""Verification measured: faults put into cited sentences, and claims that were labelled by reading.

Faults are put into sentences of MedQuAD's half held; what the verifier's model was fitted to, and what its rules were
chosen on, is of the other half. Labelled claims are judged three ways: supported, refuted, neither.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..answers.answer import CONTRADICTED, NO_EVIDENCE, SUPPORTED
from ..answers.verify.chances import SUPPORTS, Chances, pairs_of
from ..answers.verify.claims import claims_of
from ..answers.verify.model import LEVELS, model, signs_of
from ..answers.verify.rules import compare
from ..answers.verify.statement import statement
from ..answers.verify.verifier import judge
from ..embeddings.encoders.vector_cache import RememberedVectors
from .claims import LABELS, NEUTRAL, REFUTES, evidence_of
from .claims import SUPPORTS as SUPPORTING
from .faults import Changed, faulty, quoted, reworded
from .logistic import fit
from .questions import number
from .statistics import share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ..answers.verify.reader import CrossReader
    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from .claims import Labelled

    Floats = NDArray[np.float64]

SEED: Final = 11
FOLDS: Final = 5
SENTENCES: Final = 100_000
"""Sentences whose vectors are remembered while they are measured."""

POOL: Final = 5
"""Sentences that are read for each fault, at most."""

AS_TRAINED: Final = "cross-encoder as set"
LAST_LAYER: Final = "its last layer fitted"
LAST_LAYER_AND_SIGNS: Final = "its last layer and signs"

RIDGES: Final = {
    "cosine": 1.0,
    "signs": 10.0,
    "signs and vectors": 1000.0,
    LAST_LAYER: 1000.0,
    LAST_LAYER_AND_SIGNS: 1000.0,
}
"""Penalties of the fitted ways; set by hand."""

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
    right = [Changed("as quoted", one.text, one.text, right=True) for one in sentences[:sample]]
    kinds = {
        f"fault: {kind}": [one for one in wrong if one.kind == kind] for kind in dict.fromkeys(c.kind for c in wrong)
    }
    tables = kinds | {
        "all faults": wrong,
        "right, as quoted": right,
        "right, reworded": reworded(sentences, sample, chance),
    }
    return [{"sentences": name, "count": len(some)} | _flagged(some, reader) for name, some in tables.items()]


def _flagged(some: Sequence[Changed], reader: CrossReader | None) -> dict[str, float]:
    found = [compare(one.text, one.cited) for one in some]
    weigh, chances = model(), Chances(reader)
    crossed = {}
    if reader:
        chances.ahead(pair for one in some for claim in claims_of(one.text) for pair in pairs_of(claim.text, one.cited))
        read = reader.chances([(one.cited, one.text) for one in some])[:, 0]
        crossed["cross-encoder"] = share((read < SUPPORTS).tolist())
    return {
        "rules": share([not one.fits for one in found]),
        "model": share([weigh.likely(LEVELS[0], one) < SUPPORTS for one in found]),
        **crossed,
        "both": share([judge(one.text, one.cited, chances)[0] != SUPPORTED for one in some]),
    }


def labelled(
    pairs: Mapping[str, Sequence[Labelled]],
    other: Sequence[Labelled],
    encoder: TextEncoder,
    reader: CrossReader | None = None,
) -> list[dict[str, Any]]:
    """Measure ways of judging labelled claims.

    Returns:
        Rows of `set`, `way`, `pairs` and `macro_f1`, with `floor` ways first.
    """
    rows = []
    vectors = RememberedVectors(lambda: encoder, SENTENCES)
    for name, some in pairs.items():
        truth = np.array([LABELS.index(one.label) for one in some])
        described = _described(some, vectors, reader)
        beside = other if name == "citint" else ()
        learned = _described(beside, vectors, reader) if beside else {}
        labels = np.array([LABELS.index(one.label) for one in beside])
        folds = np.array([number(one.topic) % FOLDS for one in some])
        most = np.full(len(truth), np.bincount(truth, minlength=len(LABELS)).argmax())
        judged = {"majority": most, "rules as shipped": _judged(some)}
        if reader:
            judged[AS_TRAINED] = _likeliest(described[AS_TRAINED])
        for way in [way for way in RIDGES if way in described]:
            if beside:
                judged[way] = _learned(learned[way], labels, described[way], RIDGES[way])
                continue
            judged[way] = np.empty(len(truth), dtype=np.int64)
            for fold in range(FOLDS):
                mine = folds == fold
                judged[way][mine] = _learned(described[way][~mine], truth[~mine], described[way][mine], RIDGES[way])
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


def _judged(pairs: Sequence[Labelled]) -> NDArray[np.int64]:
    """Judge by the sentence that decides: what supports, else what contradicts."""
    found = []
    for one in pairs:
        verdicts = {judge(one.claim, sentence)[0] for sentence in one.passage}
        decides = next((v for v in (SUPPORTED, CONTRADICTED) if v in verdicts), NO_EVIDENCE)
        found.append(LABELS.index(_VERDICTS[decides]))
    return np.array(found)


def _likeliest(chances: Floats) -> NDArray[np.int64]:
    found: NDArray[np.int64] = chances.argmax(axis=1)
    return found


def _described(pairs: Sequence[Labelled], encoder: RememberedVectors, reader: CrossReader | None) -> dict[str, Floats]:
    """Describe pairs for each way: the cosine, signs of the nearest sentence, products of the vectors, and as read."""
    texts = list(dict.fromkeys(text for one in pairs for text in (one.claim, *one.passage)))
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    cosines, signs, products = [], [], []
    for one in pairs:
        mine = vectors[one.claim]
        near = [float(mine @ vectors[sentence]) for sentence in one.passage]
        best = int(np.argmax(near)) if near else -1
        text = one.passage[best] if near else ""
        cosines.append([max(near, default=0.0)])
        signs.append([max(near, default=0.0), *_signs(one.claim, text), *_signs(one.claim, " ".join(one.passage))])
        products.append(mine * vectors[text] if near else np.zeros_like(mine))
    described = np.array(signs, dtype=np.float64)
    read = _read(pairs, encoder, reader) if reader else {}
    return {
        "cosine": np.array(cosines, dtype=np.float64),
        "signs": described,
        "signs and vectors": np.c_[described, np.array(products, dtype=np.float64)],
        **read,
        **({LAST_LAYER_AND_SIGNS: np.c_[described, read[LAST_LAYER]]} if read else {}),
    }


def _read(pairs: Sequence[Labelled], encoder: RememberedVectors, reader: CrossReader) -> dict[str, Floats]:
    read = [(text, one.claim) for text, one in zip(evidence_of(pairs, encoder), pairs, strict=True)]
    features = reader.features(read)
    return {
        AS_TRAINED: reader.concluded(features).astype(np.float64),
        LAST_LAYER: features.astype(np.float64),
    }


def _signs(claim: str, text: str) -> list[float]:
    mine, other = statement(claim), statement(text)
    return [
        *signs_of(compare(claim, text)),
        float(bool(mine.negations)),
        float(bool(other.negations)),
        float(mine.hedged),
        float(other.hedged),
    ]


def _learned(features: Floats, labels: NDArray[np.int64], new: Floats, ridge: float) -> NDArray[np.int64]:
    """Judge by one logistic model a label, each beside how common the label is."""
    middle, width = features.mean(axis=0), features.std(axis=0) + 1e-9
    scaled, asked = (features - middle) / width, np.c_[(new - middle) / width, np.ones(len(new))]
    counts = np.ones(len(labels))
    likely = []
    for label in range(len(LABELS)):
        wanted = (labels == label).astype(np.float64)
        weights = fit(scaled, wanted, counts, ridge)
        likely.append(1 / (1 + np.exp(-asked @ weights)) / max(wanted.mean(), 1e-9))
    given: NDArray[np.int64] = np.array(likely).argmax(axis=0)
    return given
