"""The one place that touches the driver: reading, writing, all or nothing, and errors that say what to do."""

import socket
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from medgraph.errors import (
    AuthenticationError,
    DatabaseError,
    DatabaseUnavailableError,
    IndexNotReadyError,
    QueryError,
    SettingsError,
)
from medgraph.graph import database as database_module
from medgraph.graph.catalogue import Query
from medgraph.graph.connect import connect
from medgraph.graph.database import Database, as_vector
from tests.support.graphs import run


def query(text, name="q"):
    return Query(name, "", {}, (), text, Path("q.cypher"))


CREATE = query("CREATE (n:Probe {x: $x}) RETURN n.x AS x", "create")
PROBES = query("MATCH (n:Probe) RETURN n.x AS x ORDER BY x", "probes")
BROKEN = query("MATCH (n RETURN n", "broken")


def test_reading_and_writing(database):
    assert database.write(CREATE, x=1) == [{"x": 1}]
    assert database.read(PROBES) == [{"x": 1}]
    assert database.read(query("RETURN $a AS a, $b AS b"), a=[1, "é"], b={"k": None}) == [
        {"a": [1, "é"], "b": {"k": None}}
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
        database.write(query("CREATE (:Probe {id: $id})"), id=f"p{number}")
    page = query("MATCH (n:Probe) WHERE n.id > $after RETURN n.id AS id ORDER BY id LIMIT $limit")
    pages = list(database.pages(page, 3))
    assert [[row["id"] for row in rows] for rows in pages] == [["p0", "p1", "p2"], ["p3", "p4", "p5"], ["p6"]]


def test_pages_may_be_written_to_while_they_are_read(database):
    for number in range(5):
        database.write(query("CREATE (:Probe {id: $id})"), id=f"p{number}")
    page = query("MATCH (n:Probe) WHERE n.id > $after AND n.seen IS NULL RETURN n.id AS id ORDER BY id LIMIT $limit")
    for rows in database.pages(page, 2):
        database.write(query("MATCH (n:Probe) WHERE n.id IN $ids SET n.seen = true"), ids=[row["id"] for row in rows])
    assert run(database, "MATCH (n:Probe) RETURN count(n.seen) AS seen") == [{"seen": 5}]


def test_vectors_travel_in_the_drivers_own_type(database):
    values = np.array([0.5, -1.25, 3.0], dtype=np.float32)
    stored = "CREATE (n:Probe {v: toFloatList($v)}) RETURN n.v AS v"
    assert run(database, "CYPHER 25 " + stored, v=as_vector(values)) == [{"v": [0.5, -1.25, 3.0]}]


@pytest.mark.parametrize(
    ("call", "text", "parameters", "message"),
    [
        ("read", "MATCH (n RETURN n", {}, "query q: Invalid input"),
        ("read", "RETURN $missing AS x", {}, "query q: Expected parameter"),
        ("read", "RETURN 1 / 0 AS x", {}, "query q: / by zero"),
        ("write", "CREATE (:Source {id: 'x'}), (:Source {id: 'x'})", {}, "query q: Node.* already exists"),
        ("run", "DROP INDEX nope", {}, "query q: "),
        ("read", "RETURN $x AS x", {"x": 2**70}, "query q: a value for it cannot be sent"),
        ("read", "RETURN $x AS x", {"x": "\ud800"}, "query q: a value for it cannot be sent"),
    ],
)
def test_a_statement_that_fails_is_named(database, call, text, parameters, message):
    with pytest.raises(QueryError, match=message):
        getattr(database, call)(query(text), **parameters)


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


@pytest.mark.parametrize("call", ["verify", "read", "write", "run", "server_version", "wait_for_indexes"])
def test_nothing_answers(monkeypatch, call):
    monkeypatch.setattr(database_module, "RETRY_TIME", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    arguments = [PROBES] if call in {"read", "write", "run"} else []
    with (
        Database(f"bolt://127.0.0.1:{port}", "neo4j", "x") as away,
        pytest.raises(DatabaseUnavailableError, match=f"no answer from the database at bolt://127.0.0.1:{port}; see"),
    ):
        getattr(away, call)(*arguments)


@pytest.mark.parametrize("uri", ["nonsense", "http://localhost", "ftp://localhost:7687", "://"])
def test_addresses_that_are_none(settings, uri):
    with pytest.raises(SettingsError, match=r"NEO4J_URI is .*; it starts with one of bolt"):
        connect(replace(settings, neo4j_uri=uri))


def test_a_port_that_is_none(settings):
    with pytest.raises(DatabaseError, match="bolt://localhost:port cannot be used"):
        connect(replace(settings, neo4j_uri="bolt://localhost:port"))


def test_connecting_with_settings(settings, server):
    given = replace(settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())
    with connect(given) as database:
        assert database.read(query("RETURN 1 AS one")) == [{"one": 1}]
        assert database.server_version()[:3].isdigit()
    with connect(settings) as embedded:
        assert embedded.uri == server.bolt_uri
    with pytest.raises(AuthenticationError):
        connect(replace(given, neo4j_password=None))


def test_waiting_for_indexes(database, monkeypatch):
    database.wait_for_indexes()
    states = [{"name": "slow", "state": "POPULATING"}]
    monkeypatch.setattr(database, "run", lambda *_: states)
    with pytest.raises(IndexNotReadyError, match="still populating after 0 s: slow; try again later"):
        database.wait_for_indexes(timeout=0)
    states[0]["state"] = "FAILED"
    with pytest.raises(IndexNotReadyError, match=r"index slow has failed; drop it .* run: medgraph schema apply"):
        database.wait_for_indexes()


def test_closing_twice_is_fine(server):
    database = Database(server.bolt_uri, "neo4j", server.password())
    database.close()
    database.close()
