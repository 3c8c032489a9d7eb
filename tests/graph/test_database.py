"""The one place that touches the driver: reading, writing, all or nothing, pages and waits."""

import pytest

from medgraph.errors import IndexNotReadyError, QueryError, QueryTimeoutError
from medgraph.graph.database import Database
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
