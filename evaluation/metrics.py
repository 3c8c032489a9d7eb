"""Measures of ranked retrieval and of saying no."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def ndcg(ranked: Sequence[str], relevant: Collection[str], cut: int = 10) -> float:
    """Compute normalised discounted cumulative gain, with relevance yes or no.

    Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002.

    Args:
        ranked: Ids, best first.
        relevant: Ids that are relevant.
        cut: How many of the first to look at.

    Returns:
        A number from 0 to 1; 0 when nothing is relevant.
    """
    gain = sum(1 / math.log2(rank + 1) for rank, item in enumerate(ranked[:cut], 1) if item in relevant)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(cut, len(relevant)) + 1))
    return gain / ideal if ideal else 0.0


def recall(ranked: Sequence[str], relevant: Collection[str], cut: int = 10) -> float:
    """Compute the share of relevant items that are among the first.

    Args:
        ranked: Ids, best first.
        relevant: Ids that are relevant.
        cut: How many of the first to look at.

    Returns:
        A number from 0 to 1; 0 when nothing is relevant.
    """
    return len(set(ranked[:cut]) & set(relevant)) / len(set(relevant)) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Compute one over the rank of the first relevant item.

    Args:
        ranked: Ids, best first.
        relevant: Ids that are relevant.

    Returns:
        A number from 0 to 1; 0 when none is there.
    """
    return next((1 / rank for rank, item in enumerate(ranked, 1) if item in relevant), 0.0)
