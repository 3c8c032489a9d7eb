"""Tables of papers as Markdown and HTML, with plots that matplotlib draws as SVG, the extra `plots`."""

from __future__ import annotations

import html
import io
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from medgraph.errors import InputError, install_line

from .bench import Plot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from .bench import Row

    Kind = Literal["curves", "points", "densities", "intervals", "counts"]
    Series = Mapping[str, Sequence[Any]]

_STYLE: Final = (
    "body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}"
    "td,th{padding:.2em .7em;border-bottom:1px solid #ccc;text-align:left}"
)
_FEWEST, _MOST = 3, 40  # rows that are plotted together, at least and at most
_WIDTH: Final = 8.0
_LINE: Final = 0.32  # inches of a line of intervals
_COLUMNS: Final = ("row", "measure", "printed", "ours", "95 %", "items", "model", "note")


def tables_of(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Give the rows of each table."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.table, []).append(row)
    return found


def cells(row: Row) -> dict[str, Any]:
    """Give a row as people read it."""
    between = "" if row.low is None or row.high is None else f"{_number(row.low)} to {_number(row.high)}"
    values = (
        row.row,
        row.measure,
        _number(row.printed),
        _number(row.ours),
        between,
        row.items or "",
        row.model,
        row.note,
    )
    return {"table": row.table} | dict(zip(_COLUMNS, values, strict=True))


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def markdown(paper: str, rows: Sequence[Row], made_with: str) -> str:
    """Write the tables of a paper as Markdown."""
    lines = [f"# {paper}", "", made_with, ""]
    for table, some in tables_of(rows).items():
        lines += [
            f"## {table}",
            "",
            f"| {' | '.join(_COLUMNS)} |",
            "| --- | --- | ---: | ---: | --- | ---: | --- | --- |",
        ]
        for row in some:
            shown = [str(cells(row)[name]).replace("|", "\\|") for name in _COLUMNS]
            lines.append(f"| {' | '.join(shown)} |")
        lines.append("")
    return "\n".join(lines)


def intervals(rows: Sequence[Row]) -> Iterator[Plot]:
    """Plot one measure of each table: the one that something is printed for, or else the first."""
    for table, some in tables_of(rows).items():
        known = [row for row in some if row.ours is not None and row.low is not None]
        measure = next((row.measure for row in sorted(known, key=lambda row: row.printed is None)), "")
        shown = {row.row: (row.ours, row.low, row.high, row.printed) for row in known if row.measure == measure}
        if _FEWEST <= len(shown) <= _MOST:
            yield Plot(table, "intervals", f"{table}: {measure}", (measure, ""), shown)


def page(paper: str, rows: Sequence[Row], made_with: str, plots: Sequence[Plot], draw: Callable[..., str]) -> str:
    """Write the tables of a paper as a page of HTML, each with its plots, which `draw` gives as SVG."""
    parts = [f"<!doctype html><meta charset=utf-8><title>{html.escape(paper)}</title><style>{_STYLE}</style>"]
    parts.append(f"<h1>{html.escape(paper)}</h1><p>{html.escape(made_with)}</p>")
    for table, some in tables_of(rows).items():
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        parts.append(f"<h2>{html.escape(table)}</h2><table><tr>{head}</tr>")
        for row in some:
            shown = "".join(f"<td>{html.escape(str(cells(row)[name]))}</td>" for name in _COLUMNS)
            parts.append(f"<tr>{shown}</tr>")
        parts.append("</table>")
        drawn = [*intervals(some), *(one for one in plots if one.table == table)]
        parts += [draw(one.kind, one.title, one.labels, one.series) for one in drawn]
    return "\n".join(parts) + "\n"


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
        raise InputError(f"plots need {error.name}; {install_line('evaluate,plots')}") from error
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
