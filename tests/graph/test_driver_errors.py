"""The driver's errors become ours, and say what to do."""

import socket

import pytest
from neo4j.exceptions import Neo4jError, ResultFailedError

from medgraph.errors import (
    AuthenticationError,
    ConflictError,
    DatabaseBusyError,
    DatabaseError,
    DatabaseUnavailableError,
    IndexNotReadyError,
    QueryError,
)
from medgraph.graph.database import Database, translated_errors
from tests.support.graphs import statement

PROBES = statement("MATCH (n:Probe) RETURN n.x AS x", "probes")


@pytest.mark.parametrize(
    ("call", "text", "parameters", "message"),
    [
        ("read", "MATCH (n RETURN n", {}, "query test: Invalid input"),
        ("read", "RETURN $missing AS x", {}, "query test: Expected parameter"),
        ("read", "RETURN 1 / 0 AS x", {}, "query test: / by zero"),
        ("write", "CREATE (:Source {id: 'x'}), (:Source {id: 'x'})", {}, "query test: Node.* already exists"),
        ("run", "DROP INDEX nope", {}, "query test: "),
        ("read", "RETURN $x AS x", {"x": 2**70}, "query test: a value for it cannot be sent"),
        ("read", "RETURN $x AS x", {"x": "\ud800"}, "query test: a value for it cannot be sent"),
    ],
)
def test_a_statement_that_fails_is_named(database, call, text, parameters, message):
    with pytest.raises(QueryError, match=message):
        getattr(database, call)(statement(text), **parameters)


def test_wrong_passwords_and_unknown_databases(server):
    with (
        Database(server.bolt_uri, "neo4j", "wrong") as wrong,
        pytest.raises(AuthenticationError, match="does not accept the user name or password; check NEO4J_USERNAME"),
    ):
        wrong.verify()
    with (
        Database(server.bolt_uri, "neo4j", server.password(), "nope") as nowhere,
        pytest.raises(QueryError, match=r"query probes: .*nope"),
    ):
        nowhere.read(PROBES)


@pytest.mark.parametrize("call", ["verify", "read", "write", "run", "wait_for_indexes"])
def test_nothing_answers(call):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    arguments = [PROBES] if call in {"read", "write", "run"} else []
    with (
        Database(f"bolt://127.0.0.1:{port}", "neo4j", "x", retry_time=0.2) as away,
        pytest.raises(DatabaseUnavailableError, match=f"no answer from the database at bolt://127.0.0.1:{port}; see"),
    ):
        getattr(away, call)(*arguments)


def test_an_index_that_is_missing_is_named_with_what_makes_it(database):
    search = "CYPHER 25 MATCH (c:Chunk) SEARCH c IN (VECTOR INDEX nope FOR [1.0] LIMIT 1) RETURN c"
    with pytest.raises(IndexNotReadyError, match="an index that search needs is missing; run: medgraph index"):
        database.read(statement(search, "search"))


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        ("Neo.ClientError.Schema.ConstraintValidationFailed", ConflictError),
        ("Neo.TransientError.Transaction.DeadlockDetected", DatabaseBusyError),
        ("Neo.ClientError.Statement.SyntaxError", QueryError),
    ],
)
def test_a_failure_that_the_driver_hides_behind_the_failed_result_is_told_as_itself(code, ours):
    failure = Neo4jError._hydrate_neo4j(code=code, message="what the database says")
    with pytest.raises(ours), translated_errors("probe", "bolt://localhost"):
        raise ResultFailedError(None, "the result has failed") from failure
    with pytest.raises(DatabaseError, match="the driver could not go on"), translated_errors("probe", "bolt://x"):
        raise ResultFailedError(None, "the result has failed")
