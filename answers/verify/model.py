"""How likely a claim is supported, and how likely contradicted: two logistic models over what a comparison finds.

Their weights stand in `verifier.tsv`; they are fitted to sentences of MedQuAD, reworded and with faults put into them
(`medgraph train verifier FILE`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...errors import InputError
from ...files import table_lines, write_table
from .rules import KINDS, OPPOSABLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .rules import Comparison

FILE: Final = Path(__file__).with_name("verifier.tsv")
LEVELS: Final = ("supports", "contradicts")
INTERCEPT: Final = "intercept"
SIGNS: Final = ("covered", "missing", *(f"other {kind}" for kind in KINDS), *(f"opposite {kind}" for kind in OPPOSABLE))
"""What a claim is judged by: the share of its words that the text has, how much the word tells that is missing and
tells most, and what differs or is opposed, 1 or 0."""


@dataclass(frozen=True, slots=True)
class Model:
    """What makes a text support a claim, or contradict it.

    Attributes:
        weights: Level → sign, or `intercept` → weight.
    """

    weights: Mapping[str, Mapping[str, float]]

    def likely(self, level: str, found: Comparison) -> float:
        """Weigh a comparison.

        Args:
            level: One of `LEVELS`.
            found: What comparing a claim with a text found.

        Returns:
            A probability.
        """
        weights = self.weights[level]
        total = weights[INTERCEPT] + sum(
            weights[name] * value for name, value in zip(SIGNS, signs_of(found), strict=True)
        )
        return 1 / (1 + math.exp(-total))


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
def model() -> Model:
    """Read the model that the package has.

    Returns:
        The model.

    Raises:
        InputError: The file was cut short or is of another version.
    """
    return read(FILE)


def read(path: Path) -> Model:
    """Read a model.

    Args:
        path: A file that `write` wrote.

    Returns:
        The model.

    Raises:
        InputError: The file lacks a weight, has one that this version does not know, or one that is no number.
    """
    weights: dict[str, dict[str, float]] = {level: {} for level in LEVELS}
    known = {*SIGNS, INTERCEPT}
    for number, line in table_lines(path):
        try:
            level, name, text = line.split("\t")
            value = float(text)
        except ValueError:
            level, name, value = "", "", math.nan
        if level not in weights or name not in known or not math.isfinite(value):
            raise InputError(
                f"{path}:{number}: no weight of a verifier; make the file anew: medgraph train verifier FILE"
            )
        weights[level][name] = value
    if lost := [f"{level} {name}" for level in LEVELS for name in (*SIGNS, INTERCEPT) if name not in weights[level]]:
        raise InputError(f"{path}: lacks the weight {lost[0]!r}; make the file anew: medgraph train verifier FILE")
    return Model(weights)


def write(given: Model, path: Path, made_by: str) -> None:
    """Write a model as a table that people can read.

    Args:
        given: The model.
        path: The file; replaced.
        made_by: What was done to make it.

    Raises:
        OSError: The file cannot be written.
    """
    rows = ((level, name, f"{given.weights[level][name]:.3f}") for level in LEVELS for name in (*SIGNS, INTERCEPT))
    write_table(path, made_by, "level\tsign\tweight", rows)
