"""The one place that touches the driver: sessions, retries, typed errors and waits for indexes."""

from __future__ import annotations

import time
from contextlib import contextmanager
from copy import copy
from operator import eq
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeVar

from .. import errors
from . import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    from neo4j import Driver, ManagedTransaction, Record
    from neo4j.exceptions import Neo4jError
    from numpy.typing import NDArray

    from .catalogue import Query

    Row = dict[str, Any]
    Statement = tuple[Query, Mapping[str, Any]]

T = TypeVar("T")


class Run(Protocol):
    """Runs a catalogued statement with its parameters."""

    def __call__(self, query: Query, **parameters: Any) -> list[dict[str, Any]]:
        """Run it with values for its `$names`."""


_PLAIN: Final = frozenset({str, int, float, bool, bytes, type(None)})  # types of values that are given as they come
CONNECTION_TIMEOUT = 15.0
RETRY_TIME = 20.0
INDEX_STATES: Final = {
    "51N63": "still populates; try again later",
    "22N69": "is missing; run: medgraph index embeddings --rebuild",
}
CONFLICT: Final = "Neo.ClientError.Schema.ConstraintValidationFailed"
READ_ONLY: Final = "in read-only mode"
STOPPED: Final = "Neo.DatabaseError.Transaction.Transaction"  # ...StartFailed and ...CommitFailed
TIMED_OUT: Final = "Neo.ClientError.Transaction.TransactionTimedOut"


