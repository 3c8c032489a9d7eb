"""Statements of others: those that read the graph are run, and nothing else, however it is written."""

import contextlib
import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import neo4j
import pytest
from neo4j.exceptions import Neo4jError

from medgraph.errors import InputError, QueryError, QueryTimeoutError
from medgraph.graph import catalogue, foreign
from medgraph.graph.foreign import ITEMS, LENGTH, ROWS, look_at_plan, look_through, read_foreign
from medgraph.queries.saved import list_saved
from tests.support.graphs import run
from tests.support.tree import ROOT

ATTACKS = (ROOT / "tests" / "data" / "cypher" / "attacks.txt").read_text(encoding="utf-8").splitlines()
POPEN = subprocess.Popen
COUNTS = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS n, count(r) AS r"
READS = [
    "MATCH (e:Entity) WHERE e.name STARTS WITH 'a' OR e.name =~ '.*b' RETURN count{(e)--()} AS n ORDER BY n LIMIT 3",
    "MATCH p = SHORTEST 1 (a:Disease)-[*..3]-(b:Symptom) RETURN p LIMIT 1",
    "MATCH p = shortestPath((a:Disease)-[*..3]-(b:Symptom)) WHERE a <> b RETURN length(p) LIMIT 1",
    "OPTIONAL MATCH (a)-[:IS_A*0..2]->(b) WITH a, collect(DISTINCT b) AS bs UNWIND bs AS b RETURN b SKIP 1 LIMIT 1",
    "CALL (*) { MATCH (d:Document) RETURN d.title AS t UNION MATCH (s:Section) RETURN s.type AS t } RETURN t LIMIT 2",
    "CALL db.labels() YIELD label RETURN label",
    "CALL db.schema.visualization()",
    "WITH date('2020-01-01') AS d RETURN duration.between(d, date.truncate('year', d)) AS x",
    "RETURN point.distance(point({x: 1, y: 2}), point({x: 2, y: 2})) AS d",
    "MATCH (n) WHERE n.text CONTAINS 'LOAD CSV FROM' RETURN n.id // CALL dbms.listConfig()",
    "MATCH (n:Section)<-[:HAS_SECTION]-(d) RETURN DISTINCT d.id, max(n.position), [x IN range(1, 3) | x * 2] LIMIT 2;",
    "MATCH (n:$('Disease'))-[r:$('IS_A')]-() MATCH ()-[s:$('IS_A')]->() RETURN n, s LIMIT 1",
    "MATCH (n) RETURN n.name AS `it's the call of LOAD CSV`, n.id AS `USE f.x(y)`, \"it's\" AS `\"` LIMIT 1 // it's",
    "CYPHER 25 MATCH (n) CALL(n) { WHEN n.id = 'x' THEN { RETURN 1 AS a } ELSE { RETURN 2 AS a } } RETURN a LIMIT 1",
    "MATCH (a)-[r]-(b) WHERE NOT (a)-[:IS_A]->(b) AND EXISTS { (b)-->() } RETURN type(r), count(*)",
]


@pytest.fixture
def session(sample_graph):
    with (
        neo4j.GraphDatabase.driver(sample_graph.uri, auth=sample_graph.auth) as driver,
        driver.session(default_access_mode="READ") as session,
    ):
        yield session


def test_no_attack_is_run(sample_graph, session):
    before = run(sample_graph, COUNTS)
    assert len(ATTACKS) > 150
    taken = []
    for text in ATTACKS:
        try:
            look_through(text)
            look_at_plan(session, text, {})
        except (InputError, Neo4jError):
            continue
        taken.append(text)
    assert taken == []
    assert run(sample_graph, COUNTS) == before


@pytest.mark.parametrize("text", READS)
def test_what_only_reads_is_taken(session, text):
    look_through(text)
    look_at_plan(session, text, {})


def test_every_saved_query_is_taken(session):
    refused = []
    for row in list_saved():
        query = catalogue.get(row["name"])
        try:
            look_through(query.text)
            look_at_plan(session, query.text, query.examples)
        except InputError as error:
            refused.append((query.name, str(error)))
    assert refused == []


def test_rows_come_as_plain_data(sample_graph):
    table = read_foreign(
        sample_graph,
        "MATCH p = (d:Document {id: $id})-[r:HAS_SECTION]->() RETURN d.title AS title, p, range(1, 60) AS many, $id",
        {"id": "sample:gout"},
    )
    assert table.columns == ["title", "p", "many", "$id"]
    title, path, many, given = table.rows[0]
    assert (title, many, given) == ("Gout", "60 numbers", "sample:gout")
    assert [part["is"] for part in path] == [["Document"], "HAS_SECTION", ["Section"]]
    assert path[1]["from"] == "sample:gout"
    assert not table.more


