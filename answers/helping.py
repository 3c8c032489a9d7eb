"""How likely a sentence helps to answer: a logistic model over what it says, and where (`FEATURES`).

Its weights stand in `helping.tsv`; they are fitted to sentences that were graded by reading (`medgraph evaluate
sentences … --fit FILE`).
"""

from __future__ import annotations

import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..files import table_lines, write_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .evidence import Evidence, Said

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
INTERCEPT: Final = "intercept"

_LONG: Final = 400
_RESEARCH: Final = re.compile(r"\b(?:stud(?:y|ies)|research\w*|(?:clinical )?trials?)\b", re.IGNORECASE)


def features_of(said: Said, item: Evidence, *, best: bool) -> dict[str, float]:
    """Describe a sentence.

    Args:
        said: The sentence.
        item: Its section.
        best: Whether no other section that may be quoted is likelier to answer.

    Returns:
        What speaks for it, by `FEATURES`.
    """
    one = said.candidate
    return {
        "near": said.cosine,
        "told": float(said.told),
        "names": said.named,
        "words": said.worded,
        "vague": float(one.vague),
        "leans": float(one.leans),
        "lead": 1 / (1 + one.order),
        "length": min(1.0, len(one.text) / _LONG),
        "research": float(bool(_RESEARCH.search(one.text))),
        "section": item.answers,
        "best section": float(best),
        "exact": item.features["exact"],
        "apart": float(not (said.told or item.of_kind)),
    }


def helps(features: Mapping[str, float]) -> float:
    """Weigh what speaks for a sentence.

    Args:
        features: By `FEATURES`.

    Returns:
        A probability.
    """
    weights = model()
    return 1 / (1 + math.exp(-weights[INTERCEPT] - sum(weights[name] * features[name] for name in FEATURES)))


@cache
def model() -> dict[str, float]:
    """Read the weights that the package has.

    Returns:
        Feature, or `intercept`, → weight.
    """
    return {name: float(value) for _, line in table_lines(FILE) for name, value in [line.split("\t")]}


def write(weights: Mapping[str, float], path: Path, made_by: str) -> None:
    """Write weights as a table that people can read.

    Args:
        weights: Feature, or `intercept`, → weight.
        path: The file; replaced.
        made_by: What was done to make it.

    Raises:
        OSError: The file cannot be written.
    """
    rows = ((name, f"{weights[name]:.3f}") for name in (*FEATURES, INTERCEPT))
    write_table(path, made_by, "feature\tweight", rows)
