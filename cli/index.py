"""The command that makes chunks and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import encoder_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@click.argument("what", type=click.Choice(["chunks", "embeddings", "all"]), default="all")
@click.option("--rebuild", is_flag=True, help="Make every vector anew, for another encoder.")
@with_database
def index(settings: Settings, database: Database, what: str, rebuild: bool) -> None:
    """Cut new sections into chunks, and embed what is new or stale."""
    from ..embeddings.index import index as make_index

    click.echo(make_index(database, encoder_of(settings)(), what, rebuild=rebuild).summary())


COMMANDS = (index,)
