"""Loading, indexing, asking and taking out, one command after the other."""

import json
import re

import pytest

from medgraph.schema.concept_relations import fold_all
from tests.support.graphs import run, state_of
from tests.support.joined import joined
from tests.support.paths import FILES

CORPUS = FILES / "documents" / "corpus.jsonl"
MADE = """
MATCH (q:Question {generated: true})-[:ANSWERED_AT]->(d)
RETURN q.id AS id, q.text AS text, d.id AS document ORDER BY id
"""


def test_loading_the_sample_again_changes_nothing(medgraph, sample_graph):
    before = state_of(sample_graph)
    assert medgraph("load", "sample") == "sample: this file is loaded already; nothing changed (316 records)\n"
    report = json.loads(medgraph("load", "sample", "--dry-run", "--json"))
    assert (report["added"], report["changed"], report["unchanged"]) == (0, 0, 316)
    assert medgraph("index").startswith("0 chunks made; 0 chunks, 0 questions and 0 sentences embedded by")
    assert state_of(sample_graph) == before


def test_load_index_ask_and_unload(medgraph, database):
    assert medgraph("load", "documents", CORPUS, "--dry-run") == (
        "documents: 3 records would be added, 0 would be changed, 0 unchanged, 0 rejected\n"
    )
    assert run(database, "MATCH (n:Document) RETURN n") == []
    loaded = medgraph("load", "documents", CORPUS, "--as", "clinic", "--title", "Our clinic", "--licence", "CC0-1.0")
    assert loaded == "clinic: 3 records added, 0 changed, 0 unchanged, 0 rejected\n"
    rows = {row["source"]: row for row in json.loads(medgraph("sources", "--json"))["sources"]}
    assert rows["clinic"]["title"] == "Our clinic"
    assert medgraph("index", "chunks").startswith("4 chunks made; 0 chunks, 0 questions and 0 sentences")
    assert medgraph("index").startswith("0 chunks made; 4 chunks, 1 question and 4 sentences embedded by")
    hits = json.loads(medgraph("search", "wheeze at night", "--source", "lungs", "--json"))["results"]
    assert hits[0]["section"] == "asthma#2"
    answer = json.loads(medgraph("ask", "What is asthma?", "--json"))
    assert answer["sentences"][0]["text"] == "Asthma narrows the airways."
    assert medgraph("unload", "clinic").endswith(" nodes removed\n")
    assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


def test_names_that_are_near_wait_for_a_curator(medgraph, graph, settings, tmp_path):
    database = joined(graph, settings, tmp_path)
    run(database, "MATCH (e:Entity {id: 'MESH:4'}) SET e.name = 'Myocardial infarct'")
    assert "(1 by embedding)" in medgraph("index", "concepts", "--by-embedding")
    (pair,) = json.loads(medgraph("review", "list", "--method", "embedding", "--json"))["equivalences"]
    assert pair["evidence"] == "myocardial infarction ~ Myocardial infarct"
    assert "(1 by embedding)" in medgraph("index", "concepts")
    assert "--by-embedding goes with" in medgraph("index", "links", "--by-embedding", fails=True)
    assert "--pipeline goes with" in medgraph("index", "chunks", "--pipeline", "scispacy", fails=True)


@pytest.mark.thorough
def test_subgraphs_are_searched_where_asked_for_made_anew_and_go_with_their_sources(
    medgraph, graph, settings, tmp_path
):
    joined(graph, settings, tmp_path)

    def found(*options):
        hits = json.loads(medgraph("search", "Is gout treated with allopurinol?", *options, "--json"))["results"]
        return {(hit["section"], hit["licence"]) for hit in hits}

    made, indexed, asked = medgraph("index", "subgraphs").splitlines()
    assert made == "graph: 3 records added, 0 changed, 0 unchanged, 0 rejected"
    assert indexed.startswith("6 chunks made; 6 chunks, 0 questions")  # those of three pages, too
    assert re.match(r"[0-9]+ questions made for 3 documents; of [0-9]+, ", asked)
    questions = run(graph, MADE)
    again = medgraph("index", "subgraphs")
    assert again.startswith("graph: this file is loaded already; nothing changed (3 records)")
    assert "\n0 questions made for 0 documents" in again
    assert run(graph, MADE) == questions
    listed = json.loads(medgraph("query", "made_questions", "--param", "name=Gout", "--json"))["rows"]
    assert {row["document"] for row in listed} == {"graph:C0018099/symptoms", "graph:C0018099/treatment"}
    treated = next((name, licence) for name, licence in found("--source", "graph") if name.endswith("/treatment#1"))
    assert treated in found("--graph")
    assert re.fullmatch(r"[^()]+ \((mesh, pages|mesh\), .+ \(pages|pages\), .+ \(mesh)\)", treated[1])
    for mode in ("learned", "lexical", "semantic"):
        assert not {name for name, _ in found("--mode", mode) if name.startswith("graph:")}, mode
    assert "graph" not in {
        voice
        for row in run(graph, "MATCH ()-[r]->() RETURN coalesce(r.sources, [r.source]) AS s")
        for voice in row["s"]
    }
    for option, only in ((["--graph"], "p1#"), (["--source", "graph"], "graph:")):  # texts go first where they answer
        answer = json.loads(medgraph("ask", "What are the symptoms of gout?", *option, "--json"))
        cited = {citation["section"] for sentence in answer["sentences"] for citation in sentence["citations"]}
        assert all(name.startswith(only) for name in cited), cited
    # What relations tell of gout says nothing of asthma, nor its symptoms how it is treated.
    for other in ("What are the symptoms of asthma?", "What causes gout?"):
        assert json.loads(medgraph("ask", other, "--source", "graph", "--json"))["status"] != "answered", other
    medgraph("index", "links")
    assert run(graph, "MATCH (:Section {source: 'graph'})-[:HAS_CHUNK]->()-[r:MENTIONS]->() RETURN r") == []

    run(
        graph,
        "MATCH (a:Entity {id: 'DOID:2'}), (b:Entity {id: 'SYMP:1'}) "
        "CREATE (a)-[:HAS_SYMPTOM {source: 'doid', method: 'stated'}]->(b)",
    )
    fold_all(graph)
    changed = medgraph("index", "subgraphs")
    assert changed.startswith("graph: 1 records added, 0 changed, 3 unchanged, 0 rejected")
    assert "questions made for 1 documents" in changed
    asthma = "graph:DOID:2/symptoms"  # two symptoms are a list
    assert {row["document"] for row in run(graph, MADE)} == {*(row["document"] for row in questions), asthma}
    medgraph("unload", "mesh")
    left = run(graph, "MATCH (d:Document {source: 'graph'}) RETURN d.id AS id ORDER BY id")
    assert [row["id"] for row in left] == [asthma]
    assert {row["document"] for row in run(graph, MADE)} == {asthma}
    assert (
        run(
            graph, "MATCH (n) WHERE (n:Section OR n:Chunk) AND NOT EXISTS { (n)<-[:HAS_SECTION|HAS_CHUNK]-() } RETURN n"
        )
        == []
    )
