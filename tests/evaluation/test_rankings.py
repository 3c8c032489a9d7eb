"""Questions searched for in the whole graph: what counts of results, the floor, and ways measured beside it."""

import pytest

from medgraph.errors import InputError
from medgraph.evaluation import ways
from medgraph.evaluation.rankings import Case, Floor, Place, measure
from medgraph.evaluation.retrieval import FLOOR, WEIGHTS
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of

RESULTS = [Place("a#1", "a", "GARD"), Place("b#1", "b", "NHLBI"), Place("a#2", "a", "GARD"), Place("a#1", "a", "GARD")]


def test_results_count_once_and_not_those_of_the_own_collection():
    assert Case("q", "?", frozenset({"x"})).ranking(RESULTS) == ["a#1", "b#1", "a#2"]
    assert Case("q", "?", frozenset({"x"}), but="GARD").ranking(RESULTS) == ["b#1"]
    assert Case("q", "?", frozenset({"x"}), kind="document").ranking(RESULTS) == ["a", "b"]


def test_the_floor_finds_by_words_and_by_vectors(medquad_graph, encoder):
    floor = Floor(medquad_graph, encoder)
    found = floor.results("What are the symptoms of Quimbly fever?", 2)
    assert list(found) == list(WEIGHTS)
    for weight in (0.0, 0.5, 1.0):
        assert {place.collection for place in found[weight]} == {"GARD", "NHLBI"}
        assert all(place.section.endswith("#1") and place.document in floor.documents for place in found[weight])
    assert len(floor.documents) == 8


def test_ways_are_measured_beside_the_floor(medquad_graph, encoder):
    floor = Floor(medquad_graph, encoder)
    retriever = Retriever(medquad_graph, lambda: encoder, names_of(medquad_graph))
    (best,) = {place.section for place in floor.results("What is Quimbly fever treated with?", 1)[0.5]}
    cases = [Case(name, "What is Quimbly fever treated with?", frozenset({name})) for name in (best, "none")]
    searched = [way for way in ways.ALL if way.name in {"lexical", "learned"}]
    found = measure("test", cases, retriever, floor, searched, "mrr")
    assert list(found) == [FLOOR, "lexical", "learned"]
    assert found[FLOOR]["mrr"].tolist() == [1, 0]
    assert found["learned"]["recall@10"].tolist() == [1, 0]


def test_a_graph_without_vectors_has_no_floor(database, encoder):
    with pytest.raises(InputError, match="the graph has no vectors; run: medgraph index"):
        Floor(database, encoder)
