"""The command that makes chunks and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import encoder_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@click.argument("what", type=click.Choice(["chunks", "embeddings", "concepts", "links", "all"]), default="all")
@click.option("--rebuild", is_flag=True, help="Make every vector anew, for another encoder.")
@with_database
def index(settings: Settings, database: Database, what: str, rebuild: bool) -> None:
    """Join entities at concepts, cut new sections into chunks, embed these, and note what they mention."""
    from ..embeddings.index import index as make_index
    from ..linking.mentions import index_links
    from ..linking.names import has_names, index_names, names_in_use

    if what in {"chunks", "embeddings", "all"}:
        click.echo(make_index(database, encoder_of(settings)(), what, rebuild=rebuild).summary())
    if what == "concepts":
        click.echo(index_names(settings, database).summary())
    if what in {"links", "all"} and has_names(database):
        click.echo(index_links(database, *names_in_use(settings, database)).summary())


COMMANDS = (index,)
