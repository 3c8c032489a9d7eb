"""How likely a claim is supported, and how likely contradicted: two logistic models over what a comparison finds.

Their weights stand in `verifier.tsv`; they are fitted to sentences of MedQuAD, reworded and with faults put into them
(`medgraph train verifier FILE`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...logistic import read_models
from .rules import KINDS, OPPOSABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...logistic import LogisticModel
    from .rules import Comparison

FILE: Final = Path(__file__).with_name("verifier.tsv")
LEVELS: Final = ("supports", "contradicts")
SIGNS: Final = ("covered", "missing", *(f"other {kind}" for kind in KINDS), *(f"opposite {kind}" for kind in OPPOSABLE))
"""What a claim is judged by: the share of its words that the text has, how much the word tells that is missing and
tells most, and what differs or is opposed, 1 or 0."""


def likely(level: str, found: Comparison) -> float:
    """Tell how likely a text supports a claim, or contradicts it.

    Args:
        level: One of `LEVELS`.
        found: What comparing a claim with a text found.
    """
    return models()[level].likely(dict(zip(SIGNS, signs_of(found), strict=True)))


def signs_of(found: Comparison) -> Sequence[float]:
    """Describe a comparison.

    Args:
        found: What comparing a claim with a text found.

    Returns:
        Numbers, in the order of `SIGNS`.
    """
    return (
        found.covered,
        found.missing,
        *(float(kind in found.differ) for kind in KINDS),
        *(float(kind in found.opposed) for kind in OPPOSABLE),
    )


@cache
def models(path: Path = FILE) -> dict[str, LogisticModel]:
    """Read the models: level → what weighs `SIGNS`."""
    return read_models(path, "medgraph train verifier FILE", dict.fromkeys(LEVELS, SIGNS))
