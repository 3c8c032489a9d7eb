"""The driver's errors, told as ours."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import (
    AuthenticationError,
    ConflictError,
    DatabaseBusyError,
    DatabaseError,
    DatabaseUnavailableError,
    IndexNotReadyError,
    QueryError,
    QueryTimeoutError,
    ReadOnlyError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j.exceptions import Neo4jError

INDEX_STATES = {
    "51N63": "still populates; try again later",
    "22N69": "is missing; run: medgraph index embeddings --rebuild",
}
CONFLICT = "Neo.ClientError.Schema.ConstraintValidationFailed"
READ_ONLY = "in read-only mode"
STOPPED = "Neo.DatabaseError.Transaction.Transaction"  # ...StartFailed and ...CommitFailed
TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"


@contextmanager
def translated_errors(query: Any, uri: str) -> Iterator[None]:
    """Turn the driver's errors into ours.

    Args:
        query: The running statement's name, or a function that returns it.
        uri: The database's address, for the message.

    Yields:
        Nothing; the body runs inside.

    Raises:
        AuthenticationError: User name or password are wrong.
        DatabaseUnavailableError: Nothing answers, or it went away.
        QueryTimeoutError: A statement took too long.
        IndexNotReadyError: An index that a statement needs still populates.
        QueryError: A statement failed.
        DatabaseError: Anything else the driver says.
    """
    from neo4j import exceptions as neo

    try:
        yield
    except neo.AuthError as error:
        raise AuthenticationError(
            f"{uri} does not accept the user name or password; check NEO4J_USERNAME and NEO4J_PASSWORD"
        ) from error
    except (neo.ServiceUnavailable, neo.SessionExpired, neo.DatabaseUnavailable, OSError) as error:
        raise DatabaseUnavailableError(
            f"no answer from the database at {uri}; see whether it runs (medgraph neo4j status) and try again"
        ) from error
    except neo.ConfigurationError as error:
        raise DatabaseError(f"{uri} cannot be used: {error}; NEO4J_URI looks like bolt://host:7687") from error
    except neo.Neo4jError as error:
        ours = _refused(error, _name(query), uri)
        raise ours from error
    except neo.ResultFailedError as error:
        # Now and then the driver trips over the failed result when it rolls back, and hides the failure behind that.
        if not isinstance(error.__cause__, neo.Neo4jError):
            raise DatabaseError(f"the driver could not go on at {uri}: {error}") from error
        ours = _refused(error.__cause__, _name(query), uri)
        raise ours from error
    except neo.DriverError as error:
        raise DatabaseError(f"the driver could not go on at {uri}: {error}") from error
    except (ValueError, OverflowError) as error:
        if _name(query) == "connect":
            raise DatabaseError(f"{uri} cannot be used: {error}; NEO4J_URI looks like bolt://host:7687") from error
        raise QueryError(f"a value for it cannot be sent: {error}", _name(query)) from error


def _refused(error: Neo4jError, name: str, uri: str) -> DatabaseError:
    """Choose our error for what the database says of a statement."""
    if (error.code or "").startswith(TIMED_OUT):
        return QueryTimeoutError("it took longer than it may", name)
    if READ_ONLY in (error.message or "") or (error.code or "").startswith(STOPPED):
        return ReadOnlyError(
            f"the database at {uri} takes no more changes: its disk may be full. Make room, restart the server (the "
            "embedded one: medgraph neo4j stop), and run the command again; what was stored stays"
        )
    if error.code == CONFLICT:
        return ConflictError(error.message or str(error), name)
    if error.gql_status in INDEX_STATES:
        return IndexNotReadyError(f"an index that {name} needs {INDEX_STATES[error.gql_status]}")
    if error.is_retryable():
        return DatabaseBusyError(f"the database at {uri} is too busy, or changes over; try again")
    return QueryError(error.message or str(error), name)


def _name(query: Any) -> str:
    return str(query() if callable(query) else query)
