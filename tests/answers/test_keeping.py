"""Answers that are kept: their claims lead to the chunks that speak for them and against them."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Citation
from medgraph.answers.answer_runs import forget, keep, run_of
from medgraph.graph import catalogue
from medgraph.queries.filters import Filters
from tests.support.graphs import run, state_of

CLAIMS = (
    "MATCH (a:Answer)-[:MAKES]->(c:Claim) OPTIONAL MATCH (c)-[r]->(k:Chunk) "
    "RETURN c.text AS claim, type(r) AS type, k.id AS chunk, r.score AS score, r.quote AS quote, c.sources AS sources "
    "ORDER BY c.position, chunk, type DESC"
)


@pytest.fixture
def kept(told, graph, settings):
    """Keeps answers in the small graph of three sources, and clears up."""
    before = state_of(graph)

    def put(answer, **filters):
        return keep(graph, answer, run_of(graph, answer, "graph", Filters(**filters), settings))

    yield put
    forget(graph, (), everything=True)
    assert state_of(graph) == before


def test_a_fact_leads_to_the_chunk_that_tells_it_and_names_who_states_it(told, kept, graph):
    name, claims = kept(told.ask("What are the symptoms of gout?"))
    assert claims == 1
    assert run(graph, CLAIMS) == [
        {"claim": "Symptoms of gout include fever.", "type": "SUPPORTED_BY",
         "chunk": "p1#1a", "score": 0.9, "quote": None, "sources": ["doid"]}
    ]  # fmt: skip
    (row,) = run(graph, "MATCH (a:Answer) RETURN a {.*, kept: a.kept IS NOT NULL} AS a")
    assert row["a"] == {
        "id": name,
        "question": "What are the symptoms of gout?",
        "understood": "What are the symptoms of gout?",
        "status": "answered",
        "composer": "graph",
        "precision": "f32",
        "confidence": 0.9,
        "text": "Symptoms of gout include fever.",
        "kept": True,
    }


def test_what_contradicts_is_kept_and_saved_queries_show_it(told, kept, graph):
    answer = told.ask("What are the symptoms of gout?")
    quote = "No asthma comes of podagra."
    against = Citation("p1#1", "p1", "Gout", "", "pages", "", 29, 56, quote, "")
    kept(replace(answer, sentences=(replace(answer.sentences[0], contradicting=(against,)),)))
    rows = run(graph, CLAIMS)
    assert [(row["type"], row["chunk"]) for row in rows] == [("SUPPORTED_BY", "p1#1a"), ("CONTRADICTED_BY", "p1#1a")]
    (contested,) = graph.read(catalogue.get("contested_claims"), limit=5)
    assert (contested["said_by"], contested["against_by"], contested["against"]) == (
        ["pages", "doid"],
        ["pages"],
        [quote],
    )
    (pair,) = graph.read(catalogue.get("sources_that_disagree"), limit=5)
    assert (pair["supports"], pair["contradicts"], pair["claims"]) == ("pages", "pages", 1)
    (listed,) = graph.read(catalogue.get("kept_answers"), limit=5)
    assert (listed["claims"], listed["contested"]) == (1, 1)
    assert len(graph.read(catalogue.get("claim_graph"), question="GOUT", limit=9)) > 1
    assert graph.read(catalogue.get("claims_adrift"), source="", examples=5) == []


def test_answers_are_forgotten_by_id_or_all(told, kept, graph):
    names = [kept(told.ask(text))[0] for text in ("How is gout treated?", "Is gout bad? \u75db\u98ce", "gout '}) //")]
    assert forget(graph, [names[0], "answer:nope"]) == 1
    assert forget(graph, []) == 0
    assert forget(graph, [], everything=True) == 2
    assert run(graph, "MATCH (n:Answer|Claim|Run) RETURN n") == []
