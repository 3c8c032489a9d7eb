"""The sample's questions have the same answers in whatever models compute."""

from dataclasses import replace

import pytest

from medgraph.embeddings.encoders.bert import EXACT, usable_precisions
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.embeddings.index import index, make_anew
from medgraph.embeddings.reranking import load_reader as load_sentence_reader
from medgraph.linking.mentions import index_links
from medgraph.linking.names import names_in_use
from medgraph.loaders.commands import load_named
from tests.support.answers import answerer_of

pytestmark = pytest.mark.thorough

QUESTIONS = [
    "What are the symptoms of type 2 diabetes?",
    "How is gout treated?",
    "What causes kidney stones?",
    "Who is at risk for asthma?",
    "Can a urinary tract infection be prevented?",
    "My father has chronic kidney disease and is tired all the time. What can be done about it?",
    "Is migraine inherited, and how is it diagnosed?",
    "Does metformin help with type 2 diabetes?",
    "Who won the football world cup in 2010?",
    "How is Whipple disease treated?",
]


@pytest.fixture
def answers(database, settings):
    """Fills the graph, and answers, with models that compute in one precision."""

    def of(precision):
        own = replace(settings, precision=precision)
        encoder, reader = load_encoder(own), load_sentence_reader(own)
        make_anew(database, encoder)
        make_anew(database, encoder)
        index(database, encoder, "all")
        return [outcome(answerer_of(database, encoder, reader).ask(question)) for question in QUESTIONS]

    load_named(database, settings, "sample")
    index_links(database, *names_in_use(settings, database))
    return of


def outcome(answer):
    return (
        answer.question,
        answer.status,
        [(one.text, one.verdict, [cited.section for cited in one.citations]) for one in answer.sentences],
    )


@pytest.mark.slow
def test_answers_are_those_of_f32(answers):
    exact = answers(EXACT)
    assert {status for _, status, _ in exact} >= {"answered", "related", "not_enough_evidence"}
    for precision in usable_precisions():
        assert precision == EXACT or answers(precision) == exact
