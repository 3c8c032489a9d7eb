"""How likely results answer: probabilities that compare across questions."""

import pytest

from medgraph.queries.hits import none_of_these
from medgraph.queries.retriever import Retriever
from tests.support.linking import names_of


@pytest.fixture
def retriever(sample_graph, encoder):
    return Retriever(sample_graph, lambda: encoder, names_of(sample_graph))


def test_what_answers_is_likelier_than_what_does_not_and_none_of_these_is_said_where_nothing_does(retriever):
    answered = retriever.search("What are the symptoms of asthma?", mode="learned")
    beside = retriever.search("How do I repair a bicycle?", mode="learned")
    likely = {hit.section: hit.probability for hit in answered}
    assert likely["sample:asthma#2"] == max(likely.values()) > 0.5
    assert max(hit.probability for hit in beside) < 0.1
    assert none_of_these(answered) is False
    assert none_of_these(beside) is True
    assert none_of_these(retriever.search("bicycle repair", mode="learned")) is None


def test_only_learned_results_of_the_encoder_that_weights_are_for_have_probabilities(retriever, encoder, monkeypatch):
    assert retriever.search("asthma", mode="hybrid")[0].probability is None
    monkeypatch.setattr(type(encoder), "name", "another")
    hit = retriever.search("asthma", mode="learned")[0]
    assert hit.probability is hit.accepted is None