def test_what_is_too_much_is_cut(sample_graph):
    table = read_foreign(sample_graph, "UNWIND range(1, 500) AS x RETURN x, [i IN range(1, 99) | 'a'] AS l")
    assert len(table.rows) == ROWS
    assert table.more
    assert len(table.rows[0][1]) == ITEMS + 1


def test_lists_of_lists_are_not_given_without_end(sample_graph):
    text = "UNWIND range(1, 9) AS x RETURN [i IN range(1, 50) | [j IN range(1, 50) | $text]] AS x"
    with pytest.raises(QueryError, match="ask for less"):
        read_foreign(sample_graph, text, {"text": "a" * 50})


def test_values_that_json_lacks_are_texts(sample_graph):
    table = read_foreign(sample_graph, "RETURN 0.0/0.0, [1/0.0], duration({days: 1}), point({x: 1, y: 2})")
    values = json.loads(json.dumps(table.rows[0], allow_nan=False))
    assert values[:3] == ["nan", ["inf"], "P1D"]
    assert "1.0" in values[3]


@pytest.mark.parametrize(("value", "told"), [(2**70, "too large"), ("\ud800", "surrogates")])
def test_values_that_cannot_be_sent_are_told(sample_graph, value, told):
    with pytest.raises(QueryError, match=told):
        read_foreign(sample_graph, "RETURN $b", {"b": value})


@pytest.mark.parametrize("part", ["a", "a.", "a . ", "`a` . ", "`", "'", "'\\", "/*", "CALL a.", "IN ", "a "])
def test_no_text_takes_long_to_look_through(part):
    began = time.monotonic()
    with contextlib.suppress(InputError):
        look_through(part * (LENGTH // len(part)))
    assert time.monotonic() - began < 2


def test_files_of_the_folder_are_not_run(sample_graph, tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(1)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert read_foreign(sample_graph, "RETURN 1 AS x").rows == [[1]]


def test_errors_are_told(sample_graph):
    with pytest.raises(InputError, match="writes or manages"):
        read_foreign(sample_graph, "CREATE (n) RETURN n")
    with pytest.raises(InputError, match="LOAD CSV is not taken"):
        read_foreign(sample_graph, "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line")
    with pytest.raises(QueryError, match="Invalid input"):
        read_foreign(sample_graph, "MATCH (n RETURN n")
    with pytest.raises(InputError, match="characters"):
        read_foreign(sample_graph, "RETURN 1 //" + " " * LENGTH)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "UNWIND range(1, 1000000000) AS x RETURN count(x)",
        "UNWIND range(1, 1000000000) AS x WITH collect(x) AS all RETURN size(all)",
        "RETURN range(1, 1000000000) AS x",
        "RETURN reduce(s = 'a', x IN range(1, 40) | s + s) AS x",
    ],
)
def test_what_has_no_end_is_ended_and_others_go_on(sample_graph, text):
    began = time.monotonic()
    with pytest.raises((QueryError, QueryTimeoutError)):
        read_foreign(sample_graph, text, seconds=2)
    assert time.monotonic() - began < 30
    assert read_foreign(sample_graph, "RETURN 1 AS x").rows == [[1]]


def test_one_process_is_kept_others_help_out_and_all_end(sample_graph, monkeypatch):
    begun = []
    monkeypatch.setattr(foreign, "_waiting", [])
    monkeypatch.setattr(foreign.subprocess, "Popen", lambda *a, **k: begun.append(POPEN(*a, **k)) or begun[-1])
    for number in range(3):
        assert read_foreign(sample_graph, "RETURN $n AS x", {"n": number}).rows == [[number]]
    assert len(begun) == 1
    with ThreadPoolExecutor(3) as pool:
        slow = "UNWIND range(1, 3000000) AS x RETURN count(x)"
        assert [table.rows for table in pool.map(lambda _: read_foreign(sample_graph, slow), range(3))] == [
            [[3000000]]
        ] * 3
    assert [process.poll() is None for process in begun].count(True) == len(foreign._waiting) == 1
    monkeypatch.setattr(foreign, "_SPARE", 0.0)
    with pytest.raises(QueryTimeoutError, match="it took more than 0 s"):
        read_foreign(sample_graph, "UNWIND range(1, 1000000000) AS x RETURN count(x)", seconds=0.1)
    assert foreign._waiting == []
    monkeypatch.undo()
    monkeypatch.setattr(foreign, "_waiting", [])
    monkeypatch.setattr(foreign, "USES", 1)
    assert read_foreign(sample_graph, "RETURN 1 AS x").rows == [[1]]
    assert foreign._waiting == []
    assert all(process.poll() is not None for process in begun)
