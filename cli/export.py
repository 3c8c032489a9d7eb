"""The commands that write the graph in the field's formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import printing
from .shared import AS_JSON, given_options, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings

_PLURALS = {
    "source": "source(s)",
    "entity": "entities",
    "relation": "relations",
    "document": "documents",
    "mapping": "mappings",
}
_choosing = given_options(
    click.option("--source", "sources", multiple=True, help="Only this source and its parts; may be repeated."),
    click.option("--licence", "licences", multiple=True, help="Only sources of this licence; may be repeated."),
    click.option("--force", is_flag=True, help="Replace what is there."),
)


@click.group()
def export() -> None:
    """The graph in the field's formats, by source and licence; what is written is whole or not there."""


@export.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--tsv", "table", is_flag=True, help="Write nodes.tsv and edges.tsv; nodes.jsonl and edges.jsonl otherwise."
)
@_choosing
@AS_JSON
@with_database
def kgx(settings: Settings, database: Database, folder: Path, as_json: bool, **chosen: Any) -> None:
    """Write nodes and edges of Biolink into FOLDER; `medgraph load kgx FOLDER` brings them back as they were."""
    _write(database, "kgx", folder, chosen, as_json=as_json)


@export.command()
@click.argument("file", type=click.Path(path_type=Path))
@_choosing
@AS_JSON
@with_database
def nquads(settings: Settings, database: Database, file: Path, as_json: bool, **chosen: Any) -> None:
    """Write N-Quads, a named graph a source; `medgraph load nquads FILE` brings them back as they were."""
    _write(database, "nquads", file, chosen, as_json=as_json)


@export.command()
@click.argument("file", type=click.Path(path_type=Path))
@_choosing
@AS_JSON
@with_database
def sssom(settings: Settings, database: Database, file: Path, as_json: bool, **chosen: Any) -> None:
    """Write mappings as SSSOM: matches between entities, their concepts, and their cross-references."""
    _write(database, "sssom", file, chosen, as_json=as_json)


@export.command("import-files")
@click.argument("source")
@click.argument("path", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--release", "version", help="The release, where the file does not say.")
@click.option("--max-rejects", metavar="N|N%|all", help="Go on unless more records than these are rejected.")
@click.pass_obj
def import_files(settings: Settings, /, source: str, path: Path, folder: Path, **chosen: Any) -> None:
    """Write SOURCE's records at PATH into FOLDER, for a server of another operator that holds nothing yet.

    The operator runs the `neo4j-admin` command that is printed, on the server; `medgraph schema apply --imported
    FOLDER` then makes the graph of an ordinary load.
    """
    from ..loaders.commands import LoadOptions
    from ..loaders.import_folder import write_import_folder

    click.echo(write_import_folder(settings, source, path, LoadOptions(**chosen), folder))
    click.echo("The server is stopped for it, or has no such database yet. Then run, with NEO4J_URI set:", err=True)
    click.echo(f"medgraph schema apply --imported {folder}", err=True)


def _write(database: Database, form: str, path: Path, chosen: dict[str, Any], *, as_json: bool) -> None:
    from ..exports.export import export as write

    report = write(database, form, path, **chosen)
    if as_json:
        printing.as_json(report.as_dict())
        return
    counts = ", ".join(f"{number:,} {_PLURALS[kind]}" for kind, number in report.counts.items())
    click.echo(f"{' and '.join(report.files)} written: {counts or 'nothing'}")
    for remark in report.remarks:
        click.echo(remark, err=True)


COMMANDS = (export,)
