"""Migrations against a real graph: applied once and in order, by one process or several, and never edited."""

import shutil

import pytest

from medgraph.errors import (
    EncoderMismatchError,
    MigrationChangedError,
    QueryError,
    SchemaError,
    SchemaMissingError,
)
from medgraph.graph import catalogue
from medgraph.schema import migrate
from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run
from tests.support.points import few
from tests.support.schemas import ENCODER, schema_of, strip

ALL = migrate.migrations()
LAST, NEXT = ALL[-1], f"V{len(ALL) + 1:03}"


@pytest.fixture
def root(tmp_path):
    """A copy of the migrations, to be edited."""
    folder = tmp_path / "schema"
    shutil.copytree(migrate.ROOT, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    return folder


def apply(database, root=migrate.ROOT, encoder=ENCODER):
    said = []
    return [m.version for m in migrate.apply(database, *encoder, said.append, root)], said


def test_all_is_applied_in_order_and_online(bare):
    with pytest.raises(SchemaMissingError, match="lacks the schema V001 constraints; run: medgraph schema apply"):
        migrate.check(bare)
    assert [state.applied for state in migrate.status(bare)] == [None] * len(ALL)
    text = "reduce(text = '', word IN range(1, 50) | text + ' ' + word * n)"
    # Enough to keep an index busy for a while.
    run(bare, f"UNWIND range(1, 5000) AS n CREATE (:Section {{id: toString(n), text: {text}}})")
    versions, said = apply(bare)
    assert versions == list(range(1, len(ALL) + 1))
    assert said == [f"applying V{m.version:03} {m.name}" for m in ALL]
    assert said[:2] == ["applying V001 constraints", "applying V002 fulltext_indexes"]
    migrate.check(bare)
    migrate.check(bare, *ENCODER)
    assert all(state.applied for state in migrate.status(bare))
    states = run(bare, "SHOW INDEXES YIELD name, state, populationPercent RETURN *")
    assert {(s["state"], s["populationPercent"]) for s in states} == {("ONLINE", 100.0)}
    vectors = run(bare, "SHOW VECTOR INDEXES YIELD name, options RETURN name, options.indexConfig AS config")
    assert {v["name"]: v["config"]["vector.dimensions"] for v in vectors} == {
        "chunk_embedding": 384,
        "question_embedding": 384,
    }


@pytest.mark.parametrize(
    ("label", "key"),
    [
        *((label, "id") for label in "Source Load Document Section Chunk Question Entity Encoder".split()),
        ("Concept", "cui"),
        ("Migration", "version"),
    ],
)
def test_one_node_an_id(database, label, key):
    run(database, f"CREATE (:{label} {{{key}: 'x'}})")
    with pytest.raises(QueryError, match="already exists"):
        run(database, f"CREATE (:{label} {{{key}: 'x'}})")
    run(database, f"MATCH (n:{label} {{{key}: 'x'}}) DELETE n")


OLD_SHAPE = """
CREATE (:Source {id: 's', licence: 'CC0-1.0'}), (:Source {id: 'pages', licence: 'CC0-1.0'})
CREATE (g:Concept {cui: 'C0018099', name: 'Gouty', title: 'gout', label: 'Disease'})
CREATE (x:Concept {cui: 'A:2', name: 'salt', title: 'salt', label: 'Drug', derived: true})
CREATE (a:Entity:Disease {id: 'A:1', name: 'gout'})-[:MEANS]->(g)
CREATE (b:Entity:Drug {id: 'A:2', name: 'salt'})-[:MEANS]->(x)
CREATE (b)-[:TREATS {source: 's', predicate: '', method: 'stated'}]->(a)
CREATE (t:Term {id: 'term:y', name: 'y'})
WITH g, x, t UNWIND [
  [x, 'TREATED_BY', 'section', ['p#1', 'p#2'], 'salt', 0.9], [x, 'CAUSED_BY', 'section', ['p#1'], 'salt', 0.8],
  [x, 'CAUSED_BY', 'section', ['p#3'], 'Salt', 0.7], [t, 'HAS_SYMPTOM', 'term', ['p#1'], 'y', 0.9],
  [t, 'HAS_SYMPTOM', 'term', ['p#4'], 'y', 0.9]] AS row
CALL (g, row) {
  WITH g, row, row[0] AS other
  CREATE (g)-[:$(row[1]) {method: row[2], evidence: row[3], sections: size(row[3]), sources: ['pages'],
                          surfaces: [row[4]], score: row[5]}]->(other)
}
WITH count(*) AS all
CREATE (d:Document {id: 'p', title: 'P', url: '', source: 'pages'})
WITH d UNWIND ['1', '2', '3', '4'] AS n
CREATE (d)-[:HAS_SECTION]->(:Section {id: 'p#' + n, title: 'P', heading: '', question: '', source: 'pages'})
  -[:HAS_CHUNK]->(:Chunk {id: n})
"""
"""A graph as V009 has it."""


def test_a_graph_of_the_former_shape_is_carried_over_and_answers(bare, root):
    later = {path: path.read_text(encoding="utf-8") for path in root.glob("V01[0-5]__*")}
    for path in later:
        path.unlink()
    apply(bare, root)
    run(bare, "CYPHER 25 " + OLD_SHAPE)
    run(bare, "MATCH (k:Chunk {id: '1'}) CREATE (:Claim {id: 'c'})-[:SUPPORTED_BY]->(k)")
    for path, text in later.items():
        path.write_text(text, encoding="utf-8")
    state = bare.read(catalogue.get("names_state"))[0]["state"]
    assert apply(bare, root)[0] == [10, 11, 12, 13, 14, 15]
    assert bare.read(catalogue.get("names_state"))[0]["state"] != state
    (gout,) = run(bare, "MATCH (c:Concept:Disease) RETURN c {.*} AS said")
    assert gout["said"] == {"cui": "C0018099", "name": "gout", "folded_name": "gout"}
    asked = {"relation": "", "tail": "", "limit": 9}
    told = {"head": "C0018099", "head_name": "gout", "sources": ["pages"]}
    rows = bare.read(catalogue.get("facts"), head="C0018099", **asked)
    assert [row | told for row in rows] == rows
    assert [(row["relation"], row["tail"], row["method"], row["evidence"]) for row in rows] == [
        ("CAUSED_BY", "A:2", "section", ["p#1", "p#3"]),
        ("HAS_SYMPTOM", "term:y", "term", ["p#1", "p#4"]),
        ("TREATED_BY", "A:2", "section", ["p#1", "p#2"]),
    ]
    assert fold_all(bare) == 1
    rows = bare.read(catalogue.get("facts"), head="C0018099", **asked | {"relation": "TREATED_BY"})
    assert [(row["sources"], row["method"]) for row in rows] == [(["s"], "stated"), (["pages"], "section")]
    assert run(bare, "MATCH (c:Chunk) WHERE c.document = 'p' AND c.title = 'P' RETURN count(c) AS n") == [{"n": 4}]
    assert run(bare, "MATCH (c:Claim) RETURN c.documents AS of") == [{"of": ["p"]}]
    assert run(bare, "MATCH (n:Section|Document) WHERE '' IN [n.url, n.heading, n.question] RETURN n") == []


@pytest.mark.parametrize("version", few(range(3, 10), 6))
def test_a_store_of_any_older_version_gets_the_schema_of_a_new_one(bare, root, version):
    apply(bare)
    whole = schema_of(bare) | {"times": None}
    strip(bare)
    later = {path: path.read_text(encoding="utf-8") for path in root.glob("V*") if int(path.name[1:4]) > version}
    for path in later:
        path.unlink()
    apply(bare, root)
    run(bare, "CYPHER 25 " + OLD_SHAPE)
    for path, text in later.items():
        path.write_text(text, encoding="utf-8")
    assert apply(bare, root)[0] == list(range(version + 1, len(ALL) + 1))
    assert schema_of(bare) | {"times": None} == whole
    assert run(bare, "MATCH (c:Chunk) WHERE c.document = 'p' RETURN count(c) AS n") == [{"n": 4}]


def test_a_second_time_changes_nothing(bare):
    apply(bare)
    before = schema_of(bare)
    assert apply(bare) == ([], [])
    assert schema_of(bare) == before


in_each_use = pytest.mark.parametrize(
    "use",
    [apply, lambda database, root: migrate.check(database, root=root), migrate.status],
    ids=["apply", "check", "status"],
)


@in_each_use
def test_an_edited_migration_is_refused(database, root, use):
    file = root / "V002__fulltext_indexes.cypher"
    file.write_text(file.read_text(encoding="utf-8") + "// a remark\n", encoding="utf-8")
    before = schema_of(database)
    with pytest.raises(
        MigrationChangedError, match=r"V002 fulltext_indexes was edited after it was applied on 20.*put the"
    ):
        use(database, root)
    assert schema_of(database) == before


@in_each_use
def test_a_graph_of_a_newer_version_is_refused(database, root, use):
    newer = len(ALL) + 1
    run(database, f"CREATE (:Migration {{version: {newer}, name: 'x', checksum: 'x', applied: datetime()}})")
    try:
        with pytest.raises(SchemaError, match=f"the graph has the schema {NEXT} of a newer medgraph; upgrade this one"):
            use(database, root)
    finally:
        run(database, f"MATCH (m:Migration {{version: {newer}}}) DELETE m")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (f"V{len(ALL) + 2:03}__gap.cypher", "are not numbered 001, 002, … without a gap"),
        ("V003__twice.cypher", "are not numbered 001, 002, … without a gap"),
        ("V000__zero.cypher", "are not numbered 001, 002, … without a gap"),
        ("V4__short.cypher", r"V4__short\.cypher is not called V001__what_it_does\.cypher"),
        (f"{NEXT}-dash.cypher", "is not called"),
        (f"{NEXT}__.cypher", "is not called"),
    ],
)
def test_files_that_are_not_numbered_are_refused(database, root, name, message):
    (root / name).write_text("RETURN 1;", encoding="utf-8")
    before = schema_of(database)
    with pytest.raises(SchemaError, match=message):
        apply(database, root)
    assert schema_of(database) == before


