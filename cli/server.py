"""The commands on servers: the embedded Neo4j, the service for programs and people, that for agents, a first try."""

from __future__ import annotations

import shutil
import sys
import webbrowser
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..errors import InputError
from ..progress import note
from . import printing
from .index import index_all
from .shared import (
    AS_JSON,
    CYPHER,
    agents_of,
    assembly_of,
    encoder_of,
    linker_of,
    require_schema,
    sentence_reader_of,
    with_database,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..answers.answer import Answer
    from ..embeddings.encoders.encoder import TextEncoder
    from ..graph.database import Database
    from ..server.embedded import EmbeddedNeo4j
    from ..server.process import ServerStatus
    from ..settings import Settings


@click.group()
def neo4j() -> None:
    """The embedded Neo4j server."""


def _server(settings: Settings) -> EmbeddedNeo4j:
    from ..server.embedded import EmbeddedNeo4j

    if settings.neo4j_uri:
        raise click.ClickException(f"NEO4J_URI is {settings.neo4j_uri}; unset it to use the embedded server")
    return EmbeddedNeo4j(settings, report=note)


def _print_status(status: ServerStatus, as_json: bool) -> None:
    data = asdict(status)
    if as_json:
        printing.as_json(data)
        return
    for name, value in data.items():
        click.echo(f"{name.replace('_', ' ')}: {value}")


@neo4j.command()
@AS_JSON
@click.pass_obj
def start(settings: Settings, as_json: bool) -> None:
    """Start the server, and wait until it answers."""
    _print_status(_server(settings).start(), as_json)


@neo4j.command()
@click.pass_obj
def stop(settings: Settings) -> None:
    """Stop the server."""
    stopped = _server(settings).stop()
    click.echo("stopped" if stopped else "was not running")


@neo4j.command()
@AS_JSON
@click.pass_obj
def status(settings: Settings, as_json: bool) -> None:
    """Say whether the server runs, and where."""
    _print_status(_server(settings).status(), as_json)


@neo4j.command()
@click.pass_obj
def password(settings: Settings) -> None:
    """Print the password of the user neo4j."""
    click.echo(_server(settings).password())


@neo4j.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def dump(settings: Settings, file: Path) -> None:
    """Write the whole graph to FILE."""
    _server(settings).dump(file)
    click.echo(f"dumped to {file}")


@neo4j.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.confirmation_option(prompt="This replaces the whole graph. Go on?")
@click.pass_obj
def restore(settings: Settings, file: Path) -> None:
    """Replace the whole graph by a dump."""
    _server(settings).restore(file)
    click.echo(f"restored from {file}")


@neo4j.command()
@click.option("--open/--no-open", "open_it", default=True, help="Open it in the default web browser.")
@click.option(
    "--favorites",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.zip",
    help="Write the saved queries to a file that Browser takes as favorites.",
)
@click.pass_obj
def browser(settings: Settings, open_it: bool, favorites: Path | None) -> None:
    """Tell how to open Neo4j Browser, with our style and saved queries, and open it."""
    from ..queries.saved import PLACE, STYLE, write_favorites

    if favorites:
        note(f"{write_favorites(favorites)} saved queries written")
    server = _server(settings)
    status = server.start()
    click.echo(
        f"address: {status.browser_uri}\nuser: neo4j\npassword: {server.password()}\n"
        f"style: {STYLE} (drop it on the page)\n"
        f"saved queries: {PLACE} (begin with its README.md)"
    )
    if favorites:
        click.echo(f"favorites: {favorites.resolve()} (drop it on the page; they come under the star)")
    if open_it:
        webbrowser.open(status.browser_uri)  # does nothing where there is no screen, which xdg-open complains of


FIRST_QUESTION: Final = "What are the symptoms of type 2 diabetes?"


@click.command()
@AS_JSON
@click.pass_obj
def quickstart(settings: Settings, as_json: bool) -> None:
    """Bring everything up: server, schema, built-in sample, indexes, and one cited answer."""
    from ..graph.connect import connect

    with connect(settings) as database:
        answer = _bring_up(settings, database, encoder_of(settings))
    if as_json:
        printing.as_json(answer.as_dict())
        return
    click.secho(f"\nQ: {answer.question}\n", bold=True)
    printing.answer(answer)
    started = sys.argv[0] if Path(sys.argv[0]).name == "medgraph" else f"{sys.executable} -m medgraph"
    medgraph = "medgraph" if shutil.which("medgraph") else started
    click.echo(
        "\nTry next:\n"
        f'  {medgraph} ask "How is gout treated?"\n'
        f'  {medgraph} search "swollen red big toe at night" --top-k 5\n'
        f"  {medgraph} query counts\n"
        f"  {medgraph} load medquad PATH/TO/medquad.zip && {medgraph} index\n"
        f"  {medgraph} neo4j browser"
    )


def _bring_up(settings: Settings, database: Database, encoder: Callable[[], TextEncoder]) -> Answer:
    from ..answers.assembly import Assembly
    from ..loaders.commands import load_named
    from ..schema import migrate

    migrate.apply(database, encoder().name, encoder().dimension, note)
    note(load_named(database, settings, "sample").summary())
    for line in index_all(settings, database, encoder()):
        note(line)
    linker, reads = linker_of(settings, database), sentence_reader_of(settings)
    return Assembly(database, encoder, linker, load_sentence_reader=reads).answerer.ask(FIRST_QUESTION)


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
    help="Keys limited to sources or licences, or for curators: a YAML list of key, sources, licences, curate.",
)
@click.option("--mcp", is_flag=True, help="Also serve agents, by the Model Context Protocol at /mcp.")
@CYPHER
@click.option("--log-questions", is_flag=True, help="Also write down what is asked.")
@click.pass_obj
def serve(settings: Settings, /, host: str, port: int, mcp: bool, cypher: bool, **wishes: Any) -> None:
    """Serve answers and search to programs, and a page to ask on."""
    from ..api.access import check_scopes, make_options
    from ..api.app import serve as run
    from ..api.desk import Desk
    from ..api.service import RETRY_TIME, TIME_LIMIT, Service
    from ..graph.connect import browser_address, connect

    if cypher and not mcp:
        raise InputError("--cypher is for agents; give --mcp too")
    desk = Desk(settings, lambda database: index_all(settings, database, encoder_of(settings)()))
    options = replace(make_options(settings, host, browser_address(settings), **wishes), desk=desk)
    with connect(settings, RETRY_TIME, TIME_LIMIT) as database:
        if settings.neo4j_uri is None:  # of another server /readyz says what it lacks, until somebody applies it
            require_schema(settings, database)
        check_scopes(database, options.limited, wishes["limited"])
        service = Service(assembly_of(settings, database, joins=False))
        agents = partial(agents_of, cypher=cypher and settings.cypher_timeout) if mcp else None
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

    service = Service(assembly_of(settings, database, joins=False))
    agents_of(service, cypher=cypher and settings.cypher_timeout).run("stdio")


COMMANDS = (neo4j, quickstart, serve, mcp)
