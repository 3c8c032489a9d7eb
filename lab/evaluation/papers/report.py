"""Tables of papers as Markdown and HTML."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

from .bench import Plot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .bench import Row

_STYLE: Final = (
    "body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}"
    "td,th{padding:.2em .7em;border-bottom:1px solid #ccc;text-align:left}"
)
_FEWEST, _MOST = 3, 40  # rows that are plotted together, at least and at most
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
    """Write the tables of a paper as a page of HTML, each with its plots.

    Args:
        draw: Gives a plot as SVG.
    """
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
