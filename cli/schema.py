"""The commands on what the graph is made of: migrations, indexes, and a picture of it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..progress import note
from . import printing
from .shared import AS_JSON, encoder_of, with_any_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings

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
        from ..loaders.import_folder import finish_import

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
    from ..pictures import metagraph, save

    paths = files or _PICTURES
    save.check(paths)
    rows = []
    if not design:
        with connect(settings) as database:
            rows = database.read(catalogue.get("metagraph"))
    picture = metagraph.design() if design else metagraph.picture_of(rows)
    save.save(picture, paths)
    if as_json:
        printing.as_json({"files": [str(path) for path in paths], "rows": rows})
    else:
        click.echo("\n".join(f"{path} written" for path in paths))


COMMANDS = (schema,)
