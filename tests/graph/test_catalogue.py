"""The catalogue: every .cypher file is sound, and runs on a real server with the parameters and columns it states."""

import json
import re
from pathlib import Path

import neo4j
import pytest

from medgraph.errors import CatalogueError, InputError
from medgraph.graph import catalogue as cypher
from medgraph.graph.catalogue import Query, parse, queries
from medgraph.queries.saved import list_saved, run_saved
from tests.support.graphs import run
from tests.support.paths import ROOT

NAMES = sorted(path.stem for path in cypher.ROOT.glob("*/*.cypher"))
GOOD = "// name: q\n// What it does.\n// :param name => 'x'\n// returns: n\nMATCH (n {name: $name}) RETURN n\n"
READING = ["audit", "evaluate", "explore", "export", "retrieve", "stored"]
WRITING = ["write"]
WRITES = re.compile(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP)\b")


@pytest.fixture
def write(tmp_path):
    """Writes a .cypher file into a catalogue of the test's own."""

    def written(text, name="q", folder="explore"):
        path = tmp_path / folder / f"{name}.cypher"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture(scope="module")
def session(graph, server):
    """A session of the driver itself, which knows the columns of a statement that gives no rows."""
    driver = neo4j.GraphDatabase.driver(server.bolt_uri, auth=("neo4j", server.password()))
    with driver, driver.session() as session:
        yield session


def example(text):
    """Read an example value as Neo4j Browser would."""
    if text.startswith("'"):
        return text[1:-1]
    plain = re.sub(r"'((?:[^'\\]|\\.)*)'", lambda match: json.dumps(match[1]), text)
    return json.loads(re.sub(r"([{,]\s*)(\w+):", r'\1"\2":', plain))


def test_every_file_is_in_the_catalogue():
    assert list(queries()) == NAMES
    assert {query.folder for query in queries().values()} == {*READING, *WRITING, "index", "admin"}
    assert all(query.purpose.endswith(".") for query in queries().values())


@pytest.mark.parametrize("name", NAMES)
def test_every_statement_is_understood_by_the_server_and_returns_what_it_says(session, name):
    query = cypher.get(name)
    parameters = {key: example(text) for key, text in query.parameters.items()}
    result = session.run(explained(query), parameters)
    assert result.keys() == list(query.columns)
    result.consume()


def explained(query):
    return re.sub(r"^(CYPHER \d+\s+)?", r"\1EXPLAIN ", query.text, count=1)


