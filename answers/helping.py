"""How likely a sentence helps to answer: logistic models over what it says, and where (`FEATURES`).

One knows these signs alone (`helping.tsv`); the other has read the sentence together with the question, too, which
`embeddings.rerankers.sentence_reader` describes by a vector (`reading.tsv`). Both are fitted to sentences that were
graded by reading (`medgraph evaluate sentences … --fit FILE`, `--fit-reading FILE`).
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..logistic import LogisticModel, read_models, sigmoid

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from ..embeddings.candidate_sentences import CandidateSentence

FEATURES: Final = (
    "near", "told", "names", "words", "vague", "leans", "lead", "length", "research", "section", "best section",
    "exact", "apart",
)  # fmt: skip
"""What it is made of, each from 0 (cosines from -1) to 1: how near the sentence is to the question; whether it tells
such things as are asked for; the shares that it has of what is named, and of the words; whether it only says that there
is something to say, leans on the one before, or tells of studies; how early it stands (1 for a section's first, half
for the second); its length in 400 characters; how likely its section answers, whether that is the likeliest one, and of
the kind asked for on a page about exactly what is named; and whether it tells nothing such in a section of another
kind."""

FILE: Final = Path(__file__).with_name("helping.tsv")
READING: Final = Path(__file__).with_name("reading.tsv")
PROMISING: Final = Path(__file__).with_name("promising.tsv")
DIMENSION: Final = "dimension "
"""What the names of the numbers that describe a question and a sentence begin with, in `reading.tsv`."""


_LONG: Final = 400
_RESEARCH: Final = re.compile(r"\b(?:stud(?:y|ies)|research\w*|(?:clinical )?trials?)\b", re.IGNORECASE)


def signs_of(  # noqa: PLR0913 - one argument a sign
    one: CandidateSentence,
    *,
    near: float,
    told: bool,
    names: float,
    words: float,
    section: float,
    best: bool,
    exact: float,
    apart: bool,
) -> dict[str, float]:
    """Describe a sentence.

    Args:
        near: How near it is to the question.
        told: Whether it tells such things as are asked for.
        names: The share that it has of what is named.
        best: Whether that is the likeliest one.
        exact: Whether that is of the kind asked for, on a page about exactly what is named.
        apart: Whether the sentence tells nothing such in a section of another kind.

    Returns:
        What speaks for it, by `FEATURES`.
    """
    return {
        "near": near,
        "told": float(told),
        "names": names,
        "words": words,
        "vague": float(one.vague),
        "leans": float(one.leans),
        "lead": 1 / (1 + one.order),
        "length": min(1.0, len(one.text) / _LONG),
        "research": float(bool(_RESEARCH.search(one.text))),
        "section": section,
        "best section": float(best),
        "exact": exact,
        "apart": float(apart),
    }


def helps(features: Mapping[str, float]) -> float:
    """Tell how likely a sentence helps, by `FEATURES`."""
    return model(FILE, "helps").likely(features)


def promises(features: Mapping[str, float]) -> float:
    """Weigh what speaks for a sentence before it is read, by `FEATURES`: any number, which orders sentences."""
    return model(PROMISING, "promises").logit(features)


def reads(features: Mapping[str, float], vector: NDArray[np.float32]) -> float:
    """Tell how likely a sentence helps that was read together with the question.

    Args:
        features: By `FEATURES`.
        vector: (dimension,): what describes both.
    """
    signs, of_vector = reading()
    return sigmoid(signs.logit(features) + float(vector @ of_vector))


@cache
def model(path: Path, name: str) -> LogisticModel:
    """Read a model, which weighs `FEATURES` and perhaps the numbers that describe a question and a sentence."""
    remedy = "medgraph evaluate sentences MEQSUM GRADES --fit FILE (or --fit-reading, --fit-promising)"
    return read_models(path, remedy, {name: FEATURES}, DIMENSION)[name]


@cache
def reading() -> tuple[LogisticModel, NDArray[np.float32]]:
    """Read what weighs sentences that were read together with the question.

    Returns:
        What weighs `FEATURES`; and (dimension,) the weights of the numbers that describe both.
    """
    import numpy as np

    weights = model(READING, "reads").weights
    named = {name: value for name, value in weights.items() if not name.startswith(DIMENSION)}
    numbers = [weights[f"{DIMENSION}{place}"] for place in range(len(weights) - len(named))]
    return LogisticModel(named), np.array(numbers, dtype=np.float32)