class Database:
    """One driver for one process; owned, and closed, by the command or service that made it.

    Example:
        >>> from medgraph.graph.connect import connect
        >>> from medgraph.settings import Settings
        >>> with connect(Settings.from_environment()) as database:
        ...     database.run(catalogue.get("counts"))[0]["kind"]
        'concept'

    What runs statements raises `QueryError` where one fails, `QueryTimeoutError` where it takes longer than the limit,
    and `DatabaseUnavailableError` where the database went away and did not return in time; of a transaction nothing is
    stored.

    Args:
        uri: A `bolt://` or `neo4j://` address.
        retry_time: For how many seconds to try again what fails because the database is away.
        time_limit: How many seconds a statement that reads may take; None for any time.
        agent: How the server calls us in its list of connections.
    """

    def __init__(
        self,
        uri: str,
        username: str,
        password: str,
        database: str = "neo4j",
        retry_time: float | None = None,
        time_limit: float | None = None,
        agent: str = "medgraph",
    ) -> None:
        import neo4j

        self.uri = uri
        self.name = database
        self.auth = (username, password)
        # The slot of vectors that statements mean, as `catalogue.renamed` has it; None until an encoder is known.
        self.slot: str | None = None
        self._time_limit = time_limit
        self._retry_time = RETRY_TIME if retry_time is None else retry_time
        # Of several servers another may answer a read: it waits until it has what was written here.
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager() if uri.startswith("neo4j") else None
        with translated_errors("connect", uri):
            self._driver: Driver = neo4j.GraphDatabase.driver(
                uri,
                auth=(username, password),
                connection_timeout=CONNECTION_TIMEOUT,
                connection_acquisition_timeout=CONNECTION_TIMEOUT if retry_time is None else retry_time,
                max_transaction_retry_time=self._retry_time,
                notifications_min_severity="OFF",
                user_agent=agent,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection."""
        self._driver.close()

    def within(self, seconds: float) -> Self:
        """Give the same database with another time limit, in seconds, for statements that read, where that is shorter.

        Its connections are those of this one: who made this one closes both.
        """
        limited = copy(self)
        limited._time_limit = min(seconds, self._time_limit or seconds)  # noqa: SLF001 # of its own kind
        return limited

    def in_slot(self, slot: str) -> Self:
        """Give the same database with another place of vectors; its connections are those of this one."""
        other = copy(self)
        other.slot = slot
        return other

    def verify(self) -> None:
        """Ask the server whether it accepts us."""
        with translated_errors("connect", self.uri):
            self._driver.verify_connectivity()

    def read(self, query: Query, **parameters: Any) -> list[Row]:
        """Run one catalogued statement that only reads, retrying what passes by itself."""
        import neo4j

        @neo4j.unit_of_work(timeout=self._time_limit)
        def work(tx: ManagedTransaction) -> list[Row]:
            return [_row(record) for record in tx.run(self._text(query), dict(parameters))]

        with translated_errors(query.name, self.uri):
            rows = self._read_in_one_trip(query, parameters)
            if rows is None:
                with self._session("READ") as session:
                    rows = session.execute_read(work)
            return rows

    def _read_in_one_trip(self, query: Query, parameters: dict[str, Any]) -> list[Row] | None:
        """Read in one round trip, where a managed transaction takes two; gives None for what is worth a second try."""
        import neo4j
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            with self._session("READ") as session:
                result = session.run(neo4j.Query(self._text(query), timeout=self._time_limit), parameters)
                return [_row(record) for record in result]
        except (DriverError, Neo4jError) as error:
            if not error.is_retryable():
                raise
            return None

    def pages(self, query: Query, limit: int, **parameters: Any) -> Iterator[list[Row]]:
        """Read a statement's rows in pages: it takes `$after` and `$limit` and returns rows in the order of `id`.

        Pages are not empty, and writing between them is fine.
        """
        after = ""
        while rows := self.read(query, after=after, limit=limit, **parameters):
            yield rows
            after = rows[-1]["id"]

    def write(self, query: Query, **parameters: Any) -> list[Row]:
        """Run one catalogued statement in a transaction of its own."""
        return self.write_all([(query, parameters)])[0]

    def write_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Run several statements in one transaction: all of them happen or none."""
        return self.transaction(lambda run: [run(query, **parameters) for query, parameters in statements])

    def transaction(self, work: Callable[[Run], T]) -> T:
        """Do several things in one transaction, each knowing what came of those before: all of them happen or none.

        Args:
            work: Gets a function that runs a statement with its parameters and gives the rows. It may be called again,
                when the database says that trying again helps.

        Raises:
            ConflictError: Somebody else made a node of the same id at the same time; nothing is stored.
        """
        running = "transaction"

        def unit(tx: ManagedTransaction) -> T:
            def run(query: Query, **parameters: Any) -> list[Row]:
                nonlocal running
                running = query.name
                return [_row(record) for record in tx.run(self._text(query), parameters)]

            return work(run)

        with translated_errors(lambda: running, self.uri), self._session("WRITE") as session:
            result: T = session.execute_write(unit)
            return result

    def stream(self, query: Query, **parameters: Any) -> Iterator[Row]:
        """Read a statement's rows one by one, however many they are; other sessions may write meanwhile."""
        with translated_errors(query.name, self.uri), self._session("READ") as session:
            for record in session.run(self._text(query), parameters):
                yield _row(record)

    def run(self, query: Query, **parameters: Any) -> list[Row]:
        """Run a statement outside a managed transaction, as schema changes and `IN TRANSACTIONS` need.

        It is run again when the server goes away meanwhile: a second time it does what is left.
        """
        from neo4j.exceptions import DriverError, Neo4jError

        deadline, pause = time.monotonic() + self._retry_time, 0.1
        with translated_errors(query.name, self.uri):
            while True:
                try:
                    with self._session("WRITE") as session:
                        return [_row(record) for record in session.run(self._text(query), dict(parameters))]
                except (DriverError, Neo4jError) as error:
                    if not error.is_retryable() or time.monotonic() + pause > deadline:
                        raise
                time.sleep(pause)
                pause = min(pause * 2, 1.0)

    def wait_for_indexes(self, timeout: float = 600) -> None:
        """Wait until every index is ONLINE, at most `timeout` seconds.

        Raises:
            IndexNotReadyError: One has failed, or still populates when the time is over.
        """
        states = catalogue.get("index_states")
        deadline = time.monotonic() + timeout
        pause = 0.05
        while True:
            rows = [row for row in self.run(states) if row["state"] != "ONLINE"]
            failed = [row["name"] for row in rows if row["state"] == "FAILED"]
            if failed:
                raise errors.IndexNotReadyError(
                    f"index {failed[0]} has failed; drop it in Neo4j Browser (DROP INDEX {failed[0]}) "
                    "and run: medgraph schema apply"
                )
            if not rows:
                return
            if time.monotonic() > deadline:
                names = ", ".join(row["name"] for row in rows)
                raise errors.IndexNotReadyError(f"still populating after {timeout:.0f} s: {names}; try again later")
            time.sleep(pause)
            pause = min(pause * 2, 1.0)

    def _text(self, query: Query) -> str:
        return catalogue.renamed(query.text, self.slot) if self.slot else query.text

    def _session(self, mode: str) -> Any:
        return self._driver.session(database=self.name, default_access_mode=mode, bookmark_manager=self._bookmarks)


def _row(record: Record) -> Row:
    """Give a record's columns; the driver's own `data`, which copies each value, is for those that hold nodes."""
    values = dict(zip(record.keys(), record.values(), strict=True))
    others = [name for name, value in values.items() if not _is_plain(value)]
    return values | {name: _directed(values[name], data) for name, data in record.data(*others).items()}


class PathRow(list[Any]):
    """A path as the driver's `data` gives it, nodes and types of relations in turn; `forward` says where each leads."""

    forward: tuple[bool, ...] = ()


def _directed(value: Any, data: Any) -> Any:
    from neo4j.graph import Path

    if isinstance(value, Path):
        data = PathRow(data)
        data.forward = tuple(map(eq, (one.start_node for one in value.relationships), value.nodes))
    return data


def _is_plain(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        value = value.values()
    return kind in _PLAIN or (kind in {list, dict} and all(map(_is_plain, value)))


def as_vector(values: NDArray[np.float32]) -> Any:
    """Wrap one vector, (dimension,) float32, in the driver's type, which travels three times faster than a list."""
    from neo4j.vector import Vector

    return Vector.from_numpy(values)


@contextmanager
def translated_errors(query: Any, uri: str) -> Iterator[None]:
    """Turn the driver's errors into ours.

    Args:
        query: The running statement's name, or a function that returns it.
    """
    from neo4j import exceptions as neo

    try:
        yield
    except neo.AuthError as error:
        raise errors.AuthenticationError(
            f"{uri} does not accept the user name or password; check NEO4J_USERNAME and NEO4J_PASSWORD"
        ) from error
    except (neo.ServiceUnavailable, neo.SessionExpired, neo.DatabaseUnavailable, OSError) as error:
        raise errors.DatabaseUnavailableError(
            f"no answer from the database at {uri}; see whether it runs (medgraph neo4j status) and try again"
        ) from error
    except neo.ConfigurationError as error:
        raise errors.DatabaseError(f"{uri} cannot be used: {error}; NEO4J_URI looks like bolt://host:7687") from error
    except neo.Neo4jError as error:
        ours = _refused(error, _name(query), uri)
        raise ours from error
    except neo.ResultFailedError as error:
        # Now and then the driver trips over the failed result when it rolls back, and hides the failure behind that.
        if not isinstance(error.__cause__, neo.Neo4jError):
            raise errors.DatabaseError(f"the driver could not go on at {uri}: {error}") from error
        ours = _refused(error.__cause__, _name(query), uri)
        raise ours from error
    except neo.DriverError as error:
        raise errors.DatabaseError(f"the driver could not go on at {uri}: {error}") from error
    except (ValueError, OverflowError) as error:
        if _name(query) == "connect":
            raise errors.DatabaseError(
                f"{uri} cannot be used: {error}; NEO4J_URI looks like bolt://host:7687"
            ) from error
        raise errors.QueryError(f"a value for it cannot be sent: {error}", _name(query)) from error


def _refused(error: Neo4jError, name: str, uri: str) -> errors.DatabaseError:
    if (error.code or "").startswith(TIMED_OUT):
        return errors.QueryTimeoutError("it took longer than it may", name)
    if READ_ONLY in (error.message or "") or (error.code or "").startswith(STOPPED):
        return errors.ReadOnlyError(
            f"the database at {uri} takes no more changes: its disk may be full. Make room, restart the server (the "
            "embedded one: medgraph neo4j stop), and run the command again; what was stored stays"
        )
    if error.code == CONFLICT:
        return errors.ConflictError(error.message or str(error), name)
    if error.gql_status in INDEX_STATES:
        return errors.IndexNotReadyError(f"an index that {name} needs {INDEX_STATES[error.gql_status]}")
    if error.is_retryable():
        return errors.DatabaseBusyError(f"the database at {uri} is too busy, or changes over; try again")
    return errors.QueryError(error.message or str(error), name)


def _name(query: Any) -> str:
    return str(query() if callable(query) else query)
