"""The commands for making a source of one's own: checking a mapping."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from . import output
from .cli_shared import AS_JSON
from .progress import note

if TYPE_CHECKING:
    from .settings import Settings

MOST: Final = 100
"""Faults that are printed; the others are counted."""


@click.group()
def mapping() -> None:
    """Mappings: tables as sources, by a YAML file."""


@mapping.command("check")
@click.argument("file", metavar="MAPPING", type=click.Path(path_type=Path))
@click.argument("table", type=click.Path(path_type=Path), required=False)
@click.option("--show", default=5, show_default=True, type=click.IntRange(0), help="Records of each kind to print.")
@AS_JSON
@click.pass_obj
def mapping_check(settings: Settings, file: Path, table: Path | None, show: int, as_json: bool) -> None:
    """Check a MAPPING, and with a TABLE also what it makes of that; needs no database."""
    from .loaders.mapping_check import check

    found = check(file, table, show)
    if as_json:
        output.as_json(found)
    else:
        _print(found)
    if found["faults"]:
        raise click.ClickException(f"{len(found['faults']):,} mistakes in {file}; mend them, from the first on")
    if found["rejected"]:
        raise click.ClickException(f"{found['rejected']:,} records of {table} would be rejected")


@mapping.command("schema")
@click.pass_obj
def mapping_schema(settings: Settings) -> None:
    """Print the JSON schema of mappings, by which editors complete and check them."""
    from .loaders.mapping_keys import schema

    output.as_json(schema())


def _print(found: dict[str, Any]) -> None:
    for line in found["faults"]:
        note(f"{line['file']}:{line['line']}: {line['text']}")
    for kind, records in found["records"].items():
        click.secho(f"{kind}: {found['counts'][kind]:,}", bold=True)
        for record in records:
            click.echo(f"  line {record['line']}: " + ", ".join(f"{k} {v!r}" for k, v in record["record"].items()))
    problems = [*found["rejects"], *found["remarks"]]
    for line in problems[:MOST]:
        note(f"{line['file']}:{line['line']}: {line['text']}")
    if len(problems) > MOST:
        note(f"and {len(problems) - MOST:,} more")
    if not found["faults"] and not found["counts"]:
        click.echo(f"{found['source']}: the mapping is sound")
