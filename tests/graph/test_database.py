"""The database: connected to by settings, read and written, and its errors as ours."""

import socket
from dataclasses import replace

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
    QueryTimeoutError,
    SettingsError,
)
from medgraph.graph.connect import connect, scratch_graph, scratch_settings
from medgraph.graph.database import Database, translated_errors
from medgraph.settings import Settings
from tests.support.graphs import empty, run, statement

PROBES = statement("MATCH (n:Probe) RETURN n.x AS x ORDER BY x", "probes")
CREATE = statement("CREATE (n:Probe {x: $x}) RETURN n.x AS x", "create")


BROKEN = statement("MATCH (n RETURN n", "broken")


def test_reading_and_writing(database):
    assert database.write(CREATE, x=1) == [{"x": 1}]
    assert database.read(PROBES) == [{"x": 1}]
    assert database.read(statement("RETURN $a AS a, $b AS b"), a=[1, "é"], b={"k": None}) == [
        {"a": [1, "é"], "b": {"k": None}}
    ]


def test_nodes_are_their_properties_wherever_they_stand(database):
    text = "CREATE (n:Probe {x: 1}) RETURN n, [n] AS several, {of: n} AS held, $b AS b, [1.5, null] AS rest"
    node = {"x": 1}
    assert run(database, text, b=b"\x00") == [
        {"n": node, "several": [node], "held": {"of": node}, "b": b"\x00", "rest": [1.5, None]}
    ]


def test_several_statements_happen_together_or_not_at_all(database):
    assert database.write_all([(CREATE, {"x": 1}), (PROBES, {})]) == [[{"x": 1}], [{"x": 1}]]
    with pytest.raises(QueryError, match="query broken: ") as caught:
        database.write_all([(CREATE, {"x": 2}), (BROKEN, {}), (CREATE, {"x": 3})])
    assert caught.value.query == "broken"
    assert database.read(PROBES) == [{"x": 1}]


def test_reading_cannot_write_and_writing_can(database):
    with pytest.raises(QueryError, match="query create: Writing in read access mode not allowed"):
        database.read(CREATE, x=1)
    assert database.read(PROBES) == []


def test_pages_come_in_order_and_end(database):
    for number in range(7):
        database.write(statement("CREATE (:Probe {id: $id})"), id=f"p{number}")
    page = statement("MATCH (n:Probe) WHERE n.id > $after RETURN n.id AS id ORDER BY id LIMIT $limit")
    pages = list(database.pages(page, 3))
    assert [[row["id"] for row in rows] for rows in pages] == [["p0", "p1", "p2"], ["p3", "p4", "p5"], ["p6"]]


@pytest.fixture
def indexed(database):
    """The tests' database with twenty thousand texts, and without the index that a test makes of them."""
    text = "reduce(text = '', word IN range(1, 60) | text + ' ' + word * n)"
    run(database, f"UNWIND range(1, 20000) AS n CREATE (:Probe {{text: {text}}})")
    yield database
    run(database, "DROP INDEX of_probes IF EXISTS")
    empty(database)


def test_waiting_for_an_index_that_populates(indexed):
    indexed.wait_for_indexes()
    run(indexed, "CREATE FULLTEXT INDEX of_probes FOR (n:Probe) ON EACH [n.text]")
    with pytest.raises(IndexNotReadyError, match="still populating after 0 s: of_probes; try again later"):
        indexed.wait_for_indexes(timeout=0)
    indexed.wait_for_indexes()


def test_waiting_for_an_index_that_has_failed(indexed):
    run(indexed, "CREATE (:Probe {long: reduce(s = 'x', i IN range(1, 15) | s + s)})")
    run(indexed, "CREATE INDEX of_probes FOR (n:Probe) ON (n.long)")
    with pytest.raises(IndexNotReadyError, match=r"index of_probes has failed; drop it .* run: medgraph schema apply"):
        indexed.wait_for_indexes()


def test_a_time_limit_is_for_what_reads(server):
    slow = statement("UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS x", "slow")
    with (
        Database(server.bolt_uri, "neo4j", server.password(), time_limit=0.3) as database,
        pytest.raises(QueryTimeoutError, match="query slow: it took longer than it may"),
    ):
        database.read(slow)


@pytest.mark.parametrize("uri", ["nonsense", "http://localhost", "ftp://localhost:7687", "://"])
def test_addresses_that_are_none(settings, uri):
    with pytest.raises(SettingsError, match=r"NEO4J_URI is .*; it starts with one of bolt"):
        connect(replace(settings, neo4j_uri=uri))


def test_connecting_with_settings(settings, server):
    given = replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())
    with connect(given) as database:
        assert database.read(statement("RETURN 1 AS one")) == [{"one": 1}]
    with connect(settings) as embedded:
        assert embedded.uri == server.bolt_uri
    with pytest.raises(AuthenticationError):
        connect(replace(given, neo4j_password=None))


PROBES_DRIVER_ERRORS = statement("MATCH (n:Probe) RETURN n.x AS x", "probes")


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
        nowhere.read(PROBES_DRIVER_ERRORS)


@pytest.mark.parametrize("call", ["verify", "read", "write", "run", "wait_for_indexes"])
def test_nothing_answers(call):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    arguments = [PROBES_DRIVER_ERRORS] if call in {"read", "write", "run"} else []
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


def test_nothing_of_the_users_graph_is_used(tmp_path):
    users = Settings(
        tmp_path / "users", tmp_path / "cache", neo4j_uri="bolt://elsewhere", neo4j_password="theirs", heap="1g"
    )
    own = scratch_settings(users, tmp_path / "apart")
    assert (own.home, own.neo4j_uri, own.neo4j_password) == (tmp_path / "apart", None, None)
    assert len({own.bolt_port, own.http_port, users.bolt_port, users.http_port}) == 4
    assert (own.cache, own.encoder, own.heap) == (users.cache, users.encoder, "1g")


@pytest.mark.thorough
def test_its_server_ends_with_it_and_what_is_kept_is_there(second_server):
    settings, server = second_server
    with scratch_graph(settings, settings.home) as (database, own):
        assert own.home == settings.home
        assert database.uri == server.bolt_uri
    assert not server.status().running
    assert server.password()
