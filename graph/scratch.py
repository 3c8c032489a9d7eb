"""A graph apart from the user's, on a server of its own, for what is only loaded to be measured."""

from __future__ import annotations

import socket
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .connect import connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..settings import Settings
    from .database import Database


@contextmanager
def scratch_graph(settings: Settings, folder: Path | None = None) -> Iterator[tuple[Database, Settings]]:
    """Open a graph of its own, and stop its server afterwards.

    Args:
        settings: The user's; only where things are, and how to log in, is changed.
        folder: Where the graph is kept between runs; by default below the temporary folder, and gone in the end.

    Yields:
        The graph, and the settings that it has.

    Raises:
        StartupError: The server does not start.
    """
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="medgraph-") as temporary, _graph(settings, Path(temporary)) as opened:
            yield opened
    else:
        with _graph(settings, folder.absolute()) as opened:
            yield opened


def scratch_settings(settings: Settings, folder: Path) -> Settings:
    """Say where a graph of its own is.

    Returns:
        Settings of an embedded server there, on ports that nobody listens on.
    """
    bolt, http = _free_ports()
    own = replace(settings, home=folder, bolt_port=bolt, http_port=http)
    return replace(own, neo4j_uri=None, neo4j_username="neo4j", neo4j_password=None, neo4j_database="neo4j")


@contextmanager
def _graph(settings: Settings, folder: Path) -> Iterator[tuple[Database, Settings]]:
    from ..server.embedded import EmbeddedNeo4j

    own = scratch_settings(settings, folder)
    try:
        with connect(own) as database:
            yield database, own
    finally:
        EmbeddedNeo4j(own).stop()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as other:
        for each in (one, other):
            each.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
