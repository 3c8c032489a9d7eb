"""The commands that look for faults in installation and graph, and that tell and apply what the graph is made of."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..progress import note
from ..text import counted
from . import printing
from .shared import AS_JSON, encoder_of, with_any_database, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@AS_JSON
@click.pass_obj
def doctor(settings: Settings, as_json: bool) -> None:
    """Look whether the installation is sound; it starts and changes nothing. Exit status 1 when something is broken."""
    from ..doctor.examine import examine
    from ..doctor.machine import as_dict

    rows = examine(settings)
    data = as_dict(rows)
    printing.result(data, as_json, printing.findings, rows)
    if not data["sound"]:
        raise click.ClickException(f"{data['broken']} broken, {data['warning']} to look at; each says what mends it")


@click.command()
@click.option("--source", default="", help="Look only at what this source says.")
@click.option("--check", "only", multiple=True, help="Run only this check; may be repeated.")
@click.option("--examples", default=5, show_default=True, type=click.IntRange(0), help="Elements to name a finding.")
@click.option("--markdown", "file", type=click.Path(path_type=Path, dir_okay=False), help="Also write a report.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    help="Exit status 1 from this severity on.",
)
@click.option(
    "--known",
    type=click.Path(path_type=Path, dir_okay=False),
    help="An earlier audit's --json: fail only for what is new or has grown since.",
)
@AS_JSON
@with_database
def audit(  # noqa: PLR0913, PLR0917 - one argument an option
    settings: Settings,
    database: Database,
    source: str,
    only: tuple[str, ...],
    examples: int,
    file: Path | None,
    fail_on: str,
    known: Path | None,
    as_json: bool,
) -> None:
    """Look whether what the graph says is sound: provenance, relations, names, cross-references and texts."""
    from ..audit.findings import load_known, markdown
    from ..audit.run import audit as look
    from ..files import check_writable, write_whole

    earlier = load_known(known)
    if file is not None:
        check_writable(file)
    done = look(database, source, examples, only)
    printing.result(done.as_dict(), as_json, printing.audit, done)
    if file is not None:
        write_whole(file, markdown(done).encode())
        note(f"{file} written")
    failing, failed = done.failing(fail_on, earlier), done.counts()["failed"]
    if failing or (failed and fail_on != "never"):
        new = ", new or grown since" if known else ""
        also = f"; {counted(failed, 'check')} could not be run" if failed else ""
        raise click.ClickException(f"{counted(len(failing), 'finding')} of severity {fail_on} or worse{new}{also}")


_PICTURES = (Path("metagraph.svg"), Path("metagraph.png"))


@click.group()
def schema() -> None:
    """Constraints and indexes of the graph, and what it is made of."""


@schema.command("apply")
@click.option(
    "--imported",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Finish what `medgraph export import-files` wrote into FOLDER and neo4j-admin has imported.",
)
@with_any_database
def schema_apply(settings: Settings, database: Database, imported: Path | None) -> None:
    """Apply the migrations that the graph lacks, and wait for its indexes."""
    from ..schema import migrate

    encoder = encoder_of(settings)()
    if imported:
        from ..loaders.commands import finish_import

        model = migrate.Model(encoder.name, encoder.dimension)
        click.echo(finish_import(settings, database, imported, model).summary())
    applied = migrate.apply(database, encoder.name, encoder.dimension, note)
    click.echo(f"{len(applied)} applied; the schema is complete and all indexes are online")


@schema.command("status")
@AS_JSON
@with_any_database
def schema_status(settings: Settings, database: Database, as_json: bool) -> None:
    """List migrations and indexes with their state."""
    from ..graph import catalogue
    from ..schema import migrate

    migrations = [asdict(state) for state in migrate.status(database)]
    indexes = database.run(catalogue.get("index_states"))
    if as_json:
        printing.as_json({"migrations": migrations, "indexes": indexes})
        return
    printing.table(migrations, ["version", "name", "applied"])
    click.echo()
    printing.table(indexes)


@schema.command("picture")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--design", is_flag=True, help="Draw what the graph may hold instead; needs no database.")
@AS_JSON
@click.pass_obj
def schema_picture(settings: Settings, files: tuple[Path, ...], design: bool, as_json: bool) -> None:
    """Draw what the graph holds into FILES, .svg or .png; metagraph.svg and metagraph.png by default."""
    from ..graph import catalogue
    from ..graph.connect import connect
    from ..pictures import relations, svg

    paths = files or _PICTURES
    svg.check(paths)
    rows = []
    if not design:
        with connect(settings) as database:
            rows = database.read(catalogue.get("metagraph"))
    picture = relations.picture_of_schema() if design else relations.picture_of_contents(rows)
    svg.save(picture, paths)
    if as_json:
        printing.as_json({"files": [str(path) for path in paths], "rows": rows})
    else:
        click.echo("\n".join(f"{path} written" for path in paths))


COMMANDS = (doctor, audit, schema)
