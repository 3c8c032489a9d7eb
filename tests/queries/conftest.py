"""What tests of look-ups share."""

import functools

import pytest

from medgraph.queries.retriever import Retriever
from tests.support.corpus import write_corpus
from tests.support.entities import write_entities
from tests.support.graphs import prepared
from tests.support.linking import names_of


@pytest.fixture
def names(database):
    """Writes entities into an otherwise empty graph, and waits until they can be found."""
    return functools.partial(write_entities, database)


@pytest.fixture
def corpus_graph(graph, encoder, settings, tmp_path):
    """A graph with the documents of `tests.support.corpus`."""
    return prepared(graph, "corpus", lambda: write_corpus(graph, encoder, settings, tmp_path))


@pytest.fixture
def corpus_retriever(corpus_graph, encoder):
    return Retriever(corpus_graph, lambda: encoder, names_of(corpus_graph))
