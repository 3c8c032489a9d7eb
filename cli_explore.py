"""The commands for looking at the graph: an entity's card, and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import output
from .cli_shared import AS_JSON, with_database
from .progress import note

if TYPE_CHECKING:
    from .database import Database
    from .settings import Settings

_PICTURES = (Path("metagraph.svg"), Path("metagraph.png"))


@click.command()
@click.argument("name")
@click.option(
    "--picture",
    "file",
    type=click.Path(path_type=Path),
    help="Also draw what stands around it, into a .svg or .png file.",
)
@AS_JSON
@with_database
def entity(settings: Settings, database: Database, name: str, file: Path | None, as_json: bool) -> None:
    """Tell what the graph knows about the entity NAME, which is an id, any of its names, or words that name it."""
    from .pictures import neighbourhood, save
    from .queries.lookup import entity_card, resolve

    paths = [file] if file else []
    save.check(paths)
    chosen = resolve(database, name)
    card = entity_card(database, chosen.entity)
    if card is None:
        raise click.ClickException(f"{chosen.entity} was taken out of the graph just now")
    for line in chosen.notes:
        note(line)
    if as_json:
        output.as_json(card)
    else:
        output.card(card)
    if paths:
        save.save(neighbourhood.picture_of(card), paths)
        note(f"{file} written")


@click.command("picture")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--design", is_flag=True, help="Draw what the graph may hold instead; needs no database.")
@AS_JSON
@click.pass_obj
def schema_picture(settings: Settings, files: tuple[Path, ...], design: bool, as_json: bool) -> None:
    """Draw what the graph holds into FILES, .svg or .png; metagraph.svg and metagraph.png by default."""
    from .database import connect
    from .pictures import metagraph, save

    paths = files or _PICTURES
    save.check(paths)
    rows = []
    if not design:
        with connect(settings) as database:
            rows = metagraph.counts(database)
    picture = metagraph.design() if design else metagraph.picture_of(rows)
    save.save(picture, paths)
    if as_json:
        output.as_json({"files": [str(path) for path in paths], "rows": rows})
    else:
        click.echo("\n".join(f"{path} written" for path in paths))
