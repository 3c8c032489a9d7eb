"""Loading, indexing, asking and taking out, one command after the other."""

import json

from tests.support.graphs import run, state_of
from tests.support.paths import FILES

CORPUS = FILES / "documents" / "corpus.jsonl"


def test_loading_the_sample_again_changes_nothing(medgraph, sample_graph):
    before = state_of(sample_graph)
    assert medgraph("load", "sample") == "sample: this file is loaded already; nothing changed (284 records)\n"
    report = json.loads(medgraph("load", "sample", "--dry-run", "--json"))
    assert (report["added"], report["changed"], report["unchanged"]) == (0, 0, 284)
    assert medgraph("index").startswith("0 chunks made; 0 chunks and 0 questions embedded by")
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
    assert medgraph("index", "chunks").startswith("4 chunks made; 0 chunks and 0 questions embedded")
    assert medgraph("index").startswith("0 chunks made; 4 chunks and 1 questions embedded by all-MiniLM-L6-v2")
    hits = json.loads(medgraph("search", "wheeze at night", "--source", "lungs", "--json"))["results"]
    assert hits[0]["section"] == "asthma#2"
    answer = json.loads(medgraph("ask", "What is asthma?", "--json"))
    assert answer["sentences"][0]["text"] == "Asthma narrows the airways."
    assert medgraph("unload", "clinic").endswith(" nodes removed\n")
    assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


def test_another_encoder_is_refused_with_what_mends_it(medgraph, sample_graph):
    run(sample_graph, "MATCH (e:Encoder) SET e.name = 'other', e.dimension = 8")
    try:
        for arguments in (["search", "gout"], ["ask", "gout"], ["index"], ["schema", "apply"]):
            message = medgraph(*arguments, fails=True)
            assert "the graph's vectors are from other (8 dimensions), not from all-MiniLM-L6-v2 (384)" in message
            assert "medgraph index embeddings --rebuild" in message
        assert medgraph("search", "gout", "--mode", "lexical")
    finally:
        run(sample_graph, "MATCH (e:Encoder) SET e.name = 'all-MiniLM-L6-v2', e.dimension = 384")
