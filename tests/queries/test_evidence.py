"""What a search gives besides sections: what is asked about, facts and paths of it, and how long that took."""

import pytest

from medgraph.queries.hits import FACTS
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


def test_a_search_tells_what_is_asked_about_with_facts_of_it(retriever):
    found = retriever.search("How is gout treated?", mode="learned", top_k=3)
    assert found[0].section == "sample:gout#6"
    assert [one.name.lower() for one in found.concepts()] == ["gout"]
    facts = found.facts()
    assert 0 < len(facts) <= FACTS
    assert {fact.head_name.lower() for fact in facts} == {"gout"}
    assert found.paths() == []
    assert list(found.timing_ms) == ["understand", "find", "rank", "read", "total"]
    assert found.question.text == "How is gout treated?"


def test_of_two_things_what_is_between_them_comes_first(retriever):
    fact = retriever.search("How is gout treated?").facts()[0]
    found = retriever.search(f"Has {fact.tail_name} to do with {fact.head_name}?", mode="learned", top_k=3)
    assert {(one.head, one.tail) for one in found.facts()} == {(fact.head, fact.tail)}
    (pair,) = found.paths()
    assert pair.paths[0].hops[0].relations == (fact.relation,)
