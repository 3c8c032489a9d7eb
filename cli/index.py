"""The command that makes chunks and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import encoder_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@click.argument(
    "what", type=click.Choice(["chunks", "embeddings", "concepts", "links", "subgraphs", "all"]), default="all"
)
@click.option("--rebuild", is_flag=True, help="Make every vector anew, for another encoder.")
@with_database
def index(settings: Settings, database: Database, what: str, rebuild: bool) -> None:
    """Join entities at concepts, cut new sections into chunks, embed these, and note what they mention.

    `subgraphs`, which `all` leaves out, writes what relations tell as texts of the
    source graph, with chunks and vectors.
    """
    from ..embeddings.index import index as make_index
    from ..linking.mentions import index_links
    from ..linking.names import has_names, index_names, names_in_use

    if what in {"chunks", "embeddings", "all"}:
        click.echo(make_index(database, encoder_of(settings)(), what, rebuild=rebuild).summary())
    if what == "concepts":
        click.echo(index_names(settings, database).summary())
    if what in {"links", "all"} and has_names(database):
        click.echo(index_links(database, *names_in_use(settings, database)).summary())
    if what == "subgraphs":
        _index_subgraphs(settings, database)


def _index_subgraphs(settings: Settings, database: Database) -> None:
    """Write what relations tell, load what is new of it, and cut and embed that."""
    from ..embeddings.index import index as make_index
    from ..files import write_whole
    from ..loaders.commands import Wish, load_named, unload_named
    from ..loaders.life.withdraw import sources_of
    from ..queries.graph_texts import graph_documents
    from ..schema.rows import to_json

    encoder = encoder_of(settings)()
    lines = [to_json(document) for document in graph_documents(database, encoder)]
    if lines:
        file = settings.home / "subgraphs.jsonl"
        write_whole(file, "\n".join([*lines, ""]).encode())
        click.echo(load_named(database, settings, "graph", file, Wish(replace=True)).summary())
        click.echo(make_index(database, encoder, "all").summary())
        return
    if sources_of(database, "graph"):
        unload_named(database, settings, "graph")
    click.echo("no relation tells anything; load sources with relations, or run: medgraph index links")


COMMANDS = (index,)
