"""The commands that run the service, for programs and people, and for agents."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from ..progress import note
from .shared import CYPHER, agents_of, assembly_of, require_schema, with_database

if TYPE_CHECKING:
    from ..graph.database import Database
    from ..settings import Settings


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="An address; one that others can reach needs a key."
)
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65_535), help="0 takes any that is free."
)
@click.option(
    "--trusted-proxy", "proxy", metavar="ADDRESS", help="A proxy that says from which address a request comes."
)
@click.option(
    "--cors", "origins", metavar="ORIGIN", multiple=True, help="Let pages of this origin call it; may be repeated."
)
@click.option(
    "--keys",
    "limited",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keys that are limited to sources or licences: a YAML list of key, sources, licences.",
)
@click.option("--mcp", is_flag=True, help="Also serve agents, by the Model Context Protocol at /mcp.")
@CYPHER
@click.option("--log-questions", is_flag=True, help="Also write down what is asked.")
@click.pass_obj
def serve(settings: Settings, host: str, port: int, mcp: bool, cypher: bool, **wishes: Any) -> None:
    """Serve answers and search to programs, and a page to ask on."""
    from ..api.access import make_options
    from ..api.app import serve as run
    from ..api.service import RETRY_TIME, TIME_LIMIT, Service
    from ..graph.connect import browser_address, connect

    if cypher and not mcp:
        raise InputError("--cypher is for agents; give --mcp too")
    options = make_options(settings, host, browser_address(settings), **wishes)
    with connect(settings, RETRY_TIME, TIME_LIMIT) as database:
        if settings.neo4j_uri is None:  # of another server /readyz says what it lacks, until somebody applies it
            require_schema(settings, database)
        service = Service(assembly_of(settings, database, joins=False))
        agents = partial(agents_of, cypher=cypher) if mcp else None
        if agents:
            agents(service)  # it names the extra that is missing, before the service begins
        run(service, options, host, port, note, wishes["proxy"], agents)


@click.command()
@CYPHER
@with_database
def mcp(settings: Settings, database: Database, cypher: bool) -> None:
    """Serve agents by the Model Context Protocol, over standard input and output.

    An agent's client starts this command. Over HTTP, `medgraph serve --mcp` does the same at /mcp.
    """
    from ..api.service import Service

    agents_of(Service(assembly_of(settings, database, joins=False)), cypher=cypher).run("stdio")


COMMANDS = (serve, mcp)
