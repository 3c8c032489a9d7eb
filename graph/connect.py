"""Open the database that the settings name, and start the embedded server when it is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..errors import SettingsError
from ..progress import note
from .database import Database

if TYPE_CHECKING:
    from ..settings import Settings

SCHEMES: Final = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


def connect(settings: Settings, retry_time: float | None = None, time_limit: float | None = None) -> Database:
    """Open the database that the settings name; the embedded server, when it is meant, is started.

    Args:
        settings: Where the database is; without `NEO4J_URI` the embedded one.
        retry_time: For how many seconds to try again what fails because the database is away.
        time_limit: How many seconds a statement that reads may take; None for any time.

    Returns:
        A database that answers; the caller closes it.

    Raises:
        SettingsError: `NEO4J_URI` is no address of a Neo4j server.
        DatabaseUnavailableError: Nothing answers at `NEO4J_URI`.
        AuthenticationError: User name or password are wrong.
    """
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
    """Tell where the embedded server's Neo4j Browser is.

    Returns:
        Its address with the connection filled in; empty where `NEO4J_URI` names another server.
    """
    from ..server.embedded import EmbeddedNeo4j

    return "" if settings.neo4j_uri else EmbeddedNeo4j(settings).status().browser_uri
