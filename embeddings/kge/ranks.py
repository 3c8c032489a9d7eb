"""Evaluates link prediction: filtered ranks of the right concepts among all, MRR and hits at 1, 3 and 10."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .triples import Rows, Triples

    Floats = NDArray[np.float32]

AT_ONCE: Final = 256  # questions that are scored at once


class Scorer(Protocol):
    """What says how likely each concept is to stand at the other end of a relation."""

    def tails(self, heads: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as tails, a row a question."""

    def heads(self, tails: NDArray[np.int64], relations: NDArray[np.int64]) -> Floats:
        """Score all concepts as heads, a row a question."""


def ranks(scorer: Scorer, triples: Triples, rows: Rows) -> NDArray[np.float64]:
    """Rank what is right among everything that is not known to be right as well.

    Returns:
        Two ranks of each row, that of its tail and that of its head, from 1; of what has the same score, the mean.
    """
    tails, heads = _known(triples.rows), _known(triples.rows[:, ::-1])
    found = np.empty((len(rows), 2))
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        head, kind, tail = part.T
        found[start : start + AT_ONCE, 0] = _ranked(scorer.tails(head, kind), tails, head, kind, tail)
        found[start : start + AT_ONCE, 1] = _ranked(scorer.heads(tail, kind), heads, tail, kind, head)
    return found


def figures(found: NDArray[np.float64]) -> dict[str, Any]:
    """Give the mean of 1/rank, and which share is among the first 1, 3 and 10; nothing of no ranks."""
    if not found.size:
        return {}
    hits = {f"hits@{k}": round(float((found <= k).mean()), 4) for k in (1, 3, 10)}
    return {"mrr": round(float((1 / found).mean()), 4), **hits}


def _known(rows: Rows) -> dict[tuple[int, int], list[int]]:
    known: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one, kind, other in rows.tolist():
        known[one, kind].append(other)
    return known


def _ranked(
    scores: Floats,
    known: dict[tuple[int, int], list[int]],
    given: NDArray[np.int64],
    kinds: NDArray[np.int64],
    right: NDArray[np.int64],
) -> NDArray[np.float64]:
    lines = np.arange(len(right))
    scores = np.where(np.isnan(scores), -np.inf, scores)  # what is no number is no answer
    wanted = scores[lines, right][:, None]
    for line, key in enumerate(zip(given.tolist(), kinds.tolist(), strict=True)):
        scores[line, known[key]] = -np.inf
    above = (scores > wanted).sum(axis=1)
    level = (scores == wanted).sum(axis=1)
    ranked: NDArray[np.float64] = 1 + above + level / 2
    return ranked
