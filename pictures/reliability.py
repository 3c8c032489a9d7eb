"""The plot of how often passages answer against how likely the reranker says they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .plot import Line, Plot

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def plot_of(curves: Mapping[str, Sequence[tuple[float, float, int]]], threshold: float) -> Plot:
    """Plot reliability curves.

    Args:
        curves: Name → mean probability, share that answers, and count of each part, the lowest first; three at most.
        threshold: What the best passage must reach for a question to be said to have an answer; 0 for nothing.

    Returns:
        The plot, with the diagonal on which probabilities would be what they say.
    """
    lines = [
        Line(f"{name} ({sum(count for *_, count in parts)} passages)", [(said, seen) for said, seen, _ in parts])
        for name, parts in curves.items()
    ]
    none = (
        f"Where the best passage of a question has less than {threshold:.2f}, none of them is said to answer."
        if threshold
        else "No threshold is worth anything, so that it is never said that none of them answers."
    )
    return Plot(
        "Reliability",
        "how likely a passage is said to answer",
        "passages that do",
        [*lines, Line("what is said is so", [(0.0, 0.0), (1.0, 1.0)])],
        remarks=[
            "A point is the passages whose probabilities are within one tenth: their mean, and the share that was "
            f"graded 3 or 4 by reading. Below the line too many are said to answer, above it too few. {none}"
        ],
    )
