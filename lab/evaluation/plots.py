"""Plots of figures, as SVG inside a page or as files; drawn by matplotlib, the extra `plots`."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from medgraph.errors import InputError
from medgraph.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Kind = Literal["curves", "points", "densities", "intervals", "counts"]
    Series = Mapping[str, Sequence[Any]]
    Place = tuple[float, float]
    # a name, points of questions answered and answers that are right, and the points that are marked.
    Line = tuple[str, Sequence[Place], Sequence[tuple[Place, str]]]

_WIDTH: Final = 8.0
_LINE: Final = 0.32  # inches of a line of intervals


def draw(kind: Kind, title: str, labels: tuple[str, str], series: Series) -> str:
    """Draw a plot.

    Args:
        kind: `curves` and `points` have two lists a series, x and y; `densities` values, whose density is drawn;
            `intervals` value, low, high and the value to compare with or None; `counts` a row of a table.
        labels: What stands at the axes.

    Raises:
        InputError: The extra `plots` or `evaluate` is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from scipy.stats import gaussian_kde
    except ImportError as error:
        raise InputError(f"plots need {error.name}: pip install 'medgraph[evaluate,plots]'") from error
    height = 1.5 + _LINE * len(series) if kind == "intervals" else 5.0
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.set(title=title, xlabel=labels[0], ylabel=labels[1])
    if kind == "intervals":
        _intervals(axes, series)
    elif kind == "counts":
        _counts(axes, series)
    else:
        for name, values in series.items():
            if kind == "curves":
                axes.plot(*values, label=name)
            elif kind == "points":
                axes.plot(*values, "o", alpha=0.4, label=name)
            elif len(set(values)) > 1:
                margin = (max(values) - min(values)) / 2
                at = np.linspace(min(values) - margin, max(values) + margin, 200)
                axes.plot(at, gaussian_kde(values)(at), label=name)
    if axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside lower center", ncols=2, fontsize="small")
    drawing = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": title}):
        figure.savefig(drawing, format="svg", metadata={"Date": None})
    return drawing.getvalue()[drawing.getvalue().index("<svg") :]


def _intervals(axes: Any, series: Series) -> None:
    places, (values, low, high, others) = range(len(series)), zip(*series.values(), strict=True)
    axes.hlines(places, low, high)
    axes.plot(values, places, "o", label="ours, 95 %")
    if known := [(other, place) for place, other in enumerate(others) if other is not None]:
        axes.plot(*zip(*known, strict=True), "D", label="printed")
    axes.set_yticks(places, list(series))
    axes.set_ylim(len(series) - 0.5, -0.5)


def _counts(axes: Any, series: Series) -> None:
    table = np.array(list(series.values()))
    axes.imshow(
        table / np.maximum(table.sum(axis=1, keepdims=True), 1), cmap="Blues", vmin=0, vmax=2
    )  # light enough for counts to be read
    names = list(series)
    axes.set_xticks(range(len(names)), names)
    axes.set_yticks(range(len(names)), names)
    for (row, column), count in np.ndenumerate(table):
        axes.text(column, row, str(count), ha="center", va="center")


def save_coverage(lines: Sequence[Line], cost: int, path: Path) -> None:
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
    write_whole(path, drawing.getvalue())