def test_a_statement_that_fails_is_named_and_what_follows_waits_for_it(bare, root):
    broken = root / f"{NEXT}__broken.cypher"
    first = "CREATE INDEX first_of_two IF NOT EXISTS FOR (n:X) ON (n.x);"
    broken.write_text(f"{first}\nCREATE INDEXX second;", encoding="utf-8")
    after = root / f"V{len(ALL) + 2:03}__next.cypher"
    after.write_text("CREATE INDEX next IF NOT EXISTS FOR (n:Y) ON (n.y);", encoding="utf-8")
    with pytest.raises(QueryError, match=f"query {NEXT}__broken:2: Invalid input 'second'"):
        apply(bare, root)
    assert [bool(state.applied) for state in migrate.status(bare, root)] == [True] * len(ALL) + [False, False]
    with pytest.raises(SchemaMissingError, match=f"{NEXT} broken"):
        migrate.check(bare, root=root)
    broken.write_text(first, encoding="utf-8")
    assert apply(bare, root)[0] == [len(ALL) + 1, len(ALL) + 2]
    migrate.check(bare, root=root)


def test_a_server_that_is_too_old_is_named(bare, root, monkeypatch):
    monkeypatch.setattr(migrate, "OLDEST", "2099.01")
    (root / f"{NEXT}__newer.cypher").write_text("CREATE INDEXX newer;", encoding="utf-8")
    with pytest.raises(SchemaError, match=r"Neo4j 20\S+ is too old; upgrade it to 2099\.01 or later: query V"):
        apply(bare, root)


def test_an_interrupted_apply_is_taken_up(bare):
    def interrupt(line):
        if "V002" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        migrate.apply(bare, *ENCODER, interrupt)
    assert apply(bare)[0] == [m.version for m in ALL[1:]]
    migrate.check(bare, *ENCODER)


@pytest.mark.parametrize("encoder", [("other-encoder", 384), ("all-MiniLM-L6-v2", 768)])
@pytest.mark.parametrize(
    "use",
    [
        lambda database, encoder: apply(database, encoder=encoder),
        lambda database, encoder: migrate.check(database, *encoder),
    ],
    ids=["apply", "check"],
)
def test_another_encoder_is_refused_with_what_mends_it(database, encoder, use):
    before = schema_of(database)
    with pytest.raises(EncoderMismatchError) as caught:
        use(database, encoder)
    message = str(caught.value)
    assert "from all-MiniLM-L6-v2 (384 dimensions)" in message
    assert f"{encoder[0]} ({encoder[1]})" in message
    assert "set MEDGRAPH_ENCODER back" in message
    assert "medgraph index embeddings --rebuild" in message
    assert schema_of(database) == before
    migrate.check(database)