def writes(name):
    """Tell whether a statement has a word that writes, outside of texts, quoted names and comments."""
    bare = re.sub(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*", " ", cypher.get(name).text)
    return bool(WRITES.search(bare))


@pytest.mark.parametrize("name", [q.name for q in queries().values() if q.folder in READING])
def test_what_reads_does_not_write(name):
    assert not writes(name)


@pytest.mark.parametrize("name", [q.name for q in queries().values() if q.folder in WRITING])
def test_what_is_said_to_write_does(name):
    assert writes(name)


@pytest.mark.parametrize("name", [q.name for q in queries().values() if q.folder == "explore"])
def test_explorers_queries_return_rows_on_the_sample(sample_graph, name):
    rows = run_saved(sample_graph, name)
    assert rows
    assert list(rows[0]) == list(cypher.get(name).columns)
    json.dumps(rows, default=str)


def test_counts_and_the_tree_are_right(sample_graph):
    counts = {(row["kind"], row["name"]): row["count"] for row in run_saved(sample_graph, "counts")}
    assert counts["node", "Document"] == 60
    assert counts["node", "Section"] == counts["relation", "HAS_SECTION"] == 480
    assert counts["node", "Entity"] == counts["node", "Disease"]
    card = run_saved(sample_graph, "disease_card", ["name=Gout"])
    assert [row["section"] for row in card] == [f"sample:gout#{i}" for i in range(1, 9)]
    assert card[0]["concepts"] == ["C0018099"]
    kinds = run_saved(sample_graph, "is_a_tree", ["name=diabetes mellitus"])
    names = {node["name"] for row in kinds for node in row["path"] if isinstance(node, dict)}
    assert names == {"diabetes mellitus", "Type 1 diabetes", "Type 2 diabetes"}


def test_saved_queries_say_what_is_true_of_the_sample(sample_graph):
    def rows(name, *given):
        return run_saved(sample_graph, name, given)

    above = [[node["name"] for node in row["path"] if isinstance(node, dict)] for row in rows("kinds_above")]
    assert ["Type 2 diabetes", "diabetes mellitus"] in above
    shared = {(row["shared"], row["by"]) for row in rows("shared_by_two")}
    assert ("diabetes mellitus", "kind") in shared
    assert rows("shared_by_two", "second=Nope") == []
    (told,) = [row for row in rows("provenance_of_relations") if row["subject"] == "Gout"]
    assert (told["relation"], told["source"], told["licence"], told["method"]) == (
        "IS_A",
        "sample",
        "Apache-2.0",
        "stated",
    )
    assert (told["predicate"], told["evidence"], told["score"]) == ("", None, None)
    (entity,) = rows("provenance_of_entity")
    assert (entity["id"], entity["source"], entity["licence"]) == ("sample:gout", "sample", "Apache-2.0")
    assert entity["loaded"]
    assert entity["says"] == "Gout"
    (licence,) = rows("licences")
    assert (licence["licence"], licence["sources"], licence["documents"]) == ("Apache-2.0", ["sample"], 60)
    (stated,) = rows("relations_by_source")
    assert (stated["source"], stated["relation"], stated["with_evidence"]) == ("sample", "IS_A", 0)
    assert stated["count"] == {row["name"]: row["count"] for row in rows("counts")}["IS_A"]
    assert {"subject": "Gout", "object": "arthritis"}.items() <= next(
        row for row in rows("relations_of_kind") if row["subject"] == "Gout"
    ).items()
    assert rows("relations_of_kind", "relation=TREATS") == []
    (kind,) = rows("relations_around")
    assert (kind["relation"], kind["direction"], kind["count"], kind["examples"]) == (
        "IS_A",
        "out",
        1,
        ["diabetes mellitus"],
    )
    assert rows("symptoms_to_diseases")[0]["disease"] == "Gout"
    assert {row["section"] for row in rows("questions_about")} <= {f"sample:gout#{i}" for i in range(1, 9)}
    assert rows("entities_of_concept")[0]["entity"] == "Gout"
    assert sum(row["sections"] for row in rows("section_types")) == 480
    assert len(rows("document_graph")) >= 16
    (load,) = [row for row in rows("loads") if row["source"] == "sample" and row["added"]]
    assert load["status"] == "finished"


def test_saved_queries_tell_sources_apart(database):
    run(
        database,
        "CREATE (a:Source {id: 'a', licence: 'CC0-1.0'}), (p:Source {id: 'a-part', licence: 'CC0-1.0', part_of: 'a'}), "
        "(b:Source {id: 'b', licence: ''}), (l:Load {id: 7, file: 'f', status: 'finished', started: datetime(), "
        "finished: datetime()})-[:FROM]->(a), (x:Entity:Drug {id: 'x', name: 'X'}), "
        "(y:Entity:Gene {id: 'y', name: 'Y'})-[:FROM {load: 7}]->(a) "
        "CREATE (x)-[:FROM {load: 7, name: 'Ex'}]->(p), (x)-[:FROM {load: 8, name: 'X'}]->(b) "
        "CREATE (x)-[:BINDS {source: 'a', predicate: 'RO:1', evidence: ['PMID:1'], score: 0.5, load: 7}]->(y) "
        "CREATE (x)-[:BINDS {source: 'b', predicate: '', score: 0.9, load: 8}]->(y)-[:REGULATES {source: 'b'}]->(x)",
    )

    def rows(name, *given):
        return run_saved(database, name, given)

    assert rows("licences") == [
        {"licence": "(not stated)", "sources": ["b"], "documents": 0, "entities": 1},
        {"licence": "CC0-1.0", "sources": ["a", "a-part"], "documents": 0, "entities": 2},
    ]
    says = [(row["source"], row["says"], row["file"]) for row in rows("provenance_of_entity", "name=X")]
    assert says == [("a-part", "Ex", "f"), ("b", "X", None)]
    told = [(row["source"], row["evidence"], row["score"]) for row in rows("relations_of_kind", "relation=BINDS")]
    assert told == [("b", None, 0.9), ("a", ["PMID:1"], 0.5)]
    assert [(row["relation"], row["source"]) for row in rows("provenance_of_relations", "name=X")] == [
        ("BINDS", "a"),
        ("BINDS", "b"),
        ("REGULATES", "b"),
    ]
    counted = [
        (row["source"], row["relation"], row["count"], row["with_evidence"]) for row in rows("relations_by_source")
    ]
    assert counted == [("a", "BINDS", 1, 1), ("b", "BINDS", 1, 0), ("b", "REGULATES", 1, 0)]
    around = [(row["relation"], row["direction"], row["count"]) for row in rows("relations_around", "name=Y")]
    assert around == [("REGULATES", "out", 1), ("BINDS", "in", 1)]
    sources = {row["source"]: (row["part_of"], row["status"]) for row in rows("sources")}
    assert sources == {"a": (None, "finished"), "a-part": ("a", "finished"), "b": (None, None)}


def test_the_guide_names_every_saved_query():
    guide = (ROOT / "queries" / "explore" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE)) == {row["name"] for row in list_saved()}


# Saved queries on a command line.


