"""The commands on sources: which there are, mappings that make one of any table, and exports."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..progress import note
from ..text import counted
from . import printing
from .shared import AS_JSON, with_any_database, with_database, with_options

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..loaders.mapping.checking import Checked
    from ..settings import Settings

MOST: Final = 100  # faults that are printed; the others are counted
WIDE: Final = 300  # characters of a value, or of a fault, that are printed


@click.group(invoke_without_command=True)
@click.option("--available", is_flag=True, help="Tell where files may be had: name, size, licence, address.")
@AS_JSON
@click.pass_context
def sources(context: click.Context, available: bool, as_json: bool) -> None:
    """List the sources that can be loaded, with licence, and which are; `rank` says whose word goes first."""
    if context.invoked_subcommand is None and available:
        from ..loaders.commands import list_available

        rows = list_available()
        columns = ["source", "file", "size", "licence", "recipes", "url", "title"]
        printing.result({"sources": rows}, as_json, printing.table, rows, columns)
    elif context.invoked_subcommand is None:
        context.invoke(_list, as_json=as_json)


@click.command()
@AS_JSON
@with_any_database
def _list(settings: Settings, database: Database, as_json: bool) -> None:
    from ..loaders import registry
    from ..loaders.commands import list_sources

    rows = list_sources(database)
    for line in registry.faults():
        note(line)
    columns = ["source", "loaded", "rank", "documents", "entities", "licence", "version", "title", "url"]
    printing.result({"sources": rows}, as_json, printing.table, rows, columns)


@sources.command("rank")
@click.argument("source")
@click.argument("value", metavar="RANK", type=click.IntRange(1, 9))
@with_any_database
def sources_rank(settings: Settings, database: Database, source: str, value: int) -> None:
    """Say how much the word of SOURCE on entities counts: 1 to 4 before all others, 6 to 9 after them.

    5 is what nobody has ranked: there the vocabulary that coined an id is believed first, of its releases the newest.
    What a table alone lists is told as a fact from the rank 5 on; without a rank, only that the table lists it.
    """
    from ..loaders.commands import rank_named

    rank_named(database, settings, source, value)
    click.echo(f"{source}: rank {value}")


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
    from ..loaders.life.write import foretold
    from ..loaders.mapping.checking import try_out

    found = try_out(file, table, show, foretold)
    printing.result(asdict(found), as_json, _print, found)
    if found.faults:
        if (wrong := found.faults[0].file) != str(file):
            raise click.ClickException(f"{wrong} cannot be loaded by {file}; the line above says why")
        raise click.ClickException(f"{counted(len(found.faults), 'mistake')} in {file}; mend from the first on")
    if found.rejected:
        raise click.ClickException(f"{counted(found.rejected, 'record')} of {table} would be rejected")


@mapping.command("schema")
@click.pass_obj
def mapping_schema(settings: Settings) -> None:
    """Print the JSON schema of mappings, by which editors complete and check them."""
    from ..loaders.mapping.keys import SCHEMA

    click.echo(SCHEMA.read_text(encoding="utf-8"), nl=False)


def _cut(text: str) -> str:
    return text if len(text) <= WIDE else f"{text[:WIDE]}…"


def _print(found: Checked) -> None:
    for fault in found.faults:
        note(f"{fault.where}: {fault.text}")
    for kind, count in found.counts.items():
        click.secho(f"{kind}: {count:,}", bold=True)
        for shown in found.records.get(kind, ()):
            click.echo(f"  line {shown.line}: " + ", ".join(f"{k} {_cut(repr(v))}" for k, v in shown.record.items()))
    problems = [*found.rejects, *found.remarks]
    for problem in problems[:MOST]:
        note(f"{problem.where}: {_cut(problem.text)}")
    if len(problems) > MOST:
        note(f"and {len(problems) - MOST:,} more")
    if found.waiting:
        first = found.lacking[0]
        note(
            f"{found.waiting:,} relations point to entities that the table does not bring, and are rejected unless the "
            f"graph has them; the first: {first.where}: {first.text}"
        )
    if not found.faults and not found.counts and not found.rejected and not found.waiting:
        click.echo(f"{found.source}: the mapping is sound")


_choosing = with_options(
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
    from ..loaders.commands import LoadOptions, write_import_folder

    click.echo(write_import_folder(settings, source, path, LoadOptions(**chosen), folder))
    click.echo("The server is stopped for it, or has no such database yet. Then run, with NEO4J_URI set:", err=True)
    click.echo(f"medgraph schema apply --imported {folder}", err=True)


def _write(database: Database, form: str, path: Path, chosen: dict[str, Any], *, as_json: bool) -> None:
    from ..exports.export import export as write

    report = write(database, form, path, **chosen)
    if as_json:
        printing.as_json(asdict(report))
        return
    counts = ", ".join(counted(number, kind) for kind, number in report.counts.items())
    click.echo(f"{' and '.join(report.files)} written: {counts or 'nothing'}")
    for remark in report.remarks:
        click.echo(remark, err=True)


COMMANDS = (sources, mapping, export)
