"""Rows of another Neo4j: a mapping's query is asked for them, which reads and nothing else."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Row
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.loaders.mapping import source as mapping
from medgraph.loaders.mapping.checking import try_out
from medgraph.schema.records import Entity, Relation
from tests.support.graphs import run
from tests.support.mappings import ENTITY, HEAD

RELATION = """columns: {signs: {from: signs, then: lower}}
entities:
  - {id: "clinic:{d.id}", label: Disease, name: "{d.name}", properties: {cases: {value: "{cases}", type: integer}}}
  - {id: "clinic:{signs|slug}", label: Symptom, name: "{signs}", each: signs}
relations:
  - {subject: "clinic:{d.id}", type: HAS_SYMPTOM, object: "clinic:{signs|slug}", each: signs}
"""
ROWS = "UNWIND range(1, 3) AS n RETURN {id: 'd' + n, name: 'Disease ' + n} AS d, n AS cases, ['Pain', 'Fever'] AS signs"


@pytest.fixture
def written(tmp_path):
    """Writes a mapping of rows of a graph."""

    def write(address, query, rules=ENTITY):
        path = tmp_path / "m.yaml"
        path.write_text(f"{HEAD}{rules}file: {address}\nquery: |\n  {query}\n", encoding="utf-8")
        return path

    return write


@pytest.fixture
def foreign(database, monkeypatch):
    """The address of a Neo4j that takes the user and the password that are set."""
    monkeypatch.setenv("MEDGRAPH_FOREIGN_USERNAME", database.auth[0])
    monkeypatch.setenv("MEDGRAPH_FOREIGN_PASSWORD", database.auth[1])
    return f"{database.uri}/{database.name}"


def test_rows_of_another_graph_are_loaded_and_looked_at_each_time(database, foreign, written, own_settings):
    path = written(foreign, ROWS, RELATION)
    items = list(mapping.from_file(path).records(path))
    records = [item.record for item in items if isinstance(item, Row)]
    assert len(records) == len(items) == 3 + 2 + 6
    assert records[0] == Entity("clinic:d1", "Disease", "Disease 1", properties=(("cases", 1),))
    assert Relation("clinic:d3", "HAS_SYMPTOM", "clinic:fever") in records
    assert {(item.file, item.line) for item in items[-2:]} == {(foreign.rpartition("/")[0], 3)}
    assert try_out(path).counts == {"entities": 5, "relations": 6}
    assert load_named(database, own_settings, str(path)).added == 11
    query = "MATCH (d:Disease) WHERE d.id STARTS WITH 'clinic:d' RETURN split(d.id, ':')[1] AS id, d.name AS name"
    second = written(foreign, query)
    second.write_text(second.read_text().replace("id: clinic,", "id: other,").replace('"clinic:{id}"', '"other:{id}"'))
    assert load_named(database, own_settings, str(second)).added == 3
    assert load_named(database, own_settings, str(second)).unchanged == 3
    run(database, "MATCH (d:Disease {id: 'clinic:d2'}) SET d.name = 'Another'")
    report = load_named(database, own_settings, str(second), wish=LoadOptions(replace=True))
    assert (report.changed, report.unchanged) == (1, 2)


def test_a_row_that_breaks_a_rule_is_rejected(foreign, written):
    path = written(foreign, "UNWIND [{a: 1}, 'x'] AS id RETURN id, 'N' AS name")
    bad, good = mapping.from_file(path).records(path)
    assert isinstance(bad, Reject)
    assert (bad.line, bad.reason) == (
        1,
        "the column 'id' holds {\"a\": 1} where a text is wanted (entities, line 2 of m.yaml)",
    )
    assert good.record == Entity("clinic:x", "Disease", "N")


@pytest.mark.parametrize(
    ("query", "line", "reason"),
    [
        ("CREATE (d:Disease {id: 'x'}) RETURN d.id AS id, '' AS name", 4, "refused: the statement writes or manages"),
        (
            "MATCH (d) RETURN d.id AS ident, d.name AS name",
            2,
            "the query returns no column 'id', .* are ident, name",
        ),
        ("MATCH (d:Nothing) RETURN d.id AS id, d.name AS name", 4, "the query gives no rows"),
        ("MATCH (d RETURN d.id AS id", 4, "refuses the query: Invalid input"),
    ],
)
def test_what_the_query_lacks_is_named_at_its_line(database, foreign, written, query, line, reason):
    run(database, "CREATE (:Thing {id: 'a', name: 'A'})")
    path = written(foreign, query)
    with pytest.raises(SourceFileError, match=rf"m\.yaml:{line}: .*{reason}"):
        list(mapping.from_file(path).records(path))
    assert run(database, "MATCH (d:Disease) RETURN count(d) AS n") == [{"n": 0}]


def test_a_server_that_refuses_us_and_one_that_is_not_there(foreign, written, monkeypatch):
    monkeypatch.setenv("MEDGRAPH_FOREIGN_PASSWORD", "wrong")
    path = written(foreign, "RETURN 1 AS id, 2 AS name")
    with pytest.raises(SourceFileError, match=r"m\.yaml:4: .* does not accept us; set MEDGRAPH_FOREIGN_USERNAME and"):
        list(mapping.from_file(path).records(path))
    path = written("bolt://127.0.0.1:1", "RETURN 1 AS id, 2 AS name")
    with pytest.raises(SourceFileError, match=r"m\.yaml:4: nothing answers at bolt://127\.0\.0\.1:1; start it, or"):
        list(mapping.from_file(path).records(path))


def test_no_other_file_goes_with_it(written, tmp_path):
    path = written("bolt://127.0.0.1:1", "RETURN 1 AS id, 2 AS name")
    with pytest.raises(
        SourceFileError, match=r"says itself where its rows are, bolt://127\.0\.0\.1:1; give no other file"
    ):
        list(mapping.from_file(path).records(tmp_path))
