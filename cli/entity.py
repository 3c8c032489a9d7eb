"""The commands for looking at one entity: its card, and a picture of what is around it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..progress import note
from . import printing
from .shared import AS_JSON, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


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
    from ..pictures import neighbourhood, save
    from ..queries.lookup import entity_card, resolve

    paths = [file] if file else []
    save.check(paths)
    chosen = resolve(database, name)
    card = entity_card(database, chosen.entity)
    if card is None:
        raise click.ClickException(f"{chosen.entity} was taken out of the graph just now")
    for line in chosen.notes:
        note(line)
    if as_json:
        printing.as_json(card)
    else:
        printing.card(card)
    if paths:
        save.save(neighbourhood.picture_of(card), paths)
        note(f"{file} written")


COMMANDS = (entity,)