def test_saved_queries_are_listed_with_their_parameters():
    listed = {row["name"]: row for row in list_saved()}
    assert set(listed) == {q.name for q in queries().values() if q.folder == "explore"}
    assert listed["disease_card"]["parameters"] == "name='Asthma'"
    assert all(row["purpose"] for row in listed.values())


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("nope", (), "there is no query 'nope'; the saved queries are: cited_section, counts, disease_card"),
        ("remove_documents", (), "'remove_documents' is no saved query; these are: cited_section, counts"),
        ("record_encoder", (), "'record_encoder' is no saved query"),
        ("clear_embeddings", (), "'clear_embeddings' is no saved query"),
        (
            "disease_card",
            ("size=1",),
            "'size=1' is not NAME=VALUE of a parameter of disease_card; its",
        ),
        ("disease_card", ("name",), "'name' is not NAME=VALUE"),
        ("counts", ("=",), "its parameters: none"),
    ],
)
def test_what_cannot_be_run(sample_graph, name, given, message):
    with pytest.raises(InputError, match=re.escape(message)):
        run_saved(sample_graph, name, given)


def test_values_are_texts_where_the_example_is_one(database):
    run(database, "CREATE (:Source {id: 's'})<-[:FROM]-(d:Document {id: 'd'})-[:HAS_SECTION]->(:Section {id: '42'})")
    assert len(run_saved(database, "cited_section", ["section=42"])) == 1
    assert len(run_saved(database, "cited_section", ['section="42"'])) == 1
    assert run_saved(database, "cited_section", ["section=[42]"]) == []
    assert run_saved(database, "cited_section", ["section='}) DETACH DELETE d //"]) == []
    assert len(run_saved(database, "cited_section", ["section=42"])) == 1


def test_values_of_other_kinds_are_json(sample_graph):
    rows = run_saved(sample_graph, "lexical", ["limit=2", 'types=["symptoms"]', 'sources=["sample"]', "filtered=false"])
    assert len(rows) == 2


# What a file must look like.


def test_a_sound_file(write):
    path = write(GOOD)
    assert parse(path) == Query("q", "What it does.", {"name": "'x'"}, ("n",), "MATCH (n {name: $name}) RETURN n", path)
    assert parse(path).folder == "explore"


def test_a_check_says_what_mends_it_and_how_to_try_it(write):
    query = parse(
        write(GOOD.replace("// returns", "// mends: load it again: whole\n// fault: CREATE (:X)\n// returns"))
    )
    assert (query.purpose, query.mends, query.fault) == ("What it does.", "load it again: whole", "CREATE (:X)")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (GOOD.replace("name: q", "name: other"), 1, "the header says 'name: other', the file is called q"),
        (GOOD.replace("// name: q\n", ""), 1, "the header says 'name: ', the file is called q"),
        (GOOD.replace("// What it does.\n", ""), 1, "the header needs a sentence on the purpose and a 'returns:' line"),
        (GOOD.replace("// returns: n\n", ""), 1, "the header needs a sentence"),
        (GOOD.replace(":param name => 'x'", ":param name = 'x'"), 3, "write a parameter as ':param name => example'"),
        (GOOD.replace(":param name => 'x'", ":param name =>"), 3, "write a parameter as"),
        (GOOD.replace("// :param name => 'x'\n", ""), 1, "no ':param name => …' for $name"),
        (GOOD.replace("{name: $name}", "{name: '$name'}"), 3, "the parameter name is not used in the statement"),
        (GOOD.replace("RETURN n", "RETURN n // $more"), None, ""),
        (GOOD.replace("{name: $name}", "{name: $nam}"), 1, "no ':param nam => …' for $nam"),
        (
            GOOD.replace("// :param name", "// :param  names => 1\n// :param   name").replace(
                "n {name: $name}", "n $names"
            ),
            4,
            "the parameter name is not used in the statement",
        ),
        (GOOD[: GOOD.index("MATCH")], 5, "there is no statement under the header"),
        ("", 1, "there is no statement under the header"),
    ],
)
def test_a_broken_file_is_named_with_its_line(write, text, line, message):
    path = write(text)
    if line is None:
        parse(path)
        return
    with pytest.raises(CatalogueError, match=re.escape(message)) as caught:
        parse(path)
    assert (caught.value.path, caught.value.line) == (path, line)
    assert str(caught.value).startswith(f"{path}:{line}: ")


def test_a_name_twice_is_refused(write):
    first = write(GOOD)
    second = write(GOOD, folder="retrieve")
    with pytest.raises(CatalogueError, match=re.escape(f"{second}:1: the name q is taken by {first}")):
        queries(first.parents[1])


@pytest.mark.parametrize(
    "value", ["x", "it's", "back\\slash", "\\'", "'", "$name", "\\u0027}) RETURN 1 //", "\n", "喘"]
)
def test_filled_statements_say_the_same_as_with_parameters(graph, tmp_path, value):
    query = Query("q", "", {"name": "''"}, ("n",), "RETURN $name AS n, '$' AS dollar", Path("q.cypher"))
    assert run(graph, query.filled(name=value)) == [{"n": value, "dollar": "$"}]
