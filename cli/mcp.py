"""The command that serves agents over standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shared import CYPHER, agents_of, assembly_of, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@CYPHER
@with_database
def mcp(settings: Settings, database: Database, cypher: bool) -> None:
    """Serve agents by the Model Context Protocol, over standard input and output.

    An agent's client starts this command. Over HTTP, `medgraph serve --mcp` does the same at /mcp.
    """
    from ..api.service import Service

    agents_of(Service(assembly_of(settings, database, joins=False)), cypher=cypher).run("stdio")


COMMANDS = (mcp,)
