"""Every error that medgraph raises on purpose.

Each message is one that a person can act on: what happened, where, and what mends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path


def install_line(name: str) -> str:
    """Say how an extra is installed: from the clone, as a package called medgraph elsewhere may be somebody else's."""
    return f"run in the folder of medgraph: pip install '.[{name}]'"


class MedgraphError(Exception):
    """The root of all errors raised by medgraph."""


class SettingsError(MedgraphError):
    """An environment variable has a value that cannot be used."""


class InputError(MedgraphError):
    """What the caller asked for cannot be done as asked."""


class TermsError(InputError):
    """What is asked for is under terms that whoever uses it has to accept first."""


class NotInGraphError(InputError):
    """What the caller names is not in the graph."""


class DatabaseError(MedgraphError):
    """The database refused a request or is in the wrong state."""


class DatabaseUnavailableError(DatabaseError):
    """Nothing answers at the database's address, or it went away."""


class DatabaseBusyError(DatabaseUnavailableError):
    """The database answers, and cannot do this now: others hold what it needs, or it changes over."""


class AuthenticationError(DatabaseError):
    """The database does not accept the user name or password."""


class QueryError(DatabaseError):
    """A statement failed.

    Attributes:
        query: The catalogue name of the statement, or its first line.
    """

    def __init__(self, message: str, query: str) -> None:
        super().__init__(f"query {query}: {message}")
        self.query = query


class QueryTimeoutError(QueryError):
    """A statement took longer than it may."""


class ConflictError(QueryError):
    """Somebody else made a node of the same id at the same time."""


class ReadOnlyError(DatabaseError):
    """The database takes no changes."""


class IndexNotReadyError(DatabaseError):
    """An index is still populating, has failed, or lacks what was loaded since it was made."""


class EmbeddedServerError(MedgraphError):
    """The embedded Neo4j cannot do what was asked."""


class PortTakenError(EmbeddedServerError):
    """Another program listens on a port that the server needs."""


class NoSpaceError(EmbeddedServerError):
    """The disk has too little room."""


class DownloadError(EmbeddedServerError):
    """Something that is fetched once could not be fetched."""


class ChecksumError(DownloadError):
    """A fetched file is not the one that was recorded."""


class DataVersionError(EmbeddedServerError):
    """The data folder was written by another version of the server."""


class GaveUpError(EmbeddedServerError):
    """The server runs, and its database has given up until it is started again."""


class StartupError(EmbeddedServerError):
    """The server did not come up."""


class CatalogueError(MedgraphError):
    """A .cypher file breaks the catalogue's rules.

    Attributes:
        path: The file.
        line: The line, counted from one.
    """

    def __init__(self, message: str, path: Path, line: int) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line


class SchemaError(MedgraphError):
    """The graph's schema is not what this version needs."""


class MigrationChangedError(SchemaError):
    """A migration that was already applied has been edited since."""


class SchemaMissingError(SchemaError):
    """A migration has not been applied yet."""


class SourceError(MedgraphError):
    """A source cannot be loaded or unloaded."""


class UnknownSourceError(SourceError):
    """No source has this name."""


class SourceFileError(SourceError):
    """A source's file cannot be read.

    Attributes:
        message: What is wrong with it.
        path: The file, or the archive and the member in it.
        line: The line, counted from one, or None where lines mean nothing.
    """

    def __init__(self, message: str, path: Path | str, line: int | None = None) -> None:
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {message}")
        self.message = message
        self.path = path
        self.line = line

    def __reduce__(self) -> tuple[type[Self], tuple[str, Path | str, int | None]]:
        return type(self), (self.message, self.path, self.line)


class RecordError(SourceError):
    """One record breaks a rule of the graph; the load rejects it and goes on."""


class TooManyRejectsError(SourceError):
    """More records were rejected than the source allows."""


class TooFewRecordsError(SourceError):
    """The source yielded fewer records than its stated minimum."""


class EncoderError(MedgraphError):
    """A text encoder cannot be loaded or used."""


class EncoderMismatchError(EncoderError):
    """The graph's vectors were made by another encoder."""


class ModelError(MedgraphError):
    """A language model cannot be used, or did not answer as it was asked."""


class ModelRefusedError(ModelError):
    """The server refuses the key, the model's name or the request."""


class ModelUnavailableError(ModelError):
    """The model cannot be reached, fails, or takes too long."""


class ModelBusyError(ModelUnavailableError):
    """As many calls as are allowed at once are running, or the server asks to wait.

    Attributes:
        retry_after: Seconds after which trying again makes sense.
    """

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelReplyError(ModelError):
    """What the model answered is of no use: empty, cut off or filtered."""


class SchemaMismatchError(ModelReplyError):
    """What the model answered is not of the schema that was asked for."""


class ContextExceededError(ModelError):
    """Prompt and reply do not fit into the model's context."""


class RequestsWaitError(MedgraphError):
    """Batch mode: the request was written down, and its reply is not there yet."""
