"""The plot of accuracy against coverage, with what a wrong answer costs; drawn by matplotlib, the extra `plots`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from .. import files
from ..errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    Place = tuple[float, float]
    # A name, points of questions answered and answers that are right, and the points that are marked.
    Line = tuple[str, Sequence[Place], Sequence[tuple[Place, str]]]


def save_plot(lines: Sequence[Line], cost: int, path: Path) -> None:
    """Plot how accurate answers are against how much is answered.

    Args:
        lines: A line a kind of question.
        cost: How much worse a wrong answer is than none; below the level that follows, answers cost more than silence.
        path: The file, with a name that ends in .svg or .png.

    Raises:
        InputError: The extra `plots` is not installed, or the file cannot be written.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.ticker import PercentFormatter
    except ImportError as error:
        raise InputError(f"plots need matplotlib ({error}): pip install 'medgraph[plots]'") from error
    figure = Figure(figsize=(8, 6), layout="constrained")
    axes = figure.subplots()
    for name, points, marked in lines:
        (drawn,) = axes.plot(*zip(*points, strict=True), label=name) if points else axes.plot([], label=name)
        for at, text in marked:
            axes.plot(*at, "o", color=drawn.get_color(), label=text)
    level = 1 - 1 / cost
    told = f"below {level:.0%} answers cost more than silence: {cost} for a wrong one, 1 for none"
    axes.axhline(level, color="grey", linestyle=":", label=told)
    axes.set(title="Accuracy against coverage", xlabel="questions answered", ylabel="answers that are right")
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0))
    figure.legend(loc="outside lower center", fontsize="small")
    drawing = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none"}):
        figure.savefig(drawing, format=path.suffix.lower().removeprefix("."))
    files.write_whole(path, drawing.getvalue())
