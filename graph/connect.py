"""Open the database that the settings name, start the embedded server when it is meant, or open a graph for a while."""

from __future__ import annotations

import socket
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..errors import SettingsError
from ..progress import note
from .database import Database
from .imports import absent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..settings import Settings

SCHEMES: Final = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


def connect(settings: Settings, retry_time: float | None = None, time_limit: float | None = None) -> Database:
    """Open the database that the settings name, and start the embedded server when it is meant; the caller closes it.

    Example:
        >>> from medgraph.settings import Settings
        >>> with connect(Settings.from_environment()) as database:
        ...     database.name
        'neo4j'

    Args:
        retry_time: For how many seconds to try again what fails because the database is away.
        time_limit: How many seconds a statement that reads may take; None for any time.

    Raises:
        SettingsError: `NEO4J_URI` is no address of a Neo4j server.
        DatabaseUnavailableError: Nothing answers at `NEO4J_URI`.
        AuthenticationError: User name or password are wrong.
    """
    with absent("pandas", "pyarrow"):  # the driver imports them where they are installed, and we give it none
        import_module("neo4j")
    uri, username, password = settings.neo4j_uri, settings.neo4j_username, settings.neo4j_password or ""
    if uri is not None and uri.partition("://")[0] not in SCHEMES:
        raise SettingsError(f"NEO4J_URI is {uri!r}; it starts with one of {', '.join(SCHEMES)} and ://")
    if uri is None:
        from ..server.embedded import EmbeddedNeo4j

        server = EmbeddedNeo4j(settings, report=note)
        uri = server.start().bolt_uri
        username, password = "neo4j", server.password()
    database = Database(uri, username, password, settings.neo4j_database, retry_time, time_limit)
    try:
        database.verify()
    except BaseException:
        database.close()
        raise
    return database


def browser_address(settings: Settings) -> str:
    """Give the address of the embedded server's Browser, with the connection filled in; empty for another server."""
    from ..server.embedded import EmbeddedNeo4j

    return "" if settings.neo4j_uri else EmbeddedNeo4j(settings).status().browser_uri


@contextmanager
def scratch_graph(settings: Settings, folder: Path | None = None) -> Iterator[tuple[Database, Settings]]:
    """Open a graph apart from the user's with its settings, and stop its server afterwards.

    Args:
        settings: The user's; only where things are, and how to log in, is changed.
        folder: Where the graph is kept between runs; by default below the temporary folder, and gone in the end.
    """
    from ..server.embedded import EmbeddedNeo4j

    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="medgraph-")))
        own = scratch_settings(settings, folder.absolute())
        stack.callback(lambda: EmbeddedNeo4j(own).stop())
        yield stack.enter_context(connect(own)), own


def scratch_settings(settings: Settings, folder: Path) -> Settings:
    """Give settings of an embedded server of its own in a folder, on ports that nobody listens on."""
    bolt, http = _free_ports()
    own = replace(settings, home=folder, bolt_port=bolt, http_port=http)
    return replace(own, neo4j_uri=None, neo4j_username="neo4j", neo4j_password=None, neo4j_database="neo4j")


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
