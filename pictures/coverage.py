"""The plot of accuracy against coverage, with what a wrong answer costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .plot import Plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .plot import Line


def plot_of(lines: Sequence[Line], cost: int) -> Plot:
    """Plot how accurate answers are against how much is answered.

    Args:
        lines: A line a kind of question, with what is marked on it.
        cost: How much worse a wrong answer is than none.

    Returns:
        The plot, with the level below which answers cost more than silence.
    """
    pays = 1 - 1 / cost
    return Plot(
        "Accuracy against coverage",
        "questions answered",
        "answers that are right",
        lines,
        [(pays, f"below {pays:.0%} answers cost more than silence: {cost} for a wrong one, 1 for none")],
        [
            "A point is a threshold of confidence. An answer is right where the section quoted first was graded 3 or 4 "
            "by reading; sections that nobody graded count as wrong. Cost is what it comes to a question: "
            f"{cost} for a wrong answer, 1 for none, 0 for a right one."
        ],
    )
