"""Stages of search in the mode `learned`, each of which can be left out to see what it is worth.

The weights stay as they were fitted: what a stage finds is not found, and what it says of candidates counts nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from ..errors import InputError
from .fusion import FEATURES

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

Stage = Literal["words", "fields", "vectors", "names", "types", "questions", "messages", "layers", "reading"]
STAGES: Final[tuple[str, ...]] = get_args(Stage)
"""BM25, how much of the question stands in title, heading and text, vectors, the entities that the question names, the
section type that it asks for, the questions that sections answer, understanding messages of several sentences, the
layers that encode questions, and reading the best candidates together with the question."""

OF_STAGE: Final = {
    "words": {"words", "first by words"},
    "fields": {"question in title", "question in heading", "question in text"},
    "vectors": {"meaning", "nearest", "asked", "meaning where about"},
    "names": {"about it", "about the same", "meaning where about", "type where about"},
    "types": {"type", "other type", "type where about"},
    "questions": {"asked"},
}
"""Stage → the features that it gives."""


def left_out(without: Collection[str], mode: str) -> frozenset[str]:
    """Check which stages search is to do without.

    Args:
        without: Their names.
        mode: The mode of search.

    Returns:
        The stages.

    Raises:
        InputError: There is no such stage, or the mode is not made of stages.
    """
    if unknown := sorted(set(without) - set(STAGES)):
        raise InputError(f"there is no stage {unknown[0]!r}; known are {', '.join(STAGES)}")
    if without and mode != "learned":
        raise InputError(f"stages can be left out of the mode learned, not of {mode}")
    return frozenset(without)


def silenced(described: NDArray[np.float64], without: Collection[str]) -> NDArray[np.float64]:
    """Let what some stages say of candidates count nothing.

    Args:
        described: (candidates, features), in the order of `FEATURES`.
        without: Stages.

    Returns:
        The same with zeros for these stages' features.
    """
    silent = set().union(*(OF_STAGE.get(stage, set()) for stage in without))
    return np.where([name in silent for name in FEATURES], 0.0, described)
