"""Prints results of commands: tables and findings for people, JSON for programs."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..audit.findings import Audit, Result
    from ..doctor.machine import Finding as DoctorFinding


def as_json(data: Any) -> None:
    """Print data as JSON."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2, default=str))


def result(data: Any, in_json: bool, show: Callable[..., None], *arguments: Any) -> None:
    """Print data as JSON, or let `show` print for people what it is of."""
    if in_json:
        as_json(data)
    else:
        show(*arguments)


def heading(name: str, rest: str) -> None:
    """Print a name, and beside it what and which it is."""
    click.secho(name, bold=True, nl=False)
    click.echo(f"  {rest}")


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None, longest: int = 80) -> None:
    """Print rows as a table, by default with all columns of the first; a text of more than `longest` letters is cut."""
    if not rows:
        click.echo("Nothing was found.")
        return
    names = list(columns or rows[0])
    cells = [[_cell(row.get(name), longest) for name in names] for row in rows]
    widths = [max([len(name), *(len(line[i]) for line in cells)]) for i, name in enumerate(names)]
    numeric = [all(isinstance(row.get(name), int | float) for row in rows) for name in names]
    for line in [names, ["-" * width for width in widths], *cells]:
        padded = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(line, widths, numeric, strict=True)]
        click.echo("  ".join(padded).rstrip())


def figures(
    rows: Sequence[Mapping[str, Any]],
    *,
    in_json: bool,
    made_with: Mapping[str, str] | None = None,
    **others: Sequence[Mapping[str, Any]],
) -> None:
    """Print rows as a table, or as JSON by `rows`; `others` are more rows, each a table of its own under its name."""
    if in_json:
        as_json({"rows": rows, **others, **(made_with or {})})
        return
    table(rows)
    for name, more in others.items():
        click.echo(f"\n{name}")
        table(more)


def findings(rows: Sequence[DoctorFinding]) -> None:
    """Print what the doctor found, the worst first."""
    colours = {"broken": "red", "warning": "yellow", "ok": "green"}
    for row in rows:
        click.secho(f"{row.level:8}", fg=colours[row.level], nl=False)
        click.echo(f"{row.id}: {' '.join(row.what.split())}  ", nl=False)
        click.secho(f"[{row.where}]", dim=True)
        if row.remedy:
            click.echo(f"        to mend it: {row.remedy}")


def audit(data: Audit, limit: int = 10) -> None:
    """Print what an audit found."""
    for result in data.results:
        if result.failure:
            click.secho(f"\n{result.check}: could not be run: {result.failure}", fg="red")
        if result.findings:
            _result(result, limit)
    sound = sum(1 for result in data.results if not result.findings and not result.failure)
    counts = data.counts()
    click.echo(
        f"\n{counts['error']:,} errors, {counts['warning']:,} warnings, {counts['note']:,} notes; "
        f"{sound} of {len(data.results)} checks found nothing"
    )


def _result(result: Result, limit: int) -> None:
    colours = {"error": "red", "warning": "yellow", "note": None}
    click.secho(f"\n{result.check}", bold=True, nl=False)
    click.echo(f": {result.purpose}")
    for row in result.findings[:limit]:
        click.secho(f"  {row.severity:8}", fg=colours[row.severity], nl=False)
        count = "" if row.counts_itself else f"{row.count:,} "
        click.echo(f"{count}{row.what}{f' [{row.source}]' if row.source else ''}  ", nl=False)
        click.secho(row.id, dim=True)
        for example in row.examples:
            click.secho(f"           {textwrap.shorten(example, 150, placeholder=' …')}", dim=True)
    if len(result.findings) > limit:
        click.echo(f"  and {len(result.findings) - limit:,} more; --markdown FILE or --json has them all")
    click.echo(f"  to mend it: {result.remedy}")


def _cell(value: Any, longest: int) -> str:
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, str):
        return textwrap.shorten(value, longest, placeholder=" …")
    return textwrap.shorten(json.dumps(value, ensure_ascii=False, default=str), longest, placeholder=" …")


def wrapped(text: str, indent: int) -> str:
    """Wrap a text for the terminal, indented; line breaks in it do not count."""
    width = min(shutil.get_terminal_size().columns, 100)
    blank = " " * indent
    return textwrap.fill(" ".join(text.split()), width, initial_indent=blank, subsequent_indent=blank)
